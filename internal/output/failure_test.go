package output

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
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
	err := plan.Apply()
	require.EqualError(t, err, "cannot write "+filepath.Join(root, "a", "d", "y.go")+": not a directory; nothing was changed")
	assert.Equal(t, before, tree(t, root))
	assert.NoDirExists(t, filepath.Join(root, "a", "b"), "nor is an empty directory left")
}

func TestFailureBetweenTheChanges(t *testing.T) {
	root := t.TempDir()
	plan := planned(t, root)
	write(t, root, "a/d/y.go/in/the/way.txt", "")
	err := plan.Apply()
	require.ErrorContains(t, err, "cannot replace "+filepath.Join(root, "a", "d", "y.go")+": ")
	require.ErrorContains(t, err, "run again to complete them")
	assertNoTemporaryFiles(t, root)
	assert.FileExists(t, filepath.Join(root, "a", "stale.go"), "nothing goes before all is there")

	require.NoError(t, os.RemoveAll(filepath.Join(root, "a", "d")))
	require.NoError(t, generate(root, Options{}, file("a/x.go", "package a // newer\n"), file("a/b/c/new.go", "package c // newer\n")),
		"what the failed run has written does not look edited")
	assert.ElementsMatch(t, []string{"a/x.go", "a/b/c/new.go", manifestName}, slices.Collect(maps.Keys(tree(t, root))))
}

func TestOutputBelowAFile(t *testing.T) {
	root := t.TempDir()
	write(t, root, "pkg", "a file where a directory belongs")
	err := generate(filepath.Join(root, "pkg", "generated"), Options{}, file("a/x.go", "package a\n"))
	assert.ErrorContains(t, err, filepath.Join(root, "pkg"))
	assert.ErrorContains(t, err, "not a directory")
	assert.Equal(t, map[string]string{"pkg": "a file where a directory belongs"}, tree(t, root))
}

func TestTemporaryFilesOfDeadRunsGo(t *testing.T) {
	root := t.TempDir()
	dead := []string{".informer-gen-0123456789abcdef-0.tmp", "a/.informer-gen-0123456789abcdef-1.tmp", "a/gone/.informer-gen-0123456789abcdef-22.tmp"}
	others := []string{"a/.informer-gen-mine.tmp", "a/x.tmp", ".informer-gen-0123456789abcdef-0.tmp.go", "b/.informer-gen-0123456789abcdef-1.tmp"}
	for _, name := range slices.Concat(dead, others) {
		write(t, root, name, "half a file")
	}
	plan, err := scan(t, root, "a").Plan([]render.File{file("a/x.go", "package a\n")}, Options{Owned: []string{"a"}})
	require.NoError(t, err)
	assert.Len(t, tree(t, root), 7, "a plan removes nothing")
	require.NoError(t, plan.Apply())
	assert.ElementsMatch(t, append(others, "a/x.go", manifestName), slices.Collect(maps.Keys(tree(t, root))))
	assert.NoDirExists(t, filepath.Join(root, "a", "gone"))
}

func TestLock(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	waits := func() { t.Error("nobody else is at work") }
	unlock, err := Lock(context.Background(), root, cache, waits)
	require.NoError(t, err)
	assert.Empty(t, tree(t, root), "the lock is not in the tree")

	other, err := Lock(context.Background(), t.TempDir(), cache, waits)
	require.NoError(t, err, "another directory is free")
	other()

	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(root, link))
	ctx, cancel := context.WithCancelCause(context.Background())
	_, err = Lock(ctx, link, cache, func() { cancel(errors.New("enough")) })
	require.ErrorIs(t, err, context.Canceled, "the same directory by another name is not")
	assert.ErrorContains(t, err, "while another run writes to "+link)

	order := make(chan string, 2)
	second, err := Lock(context.Background(), root, cache, func() {
		order <- "waiting"
		go func() {
			order <- "unlocked"
			unlock()
		}()
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"waiting", "unlocked"}, []string{<-order, <-order})
	second()
}

func TestLockWithoutACacheDirectory(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	root := t.TempDir()
	write(t, root, "file", "")
	for _, cache := range []string{"", filepath.Join(root, "file", "cache")} {
		unlock, err := Lock(context.Background(), root, cache, func() { t.Error("nobody else is at work") })
		require.NoError(t, err, fmt.Sprintf("%q", cache))
		unlock()
	}
	if os.TempDir() != os.Getenv("TMPDIR") {
		t.Skip("on this system another variable names the directory for temporary files")
	}
	t.Setenv("TMPDIR", filepath.Join(root, "file"))
	_, err := Lock(context.Background(), root, "", nil)
	assert.ErrorContains(t, err, "cannot lock "+root+" against other runs: ")
}
