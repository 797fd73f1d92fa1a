package regular

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(at("file"), []byte("text"), 0o666))
	require.NoError(t, syscall.Mkfifo(at("pipe"), 0o666))
	require.NoError(t, os.Symlink("pipe", at("link")))
	socket, err := net.Listen("unix", at("socket"))
	require.NoError(t, err)
	defer func() { _ = socket.Close() }()
	for name, want := range map[string]string{
		at("file"): "", os.DevNull: "",
		at("pipe"):   "open " + at("pipe") + ": this is a named pipe, and only regular files are read",
		at("link"):   "open " + at("link") + ": this is a named pipe, and only regular files are read",
		at("socket"): "open " + at("socket") + ": this is a socket, and only regular files are read",
		"/dev/zero":  "open /dev/zero: this is a device, and only regular files are read",
		at("gone"):   "open " + at("gone") + ": no such file or directory",
		dir:          "read " + dir + ": is a directory",
	} {
		text, err := ReadFile(name)
		if want == "" {
			require.NoError(t, err)
			assert.Equal(t, name == at("file"), string(text) == "text")
			continue
		}
		assert.EqualError(t, err, want)
	}
	_, err = Open(at("pipe"))
	assert.ErrorIs(t, err, ErrNot)
	opened, err := Open(at("file"))
	require.NoError(t, err)
	assert.NoError(t, opened.Close())
}
