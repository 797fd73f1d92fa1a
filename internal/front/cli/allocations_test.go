package cli

import (
	"go/build"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAllocations limits the allocations of a run, which are nearly the same on every machine. The time of a run is not: machines with
// the same cores differ by a factor of two in the start of a process and the first use of memory. The limits are at most 5 % above
// what was measured. Lower a limit when a run needs less. A second run writes nothing, but reads what the first one wrote.
func TestAllocations(t *testing.T) {
	for name, test := range map[string]struct {
		dir   string
		args  []string
		limit uint64 // in KiB
		again uint64
	}{
		"one kind":   {fleetModule(t, "Robot"), nil, 2_825, 2_800},
		"core group": {coreModule(t), []string{"./core/v1"}, 71_500, 74_000},
		"k8s.io/api": {".", []string{"k8s.io/api/...", "--only", "applyconfiguration,clientset,listers,informers"}, 322_000, 334_000},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"generate", "--output-pkg", "example.com/out"}, test.args...)
			first, again := allocations(t, test.dir, args)
			// What the process does once, and pools that the garbage collector has emptied, only add.
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
