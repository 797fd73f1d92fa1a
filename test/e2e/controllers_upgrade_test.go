package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestFromCommandsToOperator replaces two commands that an earlier version scaffolded, each for one kind and with a lease of its own, by
// one operator, and goes back, while workloads are written. Both are there at the same time, as in a rolling upgrade.
func TestFromCommandsToOperator(t *testing.T) {
	// Not parallel: see TestLeaderElection.
	c := start(t, apiservertest.Options{})
	world := startWorld(t, c)
	binaries := buildEarlier(t)
	launch := func(name, binary string) *candidate {
		args := []string{
			"--kubeconfig=" + c.Kubeconfig(), "--kube-api-qps=-1", "--log-format=json", "-v=4", "--leader-elect-lease-duration=" + leaseDuration.String(),
			"--leader-elect-renew-deadline=" + renewDeadline.String(), "--leader-elect-retry-period=" + retryPeriod.String(),
		}
		if binary == program {
			args = append(args, "--probe-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0", "--debug-address=127.0.0.1:0")
		} else {
			args = append(args, "--http-address=127.0.0.1:0")
		}
		return beginCandidate(t, name, exec.Command(filepath.Join(binaries, binary), args...), nil)
	}
	end := func(candidates ...*candidate) {
		for _, one := range candidates {
			one.signal(t, syscall.SIGTERM)
			code, _ := one.end(t)
			assert.Zero(t, code, one.name)
		}
	}
	writer := newWriter(c.client, seedOf(t), 1, 0)
	stopWriting := background(t, func(ctx context.Context) error {
		ticker := time.NewTicker(25 * time.Millisecond)
		defer ticker.Stop()
		for !tick(ctx, ticker.C) {
			if err := writer.step(context.WithoutCancel(ctx)); err != nil {
				return err
			}
		}
		return nil
	})

	workloads, regions := launch("workloads", "workload-controller"), launch("regions", "region-controller")
	workloads.wait(t, reconciled)
	regions.wait(t, reconciled)
	first, second := launch("first", program), launch("second", program)
	first.wait(t, isReady)
	second.wait(t, isReady)
	end(workloads)
	assert.Empty(t, first.lines(reconciled), "regions are still reconciled by the other command")
	assert.Empty(t, second.lines(reconciled))
	end(regions)
	operator, standby := first, second
	select {
	case <-first.said(t, reconciled):
	case <-second.said(t, reconciled):
		operator, standby = second, first
	}

	workloadsAgain, regionsAgain := launch("workloads again", "workload-controller"), launch("regions again", "region-controller")
	workloadsAgain.wait(t, "Controller is ready")
	regionsAgain.wait(t, "Controller is ready")
	assert.Empty(t, workloadsAgain.lines(reconciled))
	assert.Empty(t, regionsAgain.lines(reconciled))
	end(standby, operator)
	workloadsAgain.wait(t, reconciled)
	regionsAgain.wait(t, reconciled)
	require.NoError(t, stopWriting())
	world.settles(t, writer.wishes)
	end(workloadsAgain, regionsAgain)
	checkAlone(t, nil, time.Time{}, workloads, regions, operator, workloadsAgain, regionsAgain)

	deployments, err := world.kube.AppsV1().Deployments("").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	require.NotEmpty(t, deployments.Items)
	for _, deployment := range deployments.Items {
		for _, entry := range deployment.ManagedFields {
			if entry.Operation == metav1.ManagedFieldsOperationApply {
				assert.Equal(t, "workload-controller", entry.Manager, "no field has a manager that is gone")
			}
		}
	}
}

// buildEarlier builds commands as an earlier version scaffolded them, and the operator that holds their leases. It returns the folder.
func buildEarlier(t *testing.T) string {
	t.Helper()
	dir, binaries := copyExamples(t), t.TempDir()
	for _, kind := range []string{"workload", "region"} {
		for _, name := range []string{"main.go", "leader.go", "server.go"} {
			text, err := os.ReadFile(filepath.Join("testdata/earlier", name))
			require.NoError(t, err)
			edited := strings.ReplaceAll(string(text), "workload", kind)
			if kind == "region" {
				edited = strings.ReplaceAll(edited, "reconciler.New(client, kube,", "reconciler.New(client,") // it owns nothing
			}
			write(t, filepath.Join(dir, "cmd", kind+"-controller", name), edited)
		}
	}
	const option = "manager.WithMetrics(metrics.New())"
	name := filepath.Join(dir, "cmd", program, "main.go")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Contains(t, string(text), option)
	write(t, name, strings.Replace(string(text), option, option+`, manager.AlsoHold("workload-controller", "region-controller")`, 1))
	command(t, dir, "go", "build", "-mod=mod", "-o", binaries+"/", "./cmd/...")
	return binaries
}

// said returns a channel that is closed when the log has a line with a message.
func (c *candidate) said(t *testing.T, message string) <-chan struct{} {
	t.Helper()
	found := make(chan struct{})
	ctx := within(t)
	go func() {
		if _, err := c.first(ctx, message); err == nil {
			close(found)
		}
	}()
	return found
}
