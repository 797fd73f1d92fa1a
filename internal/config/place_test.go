package config

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
)

func TestPlace(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "m", "go.mod"), "module example.com/m\n")
	writeFile(t, filepath.Join(root, "other", "go.mod"), "module example.com/other\n")
	dir := func(elements ...string) string { return filepath.Join(append([]string{root}, elements...)...) }
	main := func(name string) *load.Package {
		return &load.Package{Module: &load.Module{Dir: dir(name), Main: true}}
	}
	for name, test := range map[string]struct {
		outputDir, outputPkg string
		packages             []*load.Package
		want                 Place
		problem              string
	}{
		"by default in the module of the packages": {packages: []*load.Package{main("other")}, want: Place{dir("other/pkg/generated"), "example.com/other/pkg/generated"}},
		"for dependencies in that of the directory": {
			packages: []*load.Package{{Module: &load.Module{Dir: "/cache"}}, {}}, want: Place{dir("m/pkg/generated"), "example.com/m/pkg/generated"},
		},
		"relative":            {outputDir: "gen", want: Place{dir("m/gen"), "example.com/m/gen"}},
		"in another module":   {outputDir: "../other/gen", want: Place{dir("other/gen"), "example.com/other/gen"}},
		"with an import path": {outputDir: "/x", outputPkg: "example.org/x", want: Place{"/x", "example.org/x"}},
		"of several modules":  {packages: []*load.Package{main("m"), main("other")}, problem: "the packages are in several modules: set --output-dir"},
		"outside of modules":  {outputDir: "..", problem: "no go.mod in " + root + " or its parents: set --output-pkg"},
		"not an import path":  {outputDir: "my clients", problem: dir("m/my clients") + ` cannot be a Go package: malformed import path "example.com/m/my clients": invalid char ' '`},
	} {
		t.Run(name, func(t *testing.T) {
			opts := Options{Load: load.Config{Dir: dir("m")}, OutputDir: test.outputDir, OutputPkg: test.outputPkg}
			place, err := opts.Place(&load.Result{Packages: test.packages})
			if test.problem != "" {
				require.EqualError(t, err, test.problem)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, place)
		})
	}
	assert.Equal(t, dir("m"), Place{Dir: dir("m", "a", "b")}.Module())
	assert.Equal(t, dir("x"), Place{Dir: dir("x")}.Module(), "without a module")
}

func TestOwningModuleWithoutAPath(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), "go 1.26\n")
	_, err := OwningModule(filepath.Join(dir, "sub"))
	assert.EqualError(t, err, filepath.Join(dir, "go.mod")+": no module path")
}

func TestWithin(t *testing.T) {
	for name, want := range map[string]bool{"/a": true, "/a/b": true, "/a/../a/b": true, "/ab": false, "/": false, "/b": false} {
		assert.Equal(t, want, Within("/a", name), name)
	}
	assert.True(t, AnyWithin([]string{"/x", "/b/c"}, []string{"/a", "/b"}))
	assert.False(t, AnyWithin([]string{"/x"}, []string{"/a", "/b"}))
}
