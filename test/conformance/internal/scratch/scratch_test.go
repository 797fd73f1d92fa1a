package scratch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDiffFiles(t *testing.T) {
	want := map[string]string{"same": "1\n", "gone": "2\n", "changed": "a\nb\nc\n", "cut": "a\nb\n"}
	got := map[string]string{"same": "1\n", "new": "3\n", "changed": "a\nb\nd\n", "cut": "a\n"}
	assert.Equal(t, []string{
		"changed: differs from line 3 on",
		"cut: differs from line 2 on",
		"gone: not written",
		"new: not expected",
	}, DiffFiles(want, got))
	assert.Empty(t, DiffFiles(want, want))
}

func TestNewModule(t *testing.T) {
	from, dir := t.TempDir(), filepath.Join(t.TempDir(), "module")
	write(t, filepath.Join(from, "go.mod"), `module a.example/from

go 1.26.0

require (
	b.example/near v0.0.0
	c.example/far v1.2.3
)

replace b.example/near => ../near

replace c.example/far => d.example/fork v1.2.4
`)
	write(t, filepath.Join(from, "go.sum"), "sums\n")
	write(t, filepath.Join(dir, "left", "over.go"), "package left\n")

	require.NoError(t, NewModule(dir, "e.example/new", from))

	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	assert.Contains(t, string(mod), "module e.example/new\n")
	assert.Contains(t, string(mod), "b.example/near => "+filepath.Join(filepath.Dir(from), "near")+"\n")
	assert.Contains(t, string(mod), "c.example/far => d.example/fork v1.2.4\n")
	sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	require.NoError(t, err)
	assert.Equal(t, "sums\n", string(sum))
	assert.NoDirExists(t, filepath.Join(dir, "left"))
}

func TestCopyModule(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	write(t, filepath.Join(from, "a", "a.go"), "package a\n")
	require.NoError(t, os.Chmod(filepath.Join(from, "a", "a.go"), 0o444))
	write(t, filepath.Join(to, "old.go"), "package old\n")

	require.NoError(t, CopyModule(from, to))

	files, err := GoFiles(to, ".")
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"a/a.go": "package a\n"}, files)
	source, err := os.Stat(filepath.Join(from, "a", "a.go"))
	require.NoError(t, err)
	copied, err := os.Stat(filepath.Join(to, "a", "a.go"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o644), copied.Mode())
	assert.True(t, source.ModTime().Equal(copied.ModTime()))
}

func TestRunReportsOutputOfPrograms(t *testing.T) {
	_, err := Run(t.TempDir(), "go", "version", "-m", "no-such-file")
	assert.ErrorContains(t, err, "go version -m no-such-file: exit status 1\n")
	assert.ErrorContains(t, err, "no such file")
}

func write(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
}
