package cli

import (
	"go/build"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAllocations limits the allocations of a run, which are nearly the same on every machine. The time of a run is not: machines with
// the same cores differ by a factor of two in the start of a process and the first use of memory. The limits are 3 % above what was
// measured: orders of goroutines and the number of processors cost up to 2 %. Lower a limit when a run needs less. A second run writes
// nothing, but reads the files of the first run.
func TestAllocations(t *testing.T) {
	for name, test := range map[string]struct {
		dir   string
		args  []string
		limit uint64 // in KiB
		again uint64
	}{
		"one kind":   {fleetModule(t, "Robot"), nil, 2_890, 2_860},
		"core group": {coreModule(t), []string{"./core/v1"}, 73_000, 75_000},
		"k8s.io/api": {".", []string{"k8s.io/api/...", "--only", "applyconfiguration,clientset,listers,informers"}, 330_000, 339_000},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"generate", "--output-pkg", "example.com/out"}, test.args...)
			first, again := allocations(t, test.dir, args)
			// What the process does once only adds.
			for i := 0; i < 2 && (first > test.limit || again > test.again); i++ {
				f, a := allocations(t, test.dir, args)
				first, again = min(first, f), min(again, a)
			}
			assert.LessOrEqual(t, first, test.limit)
			assert.LessOrEqual(t, again, test.again)
		})
	}
}

// allocations returns the KiB that a run into an empty directory and a second run allocate.
func allocations(t *testing.T, dir string, args []string) (first, again uint64) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // collections would empty pools, at any time
	args = append(args, "--output-dir", t.TempDir())
	one := func() uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code, _, stderr := execute(t, dir, args...)
		runtime.ReadMemStats(&after)
		require.Equal(t, exitDone, code, stderr)
		return (after.TotalAlloc - before.TotalAlloc) >> 10
	}
	first = one()
	return first, one()
}

// coreModule returns a module with the types of the core group.
func coreModule(t *testing.T) string {
	t.Helper()
	core, err := build.Import("k8s.io/api/core/v1", ".", build.FindOnly)
	require.NoError(t, err)
	dir, from := t.TempDir(), filepath.Join(core.Dir, "..", "..")
	for _, name := range []string{"go.mod", "go.sum"} {
		writeFile(t, filepath.Join(dir, name), read(t, from, name))
	}
	require.NoError(t, os.CopyFS(filepath.Join(dir, "core", "v1"), os.DirFS(core.Dir)))
	require.NoError(t, os.Remove(filepath.Join(dir, "core", "v1", "zz_generated.deepcopy.go")))
	return dir
}
