package conformance

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/apicompare"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/allowed"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/generate"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

const (
	ourModule = "../.."
	// clientsModule is the path of the scratch modules for generated clients.
	clientsModule = "conformance.example/clients"
)

// buildUpstream compiles upstream's generators of a release.
func (r release) buildUpstream(t *testing.T) generate.Upstream {
	t.Helper()
	defer logTime(t, "building upstream's generators", time.Now())
	upstream, err := generate.BuildUpstream(r.dir, r.name)
	require.NoError(t, err)
	return upstream
}

// buildOurs compiles informer-gen-lite once: tests of several releases run concurrently.
func buildOurs(t *testing.T) generate.Ours {
	t.Helper()
	defer logTime(t, "building informer-gen-lite", time.Now())
	ours, err := builtOurs()
	require.NoError(t, err)
	return ours
}

var builtOurs = sync.OnceValues(func() (generate.Ours, error) { return generate.BuildOurs(ourModule) })

// scratchDir returns a folder that later runs reuse.
func (r release) scratchDir(t *testing.T, elem ...string) string {
	t.Helper()
	dir, err := scratch.Dir(append([]string{r.name}, elem...)...)
	require.NoError(t, err)
	return dir
}

// moduleDir returns the source directory of a module in the release, and downloads the module if necessary.
func (r release) moduleDir(t *testing.T, module string) string {
	t.Helper()
	out, err := scratch.Run(r.dir, "go", "mod", "download", "-json", module)
	require.NoError(t, err)
	var download struct{ Dir string }
	require.NoError(t, json.Unmarshal([]byte(out), &download))
	require.True(t, filepath.IsAbs(download.Dir), "no source of %s: %s", module, out)
	return download.Dir
}

// copyModule copies a module of the release into a folder. For a release that is not final, the copy gets the replaced requirements and
// the checksums of aheadFile, no requirement of the unpublished module, and no package that wraps it.
func (r release) copyModule(t *testing.T, module, dir string) {
	t.Helper()
	require.NoError(t, scratch.CopyModule(r.moduleDir(t, module), dir))
	if !ahead() {
		return
	}
	content, err := os.ReadFile(filepath.Join(r.dir, "go.mod"))
	require.NoError(t, err)
	mod, err := modfile.Parse("go.mod", content, nil)
	require.NoError(t, err)
	for _, replaced := range mod.Replace {
		if replaced.New.Version != "" {
			run(t, dir, "go", "mod", "edit", "-replace="+replaced.Old.Path+"="+replaced.New.String())
		}
	}
	for _, required := range mod.Require {
		if required.Mod.Path == clientGo {
			run(t, dir, "go", "mod", "edit", "-droprequire="+unpublished, "-exclude="+unpublished+"@"+required.Mod.Version)
		}
	}
	require.NoError(t, os.RemoveAll(filepath.Join(dir, path.Base(unpublished))))
	pinned, err := os.ReadFile(filepath.Join(r.dir, "go.sum"))
	require.NoError(t, err)
	sums := filepath.Join(dir, "go.sum")
	own, err := os.ReadFile(sums)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(sums, append(own, pinned...), 0o644))
}

// run runs a program. If it fails, the test fails with its output.
func run(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	defer logTime(t, program+" "+args[0], time.Now())
	out, err := scratch.Run(dir, program, args...)
	require.NoError(t, err)
	return out
}

// comparison describes packages of two modules below the same import path.
type comparison struct {
	// input is the key to the allowed additions.
	input string
	// theirs and ours are the directories of the modules.
	theirs, ours string
	root         string
}

// assertSameAPI reports every difference in the exported API of the packages.
func assertSameAPI(t *testing.T, c comparison, patterns ...string) {
	t.Helper()
	defer logTime(t, "loading and comparing the API", time.Now())
	wanted, have := loadAPI(t, c.theirs, c.root, patterns...), loadAPI(t, c.ours, c.root, patterns...)
	results := apicompare.Compare(wanted, have)
	failWith(t, "differences in the exported API", allowed.Differences(results, additions[c.input]))
	t.Logf("%d packages compared", len(wanted.Packages))
}

// loadAPI reads the exported API of packages in a scratch module. Paths are trimmed so that both sides, and later runs, share
// compiled packages in Go's cache.
func loadAPI(t *testing.T, dir, root string, patterns ...string) apicompare.API {
	t.Helper()
	tree, err := apicompare.Load(t.Context(), apicompare.Config{
		Dir: dir, Env: scratch.Environment(), Flags: []string{"-trimpath"}, Root: root, Where: "in " + dir,
	}, patterns...)
	require.NoError(t, err)
	return tree
}

// failWith reports all problems at once, if there are any.
func failWith(t *testing.T, what string, problems []string) {
	t.Helper()
	if len(problems) > 0 {
		t.Errorf("%d %s:\n%s", len(problems), what, strings.Join(problems, "\n"))
	}
}

// replaceInFile replaces a text in a file that must occur exactly once.
func replaceInFile(t *testing.T, name, old, replacement string) {
	t.Helper()
	content, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(content), old), "%q in %s", old, name)
	require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(content), old, replacement, 1)), 0o644))
}

func logTime(t *testing.T, what string, start time.Time) {
	t.Helper()
	t.Logf("%s: %.1fs", what, time.Since(start).Seconds())
}
