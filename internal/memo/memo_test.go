package memo

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMemo(t *testing.T) {
	cache, key := filepath.Join(t.TempDir(), "cache"), filepath.Join(t.TempDir(), "config", "key")
	open := func(identity string) Memo { return Open(cache, key, []byte(identity)) }
	var got string
	assert.False(t, open("a").Load(&got), "nothing is there")
	open("a").Save("for a")
	require.True(t, open("a").Load(&got))
	assert.Equal(t, "for a", got)
	assert.False(t, open("b").Load(&got), "another identity")

	// Write access to the cache alone is not enough to seal.
	name := open("a").name
	sealed, err := os.ReadFile(name)
	require.NoError(t, err)
	for what, forged := range map[string][]byte{
		"changed": append(sealed[:len(sealed)-1:len(sealed)-1], sealed[len(sealed)-1]^1),
		"cut":     sealed[:10],
		"empty":   nil,
	} {
		require.NoError(t, os.WriteFile(name, forged, 0o666))
		assert.False(t, open("a").Load(&got), what)
	}
	require.NoError(t, os.WriteFile(open("b").name, sealed, 0o666))
	assert.False(t, open("b").Load(&got), "moved to another name")
	require.NoError(t, os.WriteFile(name, sealed, 0o666))
	require.True(t, open("a").Load(&got))
	require.NoError(t, os.Remove(key))
	assert.False(t, open("a").Load(&got), "sealed by somebody else")

	info, err := os.Stat(key)
	require.NoError(t, err)
	assert.EqualValues(t, 0o600, info.Mode().Perm())
	entries, err := os.ReadDir(filepath.Dir(key))
	require.NoError(t, err)
	assert.Len(t, entries, 1, "no temporary file")
}

func TestMemoWithoutAPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("not a key"), 0o600))
	for what, m := range map[string]Memo{
		"no cache":   Open("", filepath.Join(t.TempDir(), "key"), nil),
		"no key":     Open(t.TempDir(), "", nil),
		"key inside": Open(filepath.Dir(file), filepath.Join(filepath.Dir(file), "config", "key"), nil),
		"not a key":  Open(t.TempDir(), file, nil),
		"no folder":  Open(t.TempDir(), filepath.Join(file, "key"), nil),
		"no storage": Open(filepath.Join(file, "cache"), filepath.Join(t.TempDir(), "key"), nil),
	} {
		m.Save("x")
		var got string
		assert.False(t, m.Load(&got), what)
	}
}
