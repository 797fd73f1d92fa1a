package informer_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

// TestMutationDetectorByEnvironment runs this test again, in a process whose environment asks for a detector, and which changes an
// object that it has read from a lister.
func TestMutationDetectorByEnvironment(t *testing.T) {
	const child = "INFORMER_TEST_CHILD"
	if os.Getenv(child) != "" {
		ctx, factory := newFactory(t)
		workloads := informer.For(factory, workloadSource(fake.NewClientset(workload("a", "x", nil))))
		start(ctx, t, factory)
		object, err := workloads.Lister().Get("a", "x")
		require.NoError(t, err)
		object.Spec.RegionName = "changed"
		<-ctx.Done() // the process ends before
	}
	program := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	program.Env = append(os.Environ(), child+"=1", "KUBE_CACHE_MUTATION_DETECTOR=true")
	output, err := program.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(output), "panic: workloads.fleet.example.com a/x in the cache was changed by code other than a handler")
	assert.Contains(t, string(output), `.Spec.RegionName: "changed", was "north"`)
}
