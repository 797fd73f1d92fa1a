package module

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module/moduletest"
)

// same expects the answer of the go command, or none.
func same(t *testing.T, dir string, tags, patterns []string) (answered bool, why string) {
	t.Helper()
	local, err := Open(dir, tags)
	var got []Package
	if err == nil {
		got, err = local.Match(t.Context(), patterns)
	}
	if err != nil {
		return false, err.Error()
	}
	want, err := Command(t.Context(), dir, tags, nil, patterns)
	require.NoError(t, err, "only the go command refuses")
	got = slices.DeleteFunc(got, func(p Package) bool { return len(p.GoFiles) == 0 && len(p.IgnoredGoFiles) > 0 })
	byPath := func(a, b Package) int { return strings.Compare(a.ImportPath, b.ImportPath) }
	slices.SortFunc(got, byPath)
	slices.SortFunc(want, byPath)
	assert.Equal(t, want, got, "%s in %s", patterns, dir)
	return true, ""
}

const apiModule = `
-- go.mod --
module example.com/m

go 1.26.0
-- root.go --
package m
-- a/a.go --
package a
-- a/a_test.go --
package a
-- a/b/b.go --
package b
-- a/b/b_windows.go --
package b
-- a/b/b_linux.go --
package b
-- a/b/tagged.go --
//go:build special

package b
-- a/b/old.go --
//go:build !go1.18

package b
-- a/b/ignored.go --
//go:build ignore

package main
-- onlytests/x_test.go --
package onlytests
-- excluded/x.go --
//go:build never

package excluded
-- empty/README.md --
Nothing.
-- testdata/no.go --
package no
-- a/testdata/yes/yes.go --
package yes
-- _no/no.go --
package no
-- .no/no.go --
package no
-- a/vendor/v/v.go --
package v
-- nested/go.mod --
module example.com/m/nested

go 1.26.0
-- nested/n.go --
package nested
-- space dir/README.md --
No package.
-- testdata/space dir/x.go --
package x
-- command/main.go --
package main

func main() {}
`

func TestPatterns(t *testing.T) {
	dir := moduletest.LayOut(t, apiModule)
	for name, test := range map[string]struct {
		in       string
		tags     []string
		patterns []string
		// why is the reason to ask the go command, or "" if golist answers.
		why string
	}{
		"all":                     {patterns: []string{"./..."}},
		"with a tag":              {patterns: []string{"./..."}, tags: []string{"special"}},
		"below":                   {patterns: []string{"./a/..."}},
		"one":                     {patterns: []string{"./a/b"}},
		"this":                    {patterns: []string{"."}},
		"this one below":          {in: "a/b", patterns: []string{"."}},
		"above":                   {in: "a/b", patterns: []string{"..", "../..."}},
		"outside":                 {patterns: []string{"../..."}, why: "in no main module"},
		"twice":                   {patterns: []string{"./a", "./a/...", "example.com/m/a/b"}},
		"by import path":          {patterns: []string{"example.com/m/a", "example.com/m"}},
		"import paths below":      {patterns: []string{"example.com/m/a/..."}, why: "pattern"},
		"absolute":                {patterns: []string{dir + "/a/..."}},
		"absolute, one":           {patterns: []string{dir + "/a/b"}},
		"in testdata":             {patterns: []string{"./a/testdata/yes"}},
		"below testdata":          {patterns: []string{"./a/testdata/..."}, why: "pattern"},
		"hidden":                  {patterns: []string{"./.no/..."}, why: "pattern"},
		"wildcard within":         {patterns: []string{"./a/.../b"}, why: "pattern"},
		"wildcard in a name":      {patterns: []string{"./a..."}, why: "pattern"},
		"without files":           {patterns: []string{"./empty"}, why: "no buildable"},
		"without files below":     {patterns: []string{"./empty/..."}},
		"only tests":              {patterns: []string{"./onlytests"}},
		"excluded":                {patterns: []string{"./excluded"}, why: "no buildable"},
		"vendored in the module":  {patterns: []string{"./a/vendor/v"}, why: "vendor"},
		"nested module":           {patterns: []string{"./nested"}, why: "in no main module"},
		"nested module, below":    {patterns: []string{"./nested/..."}, why: "in no main module"},
		"within the nested":       {in: "nested", patterns: []string{"./..."}},
		"package of the nested":   {patterns: []string{"example.com/m/nested"}, why: "no module has"},
		"unknown":                 {patterns: []string{"example.com/other"}, why: "no module has"},
		"no such directory":       {patterns: []string{"./gone"}, why: "./gone"},
		"no such directory below": {patterns: []string{"./gone/..."}, why: "gone"},
		"standard":                {patterns: []string{"time", "net/url"}},
		"with cgo":                {patterns: []string{"os/user"}, why: "cgo"},
		"of the go command":       {patterns: []string{"cmd/go"}, why: "no module has"},
		"vendored by Go":          {patterns: []string{"vendor/golang.org/x/net/idna"}, why: "no module has"},
		"all of them":             {patterns: []string{"all"}, why: "all"},
		"malformed":               {patterns: []string{"./testdata/space dir"}, why: "malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			answered, why := same(t, filepath.Join(dir, test.in), test.tags, test.patterns)
			assert.Equal(t, test.why == "", answered, why)
			assert.Contains(t, strings.ReplaceAll(why, dir, "."), test.why)
		})
	}
}

func TestDoubts(t *testing.T) {
	const types = "\n-- a/a.go --\npackage a\n"
	for name, test := range map[string]struct {
		archive string
		env     map[string]string
		why     string
	}{
		"old module":            {archive: "-- go.mod --\nmodule m\n\ngo 1.16\n" + types, why: "does not list all modules"},
		"without a go line":     {archive: "-- go.mod --\nmodule m\n" + types, why: "does not list all modules"},
		"newer go":              {archive: "-- go.mod --\nmodule m\n\ngo 1.999\n" + types, why: "go1.999 is asked for"},
		"newer toolchain":       {archive: "-- go.mod --\nmodule m\n\ngo 1.26.0\n\ntoolchain go1.999.1\n" + types, why: "go1.999.1 is asked for"},
		"ignored directories":   {archive: "-- go.mod --\nmodule m\n\ngo 1.26.0\n\nignore ./a\n" + types, why: "ignores directories"},
		"no module":             {archive: "-- a/a.go --\npackage a\n", why: "no go.mod"},
		"two packages":          {archive: "-- go.mod --\nmodule m\n\ngo 1.26.0\n-- a/a.go --\npackage a\n-- a/b.go --\npackage b\n", why: "found packages"},
		"broken clause":         {archive: "-- go.mod --\nmodule m\n\ngo 1.26.0\n-- a/a.go --\npackages a\n", why: "expected 'package'"},
		"tags":                  {env: map[string]string{"GOFLAGS": "-tags=x"}, why: "GOFLAGS has -tags=x"},
		"modfile":               {env: map[string]string{"GOFLAGS": "-modfile=other.mod"}, why: "GOFLAGS has"},
		"quoted flags":          {env: map[string]string{"GOFLAGS": "'-ldflags=-s -w'"}, why: "GOFLAGS has"},
		"GOPATH mode":           {env: map[string]string{"GO111MODULE": "off"}, why: "GO111MODULE"},
		"another toolchain":     {env: map[string]string{"GOTOOLCHAIN": "go1.25.1"}, why: "GOTOOLCHAIN"},
		"the toolchain on PATH": {env: map[string]string{"GOTOOLCHAIN": runtime.Version() + "+auto"}},
		"another GOROOT":        {env: map[string]string{"GOROOT": "/elsewhere"}, why: "GOROOT"},
		"missing vendor":        {env: map[string]string{"GOFLAGS": "-mod=vendor"}, why: "modules.txt"},
		"missing workspace":     {env: map[string]string{"GOWORK": "/nowhere/go.work"}, why: "nowhere"},
		"platform is no doubt":  {env: map[string]string{"GOOS": "windows"}},
		"flags without effect":  {env: map[string]string{"GOFLAGS": "-race -trimpath -buildvcs=false -mod=mod"}},
		"no go command on PATH": {env: map[string]string{"PATH": ""}, why: "executable file not found"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.archive == "" {
				test.archive = "-- go.mod --\nmodule m\n\ngo 1.26.0\n-- a/a.go --\npackage a\n-- a/a_windows.go --\npackage a\n"
			}
			dir := moduletest.LayOut(t, test.archive)
			for variable, value := range test.env {
				t.Setenv(variable, value)
			}
			answered, why := same(t, dir, nil, []string{"./..."})
			assert.Equal(t, test.why == "", answered, why)
			assert.Contains(t, why, test.why)
		})
	}
}

// TestDoubtfulPackages asks the go command only for packages whose files it alone knows, and directly if a pattern names one of them.
func TestDoubtfulPackages(t *testing.T) {
	for reason, file := range map[string]string{
		"build tag race":                "//go:build race\n\npackage b\n",
		"build tag goexperiment.jsonv2": "//go:build goexperiment.jsonv2\n\npackage b\n",
		"build tag amd64.v3":            "//go:build amd64.v3\n\npackage b\n",
		"build tag cgo":                 "//go:build cgo || special\n\npackage b\n",
		"cgo":                           "package b\n\nimport \"C\"\n",
	} {
		for _, more := range []string{"", "-- b/more.go --\npackage b\n"} {
			dir := moduletest.LayOut(t, "-- go.mod --\nmodule m\n\ngo 1.26.0\n-- a/a.go --\npackage a\n-- b/b.go --\n"+file+more)
			answered, why := same(t, dir, []string{"special"}, []string{"./...", "./b/..."})
			assert.True(t, answered, why)
			answered, why = same(t, dir, nil, []string{"./b"})
			assert.False(t, answered)
			assert.Contains(t, why, reason)
		}
	}
}

// TestConfiguration checks that variables set by go env -w apply, but that the environment takes precedence.
func TestConfiguration(t *testing.T) {
	dir := moduletest.LayOut(t, apiModule+"-- env --\nGOOS=windows\n")
	t.Setenv("GOENV", filepath.Join(dir, "env"))
	t.Setenv("GOFLAGS", "")
	answered, why := same(t, dir, nil, []string{"./..."})
	assert.True(t, answered, why)
	t.Setenv("GOOS", "linux")
	answered, why = same(t, dir, nil, []string{"./..."})
	assert.True(t, answered, why)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "env"), []byte("GOFLAGS=-tags=x\n"), 0o666))
	answered, why = same(t, dir, nil, []string{"./..."})
	assert.False(t, answered)
	assert.Contains(t, why, "GOFLAGS")
	t.Setenv("GOENV", "off")
	answered, why = same(t, dir, nil, []string{"./..."})
	assert.True(t, answered, why)
}

// TestWrapper expects an error if another program is named go.
func TestWrapper(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a shell script")
	}
	bin := moduletest.LayOut(t, "-- go --\n#!/bin/sh\nexit 1\n")
	require.NoError(t, os.Chmod(filepath.Join(bin, "go"), 0o777))
	t.Setenv("PATH", bin)
	_, err := Open(moduletest.LayOut(t, apiModule), nil)
	assert.ErrorContains(t, err, "VERSION")
}

// TestThisRepository compares all modules of this repository and their imports.
func TestThisRepository(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	var modules int
	require.NoError(t, filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (Ignored(entry.Name()) || entry.Name() == "bin" || entry.Name() == "tools") {
			return filepath.SkipDir
		}
		if err == nil && entry.Name() == "go.mod" {
			modules++
			answered, why := same(t, filepath.Dir(name), nil, []string{"./..."})
			assert.True(t, answered || strings.Contains(why, "build tag"), why)
		}
		return err
	}))
	assert.Greater(t, modules, 5)

	examples := filepath.Join(root, "examples")
	local, err := Open(examples, nil)
	require.NoError(t, err)
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if .DepOnly}}{{.ImportPath}}{{end}}", "./...")
	list.Dir = examples
	out, err := list.Output()
	require.NoError(t, err)
	var found []string
	for importPath := range strings.FieldsSeq(string(out)) {
		if _, err := local.Find(importPath); err == nil {
			found = append(found, importPath)
		} else if !strings.HasPrefix(importPath, "vendor/") {
			assert.Regexp(t, "build tag|cgo", err.Error(), importPath)
		}
	}
	assert.Greater(t, len(found), 300)
	assert.Contains(t, found, "k8s.io/apimachinery/pkg/apis/meta/v1")
	answered, why := same(t, examples, nil, found)
	assert.True(t, answered, why)
}
