package e2e

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/leaderelection"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// byDefault makes TestLeaderElection run candidates with default options, which takes longer.
var byDefault = os.Getenv("E2E_DEFAULTS") != ""

// election returns the duration of the leases in TestLeaderElection.
func election() time.Duration {
	if byDefault {
		return 15 * time.Second
	}
	return leaseDuration
}

// TestLeaderElection runs two candidates at a time, as real processes, which take over from each other while workloads are written: after a
// crash, after a graceful shutdown, and after the leader was frozen.
func TestLeaderElection(t *testing.T) {
	// Not parallel: under the race detector, the servers of other tests delay requests for longer than the one-second timeout of
	// lease requests.
	c := start(t, apiservertest.Options{})
	world, team := startWorld(t, c), newTeam(t, c.Kubeconfig())
	if byDefault {
		team.options = nil
	}
	first := team.join(t, "first")
	first.wait(t, leads)
	second := team.join(t, "second")
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

	first.wait(t, reconciled)
	checkStandby(t, first, second)
	takeOverFromKilled(t, first, second)
	third := team.join(t, "third")
	takeOverFromEnded(t, second, third)
	fourth := team.join(t, "fourth")
	frozen := takeOverFromFrozen(t, third, fourth)

	require.NoError(t, stopWriting())
	world.settles(t, writer.wishes)
	for _, c := range []*candidate{third, fourth} { // the newcomer first: it must not lead
		c.signal(t, syscall.SIGTERM)
		code, _ := c.end(t)
		assert.Zero(t, code)
	}
	checkAlone(t, third, frozen, first, second, third, fourth)
}

// checkStandby checks that the standby is ready and idle, and that the metrics of the leader are complete.
func checkStandby(t *testing.T, leader, standby *candidate) {
	t.Helper()
	for _, path := range []string{"/healthz", "/readyz"} {
		code, _ := standby.get(t, path)
		assert.Equal(t, http.StatusOK, code, path)
	}
	assert.Empty(t, standby.lines(reconciled))
	code, metrics := leader.get(t, "/metrics")
	assert.Equal(t, http.StatusOK, code, metrics)
	for _, metric := range []string{
		`workqueue_depth{name="workloads.fleet.example.com"`,
		"rest_client_requests_total{",
		`controller_reconcile_duration_seconds_count{controller="workloads.fleet.example.com"`,
		"informer_store_resource_version{",
		`leader_election_master_status{name="fleet-operator"} 1`,
	} {
		assert.Contains(t, metrics, metric)
	}
	_, metrics = standby.get(t, "/metrics")
	assert.Contains(t, metrics, `leader_election_master_status{name="fleet-operator"} 0`)
}

// takeOverFromKilled kills the leader. The standby takes over when the lease expires after the last renewal, up to a retry period
// later.
func takeOverFromKilled(t *testing.T, leader, standby *candidate) {
	t.Helper()
	lease := election()
	retry := time.Duration(float64(retryPeriod) * (1 + leaderelection.JitterFactor))
	killed := time.Now()
	leader.signal(t, syscall.SIGKILL)
	took := standby.wait(t, leads).At.Sub(killed)
	t.Logf("takes over %v after the leader was killed, with a lease of %v", took.Round(time.Millisecond), lease)
	assert.Less(t, took, lease+2*retry+lease/2, "no second lease has to expire")
	standby.wait(t, reconciled)
}

// takeOverFromEnded terminates the leader gracefully, which releases the lease.
func takeOverFromEnded(t *testing.T, leader, standby *candidate) {
	t.Helper()
	assert.Empty(t, standby.lines(reconciled))
	leader.signal(t, syscall.SIGTERM)
	code, ended := leader.end(t)
	assert.Zero(t, code)
	first := standby.wait(t, reconciled)
	released := leader.lines("The lease is free")
	require.NotEmpty(t, released)
	took := first.At.Add(-first.Took).Sub(released[len(released)-1].At)
	t.Logf("reconciles %v after the leader has released the lease, %v before that has ended", took.Round(time.Millisecond),
		ended.Sub(first.At).Round(time.Millisecond))
	assert.Less(t, took, retryPeriod/2, "the standby does not wait for its next attempt")
}

// takeOverFromFrozen stops the leader for longer than the lease and then continues it. It notices the lost lease, and competes again.
// takeOverFromFrozen returns the time when the leader was stopped.
func takeOverFromFrozen(t *testing.T, leader, standby *candidate) time.Time {
	t.Helper()
	assert.Empty(t, standby.lines(reconciled))
	frozen := time.Now()
	leader.signal(t, syscall.SIGSTOP)
	standby.wait(t, reconciled)
	thawed := time.Now()
	leader.signal(t, syscall.SIGCONT)
	noticed := leader.wait(t, deposed)
	t.Logf("knows %v after it goes on that the lease is lost", noticed.At.Sub(thawed).Round(time.Millisecond))
	lease := election()
	assert.Less(t, noticed.At.Sub(thawed), lease/3, "it does not wait for its renew deadline")
	leader.wait(t, newcomer)
	code, text := leader.get(t, "/readyz")
	assert.Equal(t, http.StatusOK, code)
	assert.Contains(t, text, "does not lead: waits for lease default/"+program)
	return frozen
}

// checkAlone checks that no two candidates reconciled for the same controller at the same time. Reconciles of the frozen one right after it continued do
// not count: it cannot know how much time has passed before it asks the server.
func checkAlone(t *testing.T, stopped *candidate, frozen time.Time, all ...*candidate) {
	t.Helper()
	type interval struct {
		by         string
		begin, end time.Time
	}
	work := map[string][]interval{} // by controller
	late := 0
	for _, c := range all {
		lines := c.lines(reconciled)
		require.NotEmpty(t, lines, c.name)
		for _, l := range lines {
			if c == stopped && l.At.After(frozen) {
				late++
				continue
			}
			work[l.Controller] = append(work[l.Controller], interval{c.name, l.At.Add(-l.Took), l.At})
		}
	}
	for controller, work := range work {
		t.Logf("%s: %d reconciles; %d in all of the leader that was frozen, after that", controller, len(work), late)
		slices.SortFunc(work, func(a, b interval) int { return cmp.Or(a.begin.Compare(b.begin), a.end.Compare(b.end)) })
		last := interval{}
		for _, next := range work {
			if last.by != "" && last.by != next.by {
				assert.False(t, next.begin.Before(last.end), "%+v and %+v", last, next)
			}
			if next.end.After(last.end) {
				last = next
			}
		}
	}
}
