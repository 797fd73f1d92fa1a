package e2e

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestKubectl uses the kinds with kubectl.
func TestKubectl(t *testing.T) {
	path, err := exec.LookPath("kubectl")
	if err != nil {
		t.Skip("there is no kubectl on the PATH")
	}
	c := start(t, apiservertest.Options{})
	kubectl := func(args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(within(t), path, append([]string{"--kubeconfig", c.Kubeconfig(), "--namespace", namespace}, args...)...).CombinedOutput()
		require.NoError(t, err, "kubectl %v: %s", args, out)
		return string(out)
	}
	assert.Contains(t, kubectl("apply", "-f", "testdata/workload.yaml"), "workload.fleet.example.com/web created")
	assert.Contains(t, kubectl("apply", "--server-side", "--force-conflicts", "-f", "testdata/workload.yaml"), "serverside-applied")
	assert.Regexp(t, `web\s+north`, kubectl("get", "wl"))
	assert.Contains(t, kubectl("explain", "workloads.spec.regionName"), "cannot be changed")
	kubectl("scale", "workload/web", "--replicas=3")
	scaled, err := c.client.FleetV1().Workloads(namespace).Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 3, *scaled.Spec.Replicas)
	kubectl("patch", "workload/web", "--subresource=status", "--type=merge", "-p", `{"status":{"readyReplicas":3}}`)
	kubectl("wait", "workload/web", "--for=jsonpath={.status.readyReplicas}=3", "--timeout=10s")
	assert.Contains(t, kubectl("delete", "workload/web"), "deleted")
}
