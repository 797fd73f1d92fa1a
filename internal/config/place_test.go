package config

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
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
		want                 module.Place
		problem              string
	}{
		"by default in the module of the packages": {packages: []*load.Package{main("other")}, want: module.Place{Dir: dir("other/pkg/generated"), ImportPath: "example.com/other/pkg/generated"}},
		"for dependencies in that of the directory": {
			packages: []*load.Package{{Module: &load.Module{Dir: "/cache"}}, {}}, want: module.Place{Dir: dir("m/pkg/generated"), ImportPath: "example.com/m/pkg/generated"},
		},
		"relative":            {outputDir: "gen", want: module.Place{Dir: dir("m/gen"), ImportPath: "example.com/m/gen"}},
		"in another module":   {outputDir: "../other/gen", want: module.Place{Dir: dir("other/gen"), ImportPath: "example.com/other/gen"}},
		"with an import path": {outputDir: "/x", outputPkg: "example.org/x", want: module.Place{Dir: "/x", ImportPath: "example.org/x"}},
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
}
