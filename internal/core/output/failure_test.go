package output

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// planned returns a tree with one file, and the plan to replace, to add and to remove some.
func planned(t *testing.T, root string) *Plan {
	t.Helper()
	require.NoError(t, generate(root, Options{}, file("a/x.go", "package a\n"), file("a/stale.go", "package a\n")))
	plan, err := scan(t, root, "a").Plan([]render.File{
		file("a/x.go", "package a // new\n"), file("a/b/c/new.go", "package c\n"), file("a/d/y.go", "package d\n"),
	}, Options{Owned: []string{"a"}})
	require.NoError(t, err)
	return plan
}

func TestFailureBeforeTheFirstChange(t *testing.T) {
	root := t.TempDir()
	plan := planned(t, root)
	write(t, root, "a/d", "a file where a directory belongs")
	before := tree(t, root)
	err := plan.Apply(context.Background())
	require.EqualError(t, err, "cannot make the directory of "+filepath.Join(root, "a", "d", "y.go")+": not a directory; nothing was changed")
	assert.Equal(t, before, tree(t, root))
	assert.NoDirExists(t, filepath.Join(root, "a", "b"), "nor is an empty directory left")
}

func TestFailureBetweenTheChanges(t *testing.T) {
	root := t.TempDir()
	plan := planned(t, root)
	write(t, root, "a/d/y.go/in/the/way.txt", "")
	err := plan.Apply(context.Background())
	require.ErrorContains(t, err, "cannot replace "+filepath.Join(root, "a", "d", "y.go")+": ")
	require.ErrorContains(t, err, "run again to complete the output")
	assertNoTemporaryFiles(t, root)
	assert.FileExists(t, filepath.Join(root, "a", "stale.go"), "nothing goes before all is there")

	require.NoError(t, os.RemoveAll(filepath.Join(root, "a", "d")))
	require.NoError(t, generate(root, Options{}, file("a/x.go", "package a // newer\n"), file("a/b/c/new.go", "package c // newer\n")),
		"what the failed run has written does not look edited")
	assert.ElementsMatch(t, []string{"a/x.go", "a/b/c/new.go", ManifestName}, slices.Collect(maps.Keys(tree(t, root))))
}

func TestOutputBelowAFile(t *testing.T) {
	root := t.TempDir()
	write(t, root, "pkg", "a file where a directory belongs")
	err := generate(filepath.Join(root, "pkg", "generated"), Options{}, file("a/x.go", "package a\n"))
	assert.ErrorContains(t, err, filepath.Join(root, "pkg"))
	assert.ErrorContains(t, err, "not a directory")
	assert.Equal(t, map[string]string{"pkg": "a file where a directory belongs"}, tree(t, root))
}

func TestLeftoverFilesAreRemoved(t *testing.T) {
	root := t.TempDir()
	dead := []string{".informer-gen-0123456789abcdef-0.tmp", "a/.informer-gen-0123456789abcdef-1.tmp", "a/gone/.informer-gen-0123456789abcdef-22.tmp"}
	others := []string{"a/.informer-gen-mine.tmp", "a/x.tmp", ".informer-gen-0123456789abcdef-0.tmp.go", "b/.informer-gen-0123456789abcdef-1.tmp"}
	for _, name := range slices.Concat(dead, others) {
		write(t, root, name, "half a file")
	}
	plan, err := scan(t, root, "a").Plan([]render.File{file("a/x.go", "package a\n")}, Options{Owned: []string{"a"}})
	require.NoError(t, err)
	assert.Len(t, tree(t, root), 7, "a plan removes nothing")
	require.NoError(t, plan.Apply(context.Background()))
	assert.ElementsMatch(t, append(others, "a/x.go", ManifestName), slices.Collect(maps.Keys(tree(t, root))))
	assert.NoDirExists(t, filepath.Join(root, "a", "gone"))
}

func TestLeftoverTreesAreRemoved(t *testing.T) {
	root := t.TempDir()
	const half = "package c // half a f"
	for _, dir := range []string{"", "a/", "a/b/", "a/b/c/d/"} { // some are above the directory of the generator
		write(t, root, dir+".informer-gen-0123456789abcdef-3.tmp/e/x.go", half)
	}
	write(t, root, "a/b/c/d/y.go", "package d\n")
	files := []render.File{file("a/b/c/x.go", "package c\n")}
	plan, err := scan(t, root, "a/b/c").Plan(files, Options{Owned: []string{"a/b/c"}})
	require.NoError(t, err)
	require.NoError(t, plan.Apply(t.Context()))
	assert.ElementsMatch(t, []string{"a/b/c/x.go", "a/b/c/d/y.go", ManifestName}, slices.Collect(maps.Keys(tree(t, root))))
	assert.NoDirExists(t, filepath.Join(root, ".informer-gen-0123456789abcdef-3.tmp"))
	plan, err = scan(t, root, "a/b/c").Plan(files, Options{Owned: []string{"a/b/c"}})
	require.NoError(t, err)
	assert.True(t, plan.Idle())
}

// TestTreesInPlace is about systems that do not rename directories with files reliably.
func TestTreesInPlace(t *testing.T) {
	canMoveDirs = false
	defer func() { canMoveDirs = true }()
	root := t.TempDir()
	plan := planned(t, root)
	write(t, root, "a/d", "a file where a directory belongs")
	require.ErrorContains(t, plan.Apply(t.Context()), "nothing was changed")
	assert.NoDirExists(t, filepath.Join(root, "a", "b"))

	require.NoError(t, os.Remove(filepath.Join(root, "a", "d")))
	require.NoError(t, plan.Apply(t.Context()))
	assert.ElementsMatch(t, []string{"a/x.go", "a/b/c/new.go", "a/d/y.go", ManifestName}, slices.Collect(maps.Keys(tree(t, root))))
}
