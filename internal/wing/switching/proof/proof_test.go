package proof

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/apicompare"
)

// onDisk has two modules with packages that a run changes, removes and keeps.
const onDisk = `
-- go.mod --
module example.com/fleet

go 1.26
-- changed/doc.go --
package changed

func Kept() {}
-- changed/generated.go --
package changed

func Client() string { return "" }
-- changed/deleted.go --
package changed

type Deleted struct{}

func (Deleted) Method() {}

var Variable int
-- changed/deleted_test.go --
package changed_test

func Deleted() {}
-- gone/gone.go --
package gone

func Gone() {}
-- tagged/tagged.go --
//go:build special

package tagged

func Tagged() {}
-- nested/go.mod --
module example.com/fleet/nested

go 1.26
-- nested/b/b.go --
package b

func B() {}
`

// runIn returns a run that writes and removes files in a directory. Files that are written are all that it generates.
func runIn(dir string, write map[string]string, remove ...string) run.Run {
	r := run.Run{API: &run.API{Options: run.Options{Products: generators.All}, Place: module.Place{Dir: dir}}, Plan: &output.Plan{Remove: remove}}
	for name, text := range write {
		r.Files = append(r.Files, render.File{Path: name, Content: []byte(text)})
	}
	r.Plan.Write = r.Files
	return r
}

// TestCompare compares packages on disk with those of two runs, one of which writes to a nested module.
func TestCompare(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, file := range txtar.Parse([]byte(onDisk)).Files {
		name := filepath.Join(dir, filepath.FromSlash(file.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, file.Data, 0o666))
	}
	first := runIn(dir, map[string]string{
		"changed/generated.go": "package changed\n\nfunc Client(name string) string { return name }\n",
		"new/new.go":           "package new\n\nfunc New() {}\n",
		"broken/broken.go":     "package broken\n\nfunc Broken() Undefined { panic(0) }\n",
		"tagged/tagged.go":     "//go:build special\n\npackage tagged\n\nfunc Tagged() {}\n",
		"README.md":            "no source",
	}, "changed/deleted.go", "changed/deleted_test.go", "gone/gone.go")
	first.API.Options.Load.BuildTags = []string{"special"}
	second := runIn(filepath.Join(dir, "nested"), map[string]string{"b/b.go": "package b\n\nfunc B() {}\n\nfunc More() {}\n"})
	runs := []run.Run{first, second}

	before := snapshot(t, dir)
	results, err := Dependencies{}.Compare(t.Context(), runs, nil)
	require.NoError(t, err)
	assert.Equal(t, before, snapshot(t, dir), "nothing is written")

	found := map[string][]string{}
	status := map[string]apicompare.Status{}
	for _, result := range results {
		status[result.Package] = result.Status()
		for _, finding := range result.Findings {
			found[result.Package] = append(found[result.Package], finding.Symbol+": "+finding.Message)
		}
	}
	assert.Equal(t, map[string]apicompare.Status{
		"example.com/fleet/changed":  apicompare.Incompatible,
		"example.com/fleet/gone":     apicompare.Incompatible,
		"example.com/fleet/new":      apicompare.Additions,
		"example.com/fleet/broken":   apicompare.Incompatible,
		"example.com/fleet/tagged":   apicompare.Equal,
		"example.com/fleet/nested/b": apicompare.Additions,
	}, status)
	assert.ElementsMatch(t, []string{
		"Client: changed from func() string to func(string) string", "Deleted: removed", "Variable: removed",
	}, found["example.com/fleet/changed"])
	assert.Contains(t, found["example.com/fleet/broken"][0], "undefined: Undefined")

	// deleted_test.go is no source, and gone.go was the last file of its package.
	assert.Equal(t, []string{filepath.Join(dir, "changed", "deleted.go"), filepath.Join(dir, "gone", "gone.go")}, Lost(runs, results))
}

// snapshot returns the content of all files below a directory.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		files[name] = string(text)
		return err
	}))
	return files
}
