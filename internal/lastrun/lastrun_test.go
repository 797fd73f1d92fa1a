package lastrun

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
)

// TestSealed checks that a record about the current files is only valid with the key that sealed it.
func TestSealed(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	module := filepath.Join(dir, "m")
	require.NoError(t, os.Mkdir(module, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(module, "go.mod"), []byte("module example.com/m\n\ngo 1.26.0\n"), 0o666))
	open := func(key string) *Memory {
		var given config.Flags
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		given.Register(flags)
		place := Place{CacheDir: filepath.Join(dir, "cache"), KeyFile: filepath.Join(dir, key, "key")}
		m, all, err := Open(place, config.CommandLine{Dir: module, Given: flags, Flags: &given})
		require.NoError(t, err)
		require.Len(t, all, 1)
		return m
	}
	var found string
	assert.False(t, open("mine").Load(&found))
	save := func(m *Memory, found string) {
		m.Read(nil)
		m.Save(nil, found)
	}
	save(open("theirs"), "all is well")
	require.True(t, open("theirs").Load(&found))
	assert.Equal(t, "all is well", found)
	assert.False(t, open("mine").Load(&found), "sealed with another key")

	save(open("mine"), "mine")
	require.True(t, open("mine").Load(&found))
	m := open("mine")
	require.NoError(t, os.WriteFile(filepath.Join(module, "x.go"), []byte("package m\n"), 0o666))
	save(m, "of other files")
	require.NoError(t, os.Remove(filepath.Join(module, "x.go")))
	require.True(t, open("mine").Load(&found))
	assert.Equal(t, "mine", found, "files have changed during the run")
}
