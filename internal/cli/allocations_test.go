package cli

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAllocations limits what a run allocates, which is nearly the same on every machine. Times are not: starting a process and the
// first use of its memory take up to twice as long on one machine as on another with the same cores. The limits are 5 % above what
// was measured; who needs less lowers them.
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
