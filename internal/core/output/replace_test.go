package output

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWrite writes a new file, replaces another and removes a third, or does nothing.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	old, stale := filepath.Join(dir, "old"), filepath.Join(dir, "c", "d", "stale")
	require.NoError(t, os.MkdirAll(filepath.Dir(stale), 0o750))
	added := filepath.Join(dir, "a", "b", "new")
	for _, name := range []string{old, stale} {
		require.NoError(t, os.WriteFile(name, []byte("old"), 0o640))
	}
	err := Write(t.Context(), dir, map[string][]byte{old: []byte("new"), filepath.Join(stale, "below"): nil}, nil)
	require.ErrorContains(t, err, "stale")
	text, err := os.ReadFile(old)
	require.NoError(t, err)
	assert.Equal(t, "old", string(text), "nothing is written if something cannot be")

	require.NoError(t, Write(t.Context(), dir, map[string][]byte{old: []byte("new"), added: []byte("new")}, []string{stale}))
	for _, name := range []string{old, added} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, "new", string(text))
	}
	assert.NoDirExists(t, filepath.Join(dir, "c"), "its directory is empty")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2, "no temporary files are left")
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	write := func(name string, mode fs.FileMode) string {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("old "+name), mode))
		return filepath.Join(dir, name)
	}
	a, b, link := write("a", 0o640), write("b", 0o600), filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(b, link))
	files := map[string][]byte{a: []byte("new a"), link: []byte("new b")}

	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Replace(interrupted, files)
	require.ErrorIs(t, err, context.Canceled)
	_, err = Replace(t.Context(), map[string][]byte{a: nil, filepath.Join(dir, "none"): nil})
	require.ErrorIs(t, err, fs.ErrNotExist)
	assert.Equal(t, "old a old b", read("a")+" "+read("b"))

	restore, err := Replace(t.Context(), files)
	require.NoError(t, err)
	assert.Equal(t, "new a new b", read("a")+" "+read("link"))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&fs.ModeSymlink, "the link stays")
	info, err = os.Stat(a)
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o640), info.Mode().Perm())

	require.NoError(t, restore())
	assert.Equal(t, "old a old b", read("a")+" "+read("b"))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 3, "no temporary files are left")
}
