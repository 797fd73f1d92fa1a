package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module/moduletest"
)

const libraries = `
-- example.com/lib@v1.0.0/go.mod --
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
`

const indirect = `
-- example.com/top@v1.0.0/go.mod --
module example.com/top

go 1.26.0

require example.com/lib v1.0.0
-- example.com/top@v1.0.0/top.go --
package top

import _ "example.com/lib/v1"
`

const user = `-- a/a.go --
package a

import (
	_ "time"

	_ "example.com/lib/v1"
	_ "example.com/m/b"
	_ "example.com/m/not/generated/yet"
	_ "example.org/not/there"
)
-- b/b.go --
package b
`

func TestUntidyGoMod(t *testing.T) {
	for name, test := range map[string]struct {
		goMod    string
		flags    string
		complete func(*modfile.File) error
		patterns []string
	}{
		"without go.sum":          {goMod: "require example.com/lib v1.0.0"},
		"updates needed":          {goMod: "require example.com/lib v1.0.0\nrequire example.com/base v1.0.0"},
		"readonly":                {goMod: "require example.com/lib v1.0.0\nrequire example.com/base v1.0.0", flags: "-mod=readonly"},
		"inconsistent vendoring":  {goMod: "require example.com/lib v1.0.0", flags: "-mod=vendor"},
		"unavailable requirement": {goMod: "require example.com/lib v1.0.0\nrequire example.com/gone v1.0.0", complete: dropGone},
		"assumed requirement":     {complete: func(f *modfile.File) error { return f.AddRequire("example.com/lib", "v1.0.0") }},
		"only indirectly required": {
			goMod: "require example.com/top v1.0.0",
		},
		"packages of the module": {
			goMod:    "require example.com/lib v1.0.0\nrequire example.com/base v1.0.0",
			patterns: []string{"./a", "example.com/lib/v1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			moduletest.Serve(t, libraries+indirect[1:])
			t.Setenv("GOFLAGS", "-modcacherw "+test.flags)
			goMod := "module example.com/m\n\ngo 1.26.0\n\n" + test.goMod + "\n"
			dir := moduletest.LayOut(t, "-- go.mod --\n"+goMod+user)
			if test.patterns == nil {
				test.patterns = []string{"./..."}
			}
			result, diags, err := Packages(t.Context(), Config{Dir: dir, Patterns: test.patterns, Complete: test.complete})
			require.NoError(t, err)
			assert.Empty(t, diags)
			a := slices.IndexFunc(result.Packages, func(p *Package) bool { return p.Path == "example.com/m/a" })
			require.GreaterOrEqual(t, a, 0)
			assert.True(t, result.Packages[a].InMainModule())
			assert.Equal(t, filepath.Join(dir, "a"), result.Packages[a].Dir)

			for _, importPath := range []string{"time", "example.com/lib/v1", "example.com/m/b"} {
				found, err := result.Find(t.Context(), importPath)
				require.NoError(t, err)
				require.NotNil(t, found, importPath)
			}
			for _, importPath := range []string{"example.com/m/not/generated/yet", "example.org/not/there"} {
				found, err := result.Find(t.Context(), importPath)
				require.NoError(t, err)
				assert.Nil(t, found, importPath)
			}
			_, failed := result.Unavailable("example.com/lib/v1")
			assert.False(t, failed)
			_, failed = result.Unavailable("example.org/not/there")
			assert.True(t, failed)

			after, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			require.NoError(t, err)
			assert.Equal(t, goMod, string(after))
			assert.NoFileExists(t, filepath.Join(dir, "go.sum"))
		})
	}
}

func dropGone(f *modfile.File) error {
	err := f.DropRequire("example.com/gone")
	f.Cleanup()
	return err
}

// TestUnavailable expects the go command's reason, and the module if go.mod names it.
func TestUnavailable(t *testing.T) {
	_, onlyBase, _ := strings.Cut(libraries, "-- example.com/base@v1.0.0")
	moduletest.Serve(t, "-- example.com/base@v1.0.0"+onlyBase)
	dir := moduletest.LayOut(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.26.0\n\nrequire example.com/lib v1.0.0\n"+user)
	result := loadPackages(t, dir, "./...")
	found, err := result.Find(t.Context(), "example.com/lib/v1")
	require.NoError(t, err)
	assert.Nil(t, found)
	lib, failed := result.Unavailable("example.com/lib/v1")
	require.True(t, failed)
	assert.Equal(t, "example.com/lib@v1.0.0", lib.Module)
	assert.Contains(t, lib.Reason, "example.com/lib@v1.0.0: reading file://")
	assert.NotContains(t, lib.Reason, "\n")
	other, failed := result.Unavailable("example.org/not/there")
	require.True(t, failed)
	assert.Empty(t, other.Module)
	assert.Contains(t, other.Reason, "no required module provides")
}

// TestRefusals expects the go command's own words if a copy of go.mod cannot help.
func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct{ archive, want string }{
		"no module path":    {"-- go.mod --\nmodul example.com/m\n-- a/a.go --\npackage a\n", "go.mod"},
		"newer go":          {"-- go.mod --\nmodule example.com/m\n\ngo 1.999.0\n-- a/a.go --\npackage a\n", "1.999.0"},
		"broken workspace":  {"-- go.work --\ngo 1.26.0\n\nuse ./gone\n-- go.mod --\nmodule example.com/m\n-- a/a.go --\npackage a\n", "go.work"},
		"outside of module": {"-- a/a.go --\npackage a\n", "does not contain main module"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOTOOLCHAIN", "local")
			dir := moduletest.LayOut(t, test.archive)
			_, diags, err := Packages(t.Context(), Config{Dir: dir, Patterns: []string{"./..."}})
			if err == nil {
				err = diags
			}
			assert.ErrorContains(t, err, test.want)
		})
	}
}

func TestOtherModules(t *testing.T) {
	dir := moduletest.LayOut(t, `
-- m/go.mod --
module example.com/m

go 1.26.0
-- m/main.go --
package main
-- m/api/go.mod --
module example.com/m/api

go 1.26.0
-- m/api/v1/types.go --
package v1
-- sibling/go.mod --
module example.com/sibling

go 1.26.0
-- sibling/v1/types.go --
package v1
`)
	for pattern, want := range map[string]string{
		"./api":            "cd api && informer-gen-lite ., or",
		"./api/...":        "cd api && informer-gen-lite ./..., or",
		"./api/v1":         "cd api && informer-gen-lite ./v1, or",
		"./api/v1/...":     "cd api && informer-gen-lite ./v1/..., or",
		"../sibling/v1":    "cd ../sibling && informer-gen-lite ./v1, or",
		"../sibling/...":   "cd ../sibling && informer-gen-lite ./..., or",
		dir + "/m/api/...": "cd api && informer-gen-lite ./..., or",
	} {
		t.Run(pattern, func(t *testing.T) {
			root := filepath.Join(dir, "m")
			result, diags, err := Packages(t.Context(), Config{Dir: root, Patterns: []string{".", pattern}})
			require.NoError(t, err)
			require.Len(t, diags, 1)
			var unmatched *Unmatched
			require.ErrorAs(t, diags[0].Cause, &unmatched)
			assert.Equal(t, pattern, unmatched.Pattern)
			assert.Contains(t, diags[0].Message, pattern+" belongs to module example.com/")
			assert.Contains(t, diags[0].Hint, want)
			assert.Equal(t, []string{"example.com/m"}, paths(result))
		})
	}
}
