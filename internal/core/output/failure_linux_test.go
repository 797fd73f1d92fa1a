package output

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// nobody runs do without any right reported those of everybody, since root is allowed everything.
func nobody(t *testing.T, do func()) {
	t.Helper()
	if os.Getuid() != 0 {
		do()
		return
	}
	require.NoError(t, syscall.Seteuid(65534)) // for all threads
	defer func() { require.NoError(t, syscall.Seteuid(0)) }()
	do()
}

func TestMissingPermission(t *testing.T) {
	root := t.TempDir()
	plan := planned(t, root)
	require.NoError(t, os.Chmod(filepath.Dir(root), 0o755)) // so that anybody may come to root at all
	for _, dir := range []string{root, filepath.Join(root, "a")} {
		require.NoError(t, os.Chmod(dir, 0o555))
		t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	}
	before := tree(t, root)
	var err error
	nobody(t, func() { err = plan.Apply(context.Background()) })
	require.ErrorContains(t, err, "cannot write "+filepath.Join(root, ManifestName)+": permission denied; nothing was changed")
	assert.Equal(t, before, tree(t, root))

	require.NoError(t, os.Chmod(root, 0o777)) // the directory is the test's own
	nobody(t, func() { err = plan.Apply(context.Background()) })
	require.ErrorContains(t, err, "cannot write "+filepath.Join(root, "a", "x.go")+": permission denied; nothing was changed")
	assert.Equal(t, before, tree(t, root), "what was written until then is gone again")
}

// limitChild, in the environment, makes the test binary bring files to the directory that it names, without leave to
// write files of more than fileLimit bytes. That fails as it does on a full disk, in the middle of a file.
const (
	limitChild = "OUTPUT_TEST_LIMIT_CHILD"
	fileLimit  = 4096
)

func init() { children[limitChild] = runLimitChild }

func fullDiskFiles() []render.File {
	return []render.File{
		file("a/x.go", "package a // new\n"), file("a/b/y.go", "package b\n"),
		file("a/c/large.go", "package c\n"+strings.Repeat("// more than there is room for\n", fileLimit/16)), file("a/z.go", "package a\n"),
	}
}

func runLimitChild(root string) {
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: fileLimit, Max: fileLimit}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Fprintln(os.Stdout, "cannot limit the size of files:", err)
		return
	}
	fmt.Fprintln(os.Stdout, generate(root, Options{}, fullDiskFiles()...))
}

func TestFullDisk(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, generate(root, Options{}, file("a/x.go", "package a\n"), file("a/stale.go", "package a\n")))
	before := tree(t, root)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), limitChild+"="+root)
	var out bytes.Buffer
	child.Stdout, child.Stderr = &out, &out
	require.NoError(t, child.Run(), out.String())
	assert.Equal(t, "cannot write "+filepath.Join(root, "a", "c", "large.go")+": file too large; nothing was changed\n", out.String())
	assert.Equal(t, before, tree(t, root))
	assert.NoDirExists(t, filepath.Join(root, "a", "b"))

	require.NoError(t, generate(root, Options{}, fullDiskFiles()...), "with room, the next run completes it")
	assert.Len(t, tree(t, root), 5)
}
