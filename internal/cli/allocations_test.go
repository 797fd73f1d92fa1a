package cli

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAllocations limits the allocations of a run, which are nearly the same on every machine. The time of a run is not: machines with
// the same cores differ by a factor of two in the start of a process and the first use of memory. The limits are 5 % above what was
// measured. Lower a limit when a run needs less.
func TestAllocations(t *testing.T) {
	for name, test := range map[string]struct {
		dir   string
		args  []string
		limit uint64 // in KiB
	}{
		"one kind":   {fleetModule(t, "Robot"), nil, 3_350},
		"k8s.io/api": {".", []string{"k8s.io/api/...", "--only", "applyconfiguration,clientset,listers,informers"}, 322_000},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"generate", "--output-dir", t.TempDir(), "--output-pkg", "example.com/out"}, test.args...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			code, _, stderr := run(t, test.dir, args...)
			runtime.ReadMemStats(&after)
			require.Equal(t, exitDone, code, stderr)
			assert.LessOrEqual(t, (after.TotalAlloc-before.TotalAlloc)>>10, test.limit)
		})
	}
}
