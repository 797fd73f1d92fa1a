package output

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// link makes the path below root a symbolic link.
func link(t *testing.T, target, root, name string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o777))
	require.NoError(t, os.Symlink(target, full))
}

func TestLinksOutOfTheModule(t *testing.T) {
	for name, at := range map[string]string{
		"the output directory":     "gen",
		"one above it":             "",
		"a generator's directory":  "gen/a",
		"a directory further down": "gen/a/v1",
	} {
		t.Run(name, func(t *testing.T) {
			module, outside := t.TempDir(), t.TempDir()
			root := filepath.Join(module, "gen")
			if at == "" {
				root, at = filepath.Join(module, "pkg", "gen"), "pkg"
			}
			link(t, outside, module, at)
			write(t, outside, "stale.go", header+"package stale\n")
			before := tree(t, outside)

			scanned, err := Scan(root, module, []string{"a"})
			if err == nil {
				_, err = scanned.Plan([]render.File{file("a/v1/x.go", "package v1\n"), file("a/v1/y.go", "package v1\n")}, Options{Owned: []string{"a"}})
			}
			require.ErrorContains(t, err, "a symbolic link redirects the output outside of "+module)
			assert.Equal(t, before, tree(t, outside))
		})
	}
}

func TestLinksWithinTheModule(t *testing.T) {
	resolved, elsewhere := t.TempDir(), t.TempDir()
	link(t, resolved, elsewhere, "module") // the module itself may well be reached by a link
	module := filepath.Join(elsewhere, "module")
	write(t, module, "code/listers/stale.go", header+"package listers\n")
	link(t, "code", module, "gen")
	link(t, "listers", module, "code/a")

	scanned, err := Scan(filepath.Join(module, "gen"), module, []string{"a"})
	require.NoError(t, err)
	plan, err := scanned.Plan([]render.File{file("a/v1/x.go", "package v1\n")}, Options{Owned: []string{"a"}})
	require.NoError(t, err)
	require.NoError(t, plan.Apply(context.Background()))
	assert.Equal(t, header+"package v1\n", read(t, resolved, "code/listers/v1/x.go"))
	assert.NoFileExists(t, filepath.Join(resolved, "code", "listers", "stale.go"))
	info, err := os.Lstat(filepath.Join(resolved, "code", "a"))
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink, "the link stays")
}

func TestRemovingTheLastFileBehindALinkKeepsTheLink(t *testing.T) {
	root := t.TempDir()
	write(t, root, "listers/stale.go", header+"package listers\n")
	link(t, "listers", root, "a")
	require.NoError(t, generate(root, Options{}, file("b/x.go", "package b\n")))
	assert.NoFileExists(t, filepath.Join(root, "listers", "stale.go"))
	info, err := os.Lstat(filepath.Join(root, "a"))
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
}

func TestLinkToNowhere(t *testing.T) {
	root := t.TempDir()
	link(t, filepath.Join(root, "nowhere"), root, "a")
	err := generate(root, Options{}, file("a/x.go", "package a\n"))
	assert.ErrorContains(t, err, filepath.Join(root, "a")+": cannot resolve the output directory")
	assert.NoDirExists(t, filepath.Join(root, "nowhere"))
}

func TestPathsThatLeaveTheOutput(t *testing.T) {
	for _, name := range []string{"../x.go", "a/../../x.go", "/x.go", "a//x.go", "a/../b/x.go", "", "."} {
		root := filepath.Join(t.TempDir(), "out")
		err := generate(root, Options{}, file("a/y.go", "package a\n"), file(name, "package a\n"))
		assert.ErrorContains(t, err, "internal error: ", name)
		assert.NoDirExists(t, root)
	}
}
