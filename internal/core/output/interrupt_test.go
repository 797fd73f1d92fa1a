package output

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// countdown is a context that is done once its error was asked for a number of times.
type countdown struct {
	context.Context
	steps atomic.Int64
}

func after(ctx context.Context, steps int) *countdown {
	c := &countdown{Context: ctx}
	c.steps.Store(int64(steps))
	return c
}

func (c *countdown) Err() error {
	if c.steps.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterrupted interrupts a run that writes, renames and removes at each of its steps in turn.
func TestInterrupted(t *testing.T) {
	before := []render.File{file("a/x.go", "package a\n"), file("a/stale/x.go", "package stale\n"), file("a/older.go", "package a\n")}
	files := []render.File{file("a/x.go", "package a // new\n"), file("a/new/x.go", "package new\n"), file("a/older.go", "package a // new\n")}
	untouched, incomplete := 0, 0
	for steps := 0; ; steps++ {
		root := filepath.Join(t.TempDir(), "out")
		require.NoError(t, generate(root, Options{}, before...))
		old := tree(t, root)
		plan, err := scan(t, root, "a").Plan(files, Options{Owned: []string{"a"}})
		require.NoError(t, err)
		err = plan.Apply(after(t.Context(), steps))
		if err == nil {
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		assertNoTemporaryFiles(t, root)
		if errors.Is(err, ErrIncomplete) {
			incomplete++
			assert.NotEqual(t, old, tree(t, root))
		} else {
			untouched++
			assert.Equal(t, old, tree(t, root))
			assert.NoDirExists(t, filepath.Join(root, "a", "new"))
		}
		require.NoError(t, generate(root, Options{}, files...), "nothing looks edited")
		assert.Len(t, tree(t, root), len(files)+1)
	}
	assert.Equal(t, 6, untouched, "five files with the journal, of which none is renamed")
	assert.Equal(t, 5, incomplete, "four more to be renamed, one to be removed")
}

func TestInterruptedBeforeARemoval(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, generate(root, Options{}, file("a/x.go", "package a\n"), file("a/stale.go", "package a\n"), file("a/too.go", "package a\n")))
	for steps, want := range []bool{false, false, true} {
		plan, err := scan(t, root, "a").Plan([]render.File{file("a/x.go", "package a\n")}, Options{Owned: []string{"a"}})
		require.NoError(t, err)
		err = plan.Apply(after(t.Context(), steps))
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, want, errors.Is(err, ErrIncomplete), "after %d steps", steps)
	}
	assert.NoFileExists(t, filepath.Join(root, "a", "stale.go"))
	assert.FileExists(t, filepath.Join(root, "a", "too.go"))
}

func TestExistingDirectoriesAreNotCreated(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "a"), 0o777))
	s := newStaging()
	require.NoError(t, s.makeDir(filepath.Join(root, "a", "b")))
	require.NoError(t, s.makeDir(string(filepath.Separator)), "some systems refuse to make it for another reason")
	assert.Equal(t, []string{filepath.Join(root, "a", "b")}, s.made)
}
