package module

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module/moduletest"
)

// libraries are modules that have other packages in later versions.
const libraries = `-- example.com/lib@v1.0.0/go.mod --
module example.com/lib

go 1.26.0

require example.com/base v1.1.0
-- example.com/lib@v1.0.0/v1/types.go --
package v1

import _ "example.com/base"
-- example.com/base@v1.0.0/go.mod --
module example.com/base

go 1.26.0
-- example.com/base@v1.0.0/base.go --
package base
-- example.com/base@v1.1.0/go.mod --
module example.com/base

go 1.26.0
-- example.com/base@v1.1.0/base.go --
package base
-- example.com/base@v1.1.0/more/more.go --
package more
-- example.com/base@v1.2.0/go.mod --
module example.com/base

go 1.26.0
-- example.com/base@v1.2.0/base.go --
package base
-- example.com/base@v1.2.0/most/most.go --
package most
-- example.com/base/more@v1.0.0/go.mod --
module example.com/base/more

go 1.26.0
-- example.com/base/more@v1.0.0/more.go --
package more
-- example.com/old@v1.0.0/go.mod --
module example.com/old

require example.com/older v1.0.0
-- example.com/old@v1.0.0/old.go --
package old
-- example.com/older@v1.0.0/go.mod --
module example.com/older

require example.com/base v1.2.0
-- example.com/older@v1.0.0/older.go --
package older
-- example.com/Upper@v1.0.0/go.mod --
module example.com/Upper

go 1.26.0
-- example.com/Upper@v1.0.0/upper.go --
package upper
`

const importing = `-- a/a.go --
package a

import (
	_ "example.com/base"
	_ "example.com/lib/v1"
)
`

// goRun runs the go command, which must succeed.
func goRun(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "go %s: %s", strings.Join(args, " "), out)
}

func TestModules(t *testing.T) {
	const tidy = "require (\n\texample.com/base v1.1.0\n\texample.com/lib v1.0.0\n)\n"
	for name, test := range map[string]struct {
		goMod    string
		more     string // files
		packages []string
		change   func(t *testing.T, dir string)
		why      string
	}{
		"tidy":               {goMod: tidy, packages: []string{"example.com/base", "example.com/lib/v1", "example.com/base/more"}},
		"a package too many": {goMod: tidy, packages: []string{"example.com/base/most"}, why: "no module has"},
		"capitals":           {goMod: tidy + "require example.com/Upper v1.0.0\n", packages: []string{"example.com/Upper"}},
		"without a go line":  {goMod: "require example.com/old v1.0.0\nrequire example.com/older v1.0.0\nrequire example.com/base v1.2.0\n", packages: []string{"example.com/old", "example.com/base/most"}},
		"ambiguous":          {goMod: tidy + "require example.com/base/more v1.0.0\n", packages: []string{"example.com/base/more"}, why: "is in example.com/base/more and in example.com/base"},
		"too low":            {goMod: "require example.com/base v1.0.0\nrequire example.com/lib v1.0.0\n", packages: []string{"example.com/lib/v1"}, why: "needs example.com/base@v1.1.0"},
		"twice":              {goMod: tidy + "require example.com/base v1.2.0\n", packages: []string{"example.com/base"}, why: "required twice"},
		"excluded":           {goMod: tidy + "exclude example.com/base v1.1.0\n", packages: []string{"example.com/base"}, why: "is excluded"},
		"replaced by another version": {
			goMod: tidy + "replace example.com/base => example.com/base v1.2.0\n", packages: []string{"example.com/base/most"},
		},
		"replaced at one version": {
			goMod:    tidy + "replace example.com/base v1.1.0 => example.com/base v1.2.0\nreplace example.com/base => ./gone\n",
			packages: []string{"example.com/base/most"},
		},
		"replaced at no version": {goMod: tidy + "replace example.com/base v1.0.0 => example.com/base v1.2.0\n", packages: []string{"example.com/base/more"}},
		"replaced by a directory": {
			goMod: tidy + "replace example.com/base => ./base\n", packages: []string{"example.com/base/here"},
			more: "-- base/go.mod --\nmodule example.com/base\n\ngo 1.25.0\n-- base/here/x.go --\npackage here\n-- base/here/in/go.mod --\nmodule x\n-- base/here/in/x.go --\npackage in\n",
		},
		"in a module of the directory": {
			goMod: tidy + "replace example.com/base => ./base\n", packages: []string{"example.com/base/in"}, why: "no module has",
			more: "-- base/go.mod --\nmodule example.com/base\n-- base/in/go.mod --\nmodule x\n-- base/in/x.go --\npackage in\n",
		},
		"go.sum is missing": {goMod: tidy, packages: []string{"example.com/base"}, why: "go.sum does not confirm", change: func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "go.sum")))
		}},
		"wrong sum of the source": {goMod: tidy, packages: []string{"example.com/base"}, why: "go.sum does not confirm", change: func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "go.sum"), "example.com/base v1.1.0 h1:", "example.com/base v1.1.0 h1:x")
		}},
		"wrong sum of go.mod": {goMod: tidy, packages: []string{"example.com/base"}, why: "go.sum does not confirm", change: func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "go.sum"), "example.com/base v1.1.0/go.mod h1:", "example.com/base v1.1.0/go.mod h1:x")
		}},
		"not in the cache": {goMod: tidy, packages: []string{"example.com/base"}, why: "no such file", change: func(t *testing.T, _ string) {
			t.Setenv("GOMODCACHE", t.TempDir())
		}},
		"not unpacked": {goMod: tidy, packages: []string{"example.com/base"}, why: "is not unpacked", change: func(t *testing.T, _ string) {
			name := filepath.Join(os.Getenv("GOMODCACHE"), "cache/download/example.com/base/@v/v1.1.0.partial")
			require.NoError(t, os.WriteFile(name, nil, 0o666))
		}},
		"vendored": {goMod: tidy, packages: []string{"example.com/base", "example.com/lib/v1", "./a", "./..."}, change: vendor},
		"not vendored": {
			goMod: tidy, packages: []string{"example.com/base/more"}, why: "is not vendored", change: vendor,
		},
		"vendored replacement": {
			goMod: tidy + "replace example.com/base => ./base\nreplace example.com/lib v1.0.0 => example.com/lib v1.0.0\n", packages: []string{"example.com/base", "example.com/lib/v1"}, change: vendor,
			more: "-- base/go.mod --\nmodule example.com/base\n\ngo 1.25.0\n-- base/x.go --\npackage base\n",
		},
		"vendored but not chosen": {goMod: tidy, packages: []string{"example.com/base/more"}, change: func(t *testing.T, dir string) {
			vendor(t, dir)
			t.Setenv("GOFLAGS", "-modcacherw -mod=mod")
		}},
		"vendored otherwise": {goMod: tidy, packages: []string{"example.com/base"}, why: "does not fit go.mod", change: func(t *testing.T, dir string) {
			vendor(t, dir)
			edit(t, filepath.Join(dir, "go.mod"), "example.com/base v1.1.0", "example.com/base v1.2.0")
		}},
		"replaced since": {goMod: tidy, packages: []string{"example.com/base"}, why: "does not fit go.mod", change: func(t *testing.T, dir string) {
			vendor(t, dir)
			edit(t, filepath.Join(dir, "go.mod"), "module example.com/m", "module example.com/m\n\nreplace example.com/base => ./base")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			moduletest.Serve(t, libraries)
			goMod := "module example.com/m\n\ngo 1.26.0\n\n" + test.goMod
			dir := moduletest.LayOut(t, "-- go.mod --\n"+goMod+importing+test.more)
			goRun(t, dir, "mod", "download", "all")
			goRun(t, dir, "mod", "download")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(goMod), 0o666)) // the go command has repaired it
			if test.change != nil {
				test.change(t, dir)
			}
			answered, why := same(t, dir, nil, test.packages)
			assert.Equal(t, test.why == "", answered, why)
			assert.Contains(t, why, test.why)
		})
	}
}

func vendor(t *testing.T, dir string) { goRun(t, dir, "mod", "vendor") }

func edit(t *testing.T, name, old, replacement string) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Contains(t, string(text), old)
	require.NoError(t, os.WriteFile(name, []byte(strings.ReplaceAll(string(text), old, replacement)), 0o666))
}

func TestWorkspaces(t *testing.T) {
	const modules = `-- m/go.mod --
module example.com/m

go 1.26.0

require (
	example.com/base v1.1.0
	example.com/lib v1.0.0
)
-- m/a/a.go --
package a

import (
	_ "example.com/base"
	_ "example.com/lib/v1"
)
-- n/go.mod --
module example.com/n

go 1.26.0
-- n/b/b.go --
package b
-- n/c/b.go --
package c
`
	const work = "-- go.work --\ngo 1.26.0\n\nuse (\n\t./m\n\t./n\n)\n"
	for name, test := range map[string]struct {
		files, in string
		patterns  []string
		why       string
	}{
		"the one":                    {files: work, in: "m", patterns: []string{"./...", "example.com/lib/v1", "example.com/n/c"}},
		"the other":                  {files: work, in: "n", patterns: []string{"./...", "example.com/base/more"}},
		"across":                     {files: work, in: "n", patterns: []string{"../m/a", "../m/..."}},
		"from the root":              {files: work, patterns: []string{"./m/...", "./n/b"}},
		"the root itself":            {files: work, patterns: []string{"./..."}, why: "in no main module"},
		"raised by another":          {files: work + "-- n/go.mod --\nmodule example.com/n\n\ngo 1.26.0\n\nrequire example.com/base v1.2.0\n", in: "m", patterns: []string{"example.com/base/most", "example.com/lib/v1"}},
		"raised by what leads there": {files: work + "-- n/go.mod --\nmodule example.com/n\n\ngo 1.26.0\n\nrequire example.com/old v1.0.0\n", in: "m", patterns: []string{"example.com/base/most"}},
		"replaced":                   {files: "-- go.work --\ngo 1.26.0\n\nuse (\n\t./m\n\t./n\n)\n\nreplace example.com/base => example.com/base v1.2.0\n", in: "m", patterns: []string{"example.com/base/most"}},
		"two replacements":           {files: work + "-- n/go.mod --\nmodule example.com/n\n\ngo 1.26.0\n\nreplace example.com/base => ../x\n-- o/go.mod --\nmodule o\n", in: "m", patterns: []string{"example.com/base"}, why: "no such file"},
		"unused module":              {files: "-- go.work --\ngo 1.26.0\n\nuse ./m\n", in: "n", patterns: []string{"./..."}, why: "in no main module"},
		"vendored":                   {files: work + "-- vendor/modules.txt --\n## workspace\n", in: "m", patterns: []string{"./..."}, why: "vendor directory"},
		"older than its modules":     {files: strings.Replace(work, "1.26.0", "1.25.0", 1), in: "m", patterns: []string{"./..."}, why: "later Go"},
		"newer than the toolchain":   {files: strings.Replace(work, "1.26.0", "1.999.0", 1), in: "m", patterns: []string{"./..."}, why: "asked for"},
	} {
		t.Run(name, func(t *testing.T) {
			moduletest.Serve(t, libraries)
			dir := moduletest.LayOut(t, modules+test.files)
			if test.why == "" || test.why == "in no main module" { // fill the cache, and go.work.sum
				goRun(t, dir, "mod", "download")
				_, err := Command(t.Context(), filepath.Join(dir, test.in), nil, nil, test.patterns)
				require.NoError(t, err)
			}
			answered, why := same(t, filepath.Join(dir, test.in), nil, test.patterns)
			assert.Equal(t, test.why == "", answered, why)
			assert.Contains(t, why, test.why)
			t.Setenv("GOWORK", "off")
			answered, why = same(t, filepath.Join(dir, "m"), nil, []string{"./..."})
			assert.True(t, answered, why)
		})
	}
}
