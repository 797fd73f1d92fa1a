package load

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module/moduletest"
)

func paths(r *Result) []string {
	var out []string
	for _, p := range r.Packages {
		out = append(out, p.Path)
	}
	return out
}

func loadPackages(t *testing.T, dir string, patterns ...string) *Result {
	t.Helper()
	result, diags, err := Packages(context.Background(), Config{Dir: dir, Patterns: patterns})
	require.NoError(t, err)
	require.Empty(t, diags)
	return result
}

func TestPatterns(t *testing.T) {
	dir := moduletest.LayOut(t, `
-- go.mod --
module example.com/m
-- a/a.go --
package a
-- a/b/b.go --
package b
-- testdata/no.go --
package no
-- _no/no.go --
package no
`)
	assert.Equal(t, []string{"example.com/m/a", "example.com/m/a/b"}, paths(loadPackages(t, dir, "./...")))
	assert.Equal(t, []string{"example.com/m/a/b"}, paths(loadPackages(t, dir, "example.com/m/a/b")))
	assert.Equal(t, []string{"example.com/m/a"}, paths(loadPackages(t, filepath.Join(dir, "a"), ".")))
}

// TestOverlay reads contents that are not on disk yet, of packages that are named and of those found later.
func TestOverlay(t *testing.T) {
	dir := moduletest.LayOut(t, `
-- go.mod --
module example.com/m
-- a/a.go --
package a
-- b/b.go --
package b
`)
	cfg := Config{Dir: dir, Patterns: []string{"./a"}, Overlay: map[string][]byte{
		filepath.Join(dir, "a", "a.go"): []byte("package a\n\nvar A int\n"), filepath.Join(dir, "b", "b.go"): []byte("package b\n\nvar B int\n"),
	}}
	result, diags, err := Packages(t.Context(), cfg)
	require.NoError(t, err)
	require.Empty(t, diags)
	b, err := result.Find(t.Context(), "example.com/m/b")
	require.NoError(t, err)
	for _, pkg := range []*Package{result.Packages[0], b} {
		require.Len(t, pkg.Files, 1)
		assert.Len(t, pkg.Files[0].Decls, 1)
	}
}

// TestWatch expects that files are seen which appear between the search for packages and the moment when Watch is called.
func TestWatch(t *testing.T) {
	dir := moduletest.LayOut(t, `
-- go.mod --
module example.com/m
-- a/a.go --
package a
-- b/b.go --
package b
`)
	var watched []string
	result, diags, err := Packages(t.Context(), Config{Dir: dir, Patterns: []string{"./a"}, Watch: func(pkgDir, module string) bool {
		assert.Equal(t, dir, module)
		late := filepath.Join(pkgDir, "late.go")
		_, err := os.Stat(late)
		if err == nil {
			return false
		}
		watched = append(watched, filepath.Base(pkgDir))
		require.NoError(t, os.WriteFile(late, []byte("package "+filepath.Base(pkgDir)+"\n"), 0o666))
		return true
	}})
	require.NoError(t, err)
	require.Empty(t, diags)
	require.Len(t, result.Packages, 1)
	assert.Len(t, result.Packages[0].Files, 2)
	found, err := result.Find(t.Context(), "example.com/m/b")
	require.NoError(t, err)
	require.NotNil(t, found)
	assert.Len(t, found.Files, 2)
	assert.Equal(t, []string{"a", "b"}, watched)
}

func TestDependencies(t *testing.T) {
	library := `
-- lib/go.mod --
module example.com/lib
-- lib/v1/types.go --
package v1
`
	t.Run("replace", func(t *testing.T) {
		dir := moduletest.LayOut(t, library+`
-- m/go.mod --
module example.com/m
require example.com/lib v0.0.0
replace example.com/lib => ../lib
-- m/m.go --
package m
`)
		result := loadPackages(t, filepath.Join(dir, "m"), "example.com/lib/...")
		require.Equal(t, []string{"example.com/lib/v1"}, paths(result))
		assert.False(t, result.Packages[0].Module.Main)
	})
	t.Run("workspace", func(t *testing.T) {
		dir := moduletest.LayOut(t, library+`
-- go.work --
go 1.26.0
use ./lib
use ./m
-- m/go.mod --
module example.com/m
-- m/m.go --
package m
`)
		result := loadPackages(t, filepath.Join(dir, "m"), "example.com/lib/...")
		require.Equal(t, []string{"example.com/lib/v1"}, paths(result))
		assert.True(t, result.Packages[0].Module.Main)
		assert.Equal(t, filepath.Join(dir, "lib"), result.Packages[0].Module.Dir)
	})
	t.Run("vendor", func(t *testing.T) {
		dir := moduletest.LayOut(t, library+`
-- m/go.mod --
module example.com/m
go 1.26.0
require example.com/lib v0.0.0
replace example.com/lib => ../lib
-- m/m.go --
package m
import _ "example.com/lib/v1"
`)
		cmd := exec.Command("go", "mod", "vendor")
		cmd.Dir = filepath.Join(dir, "m")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		result := loadPackages(t, filepath.Join(dir, "m"), "example.com/lib/v1")
		require.Equal(t, []string{"example.com/lib/v1"}, paths(result))
		assert.Equal(t, filepath.Join(dir, "m", "vendor", "example.com", "lib", "v1"), result.Packages[0].Dir)
	})
}

func TestPackagesThatDoNotCompile(t *testing.T) {
	dir := moduletest.LayOut(t, `
-- go.mod --
module example.com/m
-- a/a.go --
package a

import "example.com/not/there"

var x there.Thing = undefined
`)
	result := loadPackages(t, dir, "./...")
	require.Len(t, result.Packages, 1)
	assert.Len(t, result.Packages[0].Files, 1)
}

func TestBuildTags(t *testing.T) {
	dir := moduletest.LayOut(t, `
-- go.mod --
module example.com/m
-- a/a.go --
package a
-- a/more.go --
//go:build more

package a
-- a/a_test.go --
package a
`)
	assert.Len(t, loadPackages(t, dir, "./...").Packages[0].Files, 1)
	result, diags, err := Packages(context.Background(), Config{Dir: dir, Patterns: []string{"./..."}, BuildTags: []string{"more"}})
	require.NoError(t, err)
	assert.Empty(t, diags)
	assert.Len(t, result.Packages[0].Files, 2)
}

func TestIrrelevantGeneratedFilesAreNotParsed(t *testing.T) {
	dir := moduletest.LayOut(t, `
-- go.mod --
module example.com/m
-- a/methods.go --
// Code generated by something. DO NOT EDIT.

package a

func (t *T) M() {}
-- a/types.go --
// Code generated by something. DO NOT EDIT.

package a

type T struct{}
-- a/register.go --
// Code generated by something. DO NOT EDIT.

package a

var AddToScheme = 1
-- a/swagger.go --
package a

// Those methods can be generated.

// AUTO-GENERATED FUNCTIONS START HERE. DO NOT EDIT.
var map_T = map[string]string{}

func (T) SwaggerDoc() map[string]string {
	return map_T
}
-- a/written.go --
/*
// Code generated by informer-gen-lite. DO NOT EDIT.
*/

package a

type U struct{}
`)
	result := loadPackages(t, dir, "./...")
	var names []string
	for _, f := range result.Packages[0].Files {
		names = append(names, filepath.Base(f.Name))
	}
	assert.Equal(t, []string{"register.go", "types.go", "written.go"}, names)
	assert.Equal(t, 5, result.FilesParsed)
	var methods []string
	for _, f := range result.Packages[0].Unparsed {
		methods = append(methods, f.Methods...)
	}
	assert.Equal(t, []string{"func (t *T) M() {}", "func (T) SwaggerDoc() map[string]string {"}, methods)
}

func TestProblems(t *testing.T) {
	dir := moduletest.LayOut(t, `
-- go.mod --
module example.com/m
-- broken/a.go --
package broken

func (
-- broken/b.go --
package broken

type T struct {
-- two/a.go --
package a
-- two/b.go --
package b
`)
	result, diags, err := Packages(context.Background(), Config{Dir: dir, Patterns: []string{"./..."}})
	require.NoError(t, err)
	assert.NotNil(t, result)
	var lines []string
	for _, d := range diags.Sorted(dir) {
		lines = append(lines, d.String())
	}
	assert.Equal(t, []string{
		"broken/a.go:3:8: expected ')', found 'EOF'",
		"broken/b.go:3:17: expected '}', found 'EOF'",
		"two/b.go:1:9: found packages a (a.go) and b (b.go) in two\n\tmove the file to a directory of its own, or rename its package",
	}, lines)

	_, diags, err = Packages(context.Background(), Config{Dir: dir, Patterns: []string{"example.org/nothing"}})
	require.NoError(t, err)
	require.Len(t, diags, 1)
	assert.Contains(t, diags[0].Message, "example.org/nothing")
}

// TestPatternsWithoutPackages covers the go command's answers for patterns that match no package, or a directory without Go files
// for this platform.
func TestPatternsWithoutPackages(t *testing.T) {
	dir := moduletest.LayOut(t, `
-- m/go.mod --
module example.com/m

go 1.26.0
-- m/ignored/a.go --
//go:build never

package ignored
-- m/tests/a_test.go --
package tests
-- m/empty/README --
no Go files
-- m/two/a.go --
package a
-- m/two/b.go --
package b
-- m/clause/a.go --
pakage clause
-- m/nested/go.mod --
module example.com/m/nested
-- m/nested/a.go --
package nested
-- outside/a.go --
package outside
`)
	for name, test := range map[string]struct {
		pattern, unmatched, want string
	}{
		"no Go files":               {pattern: "./empty"},
		"only excluded files":       {pattern: "./ignored"},
		"only tests":                {pattern: "./tests"},
		"no match":                  {pattern: "example.org/..."},
		"two packages":              {pattern: "./two", want: "two/b.go:1:9: found packages a (a.go) and b (b.go) in two"},
		"two packages, by its path": {pattern: "example.com/m/two", want: "two/b.go:1:9: found packages a (a.go) and b (b.go) in two"},
		"broken package clause":     {pattern: "./clause", want: "clause/a.go:1:1: expected 'package', found pakage"},
		"like the standard library": {pattern: "verfy", unmatched: "verfy", want: "package verfy is not in std"},
		"unknown module": {
			pattern: "example.org/x", unmatched: "example.org/x",
			want: "no required module provides package example.org/x",
		},
		"missing package":           {pattern: "example.com/m/x", unmatched: "example.com/m/x", want: "example.com/m/x"},
		"missing directory":         {pattern: "./missing", unmatched: "./missing", want: "stat missing: directory not found"},
		"missing directory and all": {pattern: "./missing/...", unmatched: "./missing/...", want: "./missing/"},
		"nested module": {
			pattern: "./nested", unmatched: "./nested",
			want: "./nested belongs to module example.com/m/nested in nested",
		},
		"outside of the main module": {pattern: "../outside", unmatched: "../outside", want: "directory ../outside outside main module"},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(dir, "m")
			_, diags, err := Packages(t.Context(), Config{Dir: root, Patterns: []string{test.pattern}})
			require.NoError(t, err)
			diags = diags.Sorted(root)
			if test.want == "" {
				require.Empty(t, diags)
				return
			}
			require.Len(t, diags, 1)
			assert.Contains(t, diags[0].String(), test.want)
			var unmatched *Unmatched
			assert.Equal(t, test.unmatched != "", errors.As(diags[0].Cause, &unmatched))
			if unmatched != nil {
				assert.Equal(t, test.unmatched, unmatched.Pattern)
			}
		})
	}
}

func TestInMainModule(t *testing.T) {
	assert.True(t, (&Package{Module: &Module{Main: true}}).InMainModule())
	assert.False(t, (&Package{Module: &Module{}}).InMainModule(), "a dependency")
	assert.False(t, (&Package{}).InMainModule(), "the standard library")
}
