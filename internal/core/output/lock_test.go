package output

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lock locks directories that nobody else has locked.
func lock(t *testing.T, dirs ...string) (unlock func()) {
	t.Helper()
	unlock, err := Lock(t.Context(), dirs, func(dir string) { t.Errorf("nobody else is at work in %s", dir) })
	require.NoError(t, err)
	return unlock
}

// assertLocked checks that another run would have to wait for a directory.
func assertLocked(t *testing.T, busy string, dirs ...string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Lock(ctx, dirs, func(dir string) {
		assert.Equal(t, busy, dir)
		cancel()
	})
	require.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "while another run writes to "+busy)
}

func TestLock(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	unlock := lock(t, root)
	assert.Empty(t, tree(t, root), "the lock is no file in the tree")
	lock(t, other)()
	assertLocked(t, root, root)
	assertLocked(t, root, other, root)
	lock(t, other)() // who waits for one directory keeps none

	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(root, link))
	assertLocked(t, link, link)

	order := make(chan string, 2)
	second, err := Lock(t.Context(), []string{root}, func(string) {
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

// TestLockBelongsToTree runs with another environment, as in a container, by sudo, or in CI.
func TestLockBelongsToTree(t *testing.T) {
	root, environment := t.TempDir(), t.TempDir()
	write(t, environment, "informer-gen-lite", "in the way, like the directory of another user")
	unlock := lock(t, root)
	for _, variable := range []string{"HOME", "XDG_CACHE_HOME", "TMPDIR"} {
		t.Setenv(variable, environment)
	}
	assertLocked(t, root, root)
	unlock()
	lock(t, root)()
	t.Setenv("TMPDIR", filepath.Join(environment, "new"))
	lock(t, root)()
	assert.Len(t, tree(t, environment), 1)
	assert.NoDirExists(t, filepath.Join(environment, "new"))
}

func TestLockOfTheSameDirectoryTwice(t *testing.T) {
	root := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(root, link))
	lock(t, root, link, root)()
}

func TestLockOfMissingDirectory(t *testing.T) {
	root := t.TempDir()
	unlock := lock(t, filepath.Join(root, "out", "side"))
	assertLocked(t, root, root)
	unlock()
	assert.Empty(t, tree(t, root))
}

func TestLockOfALongName(t *testing.T) {
	root := filepath.Join(t.TempDir(), strings.Repeat("x", 255))
	require.NoError(t, os.Mkdir(root, 0o777))
	lock(t, root)()
}

func TestLockOfAFile(t *testing.T) {
	root := t.TempDir()
	write(t, root, "file", "")
	_, err := Lock(t.Context(), []string{filepath.Join(root, "file", "out")}, nil)
	assert.ErrorContains(t, err, "cannot lock "+filepath.Join(root, "file", "out")+": not a directory")
}
