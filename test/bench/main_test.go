package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/programs"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/toolchain"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

func TestMain(m *testing.M) {
	toolchain.Intercept()
	os.Exit(m.Run())
}

func TestFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-only a,z":      `bench: -only: unknown measurement "z", must be one of a, b, c, d, e, f, g, h`,
		"-dir= -pairs 1": "bench: -dir: needed",
	} {
		var stderr bytes.Buffer
		assert.Equal(t, harness.ExitUsage, new(bench).command().Run(t.Context(), strings.Fields(args), io.Discard, &stderr), args)
		assert.Contains(t, stderr.String(), want, args)
	}
}

func TestGoFiles(t *testing.T) {
	task, out := programs.Task{Module: t.TempDir()}, t.TempDir()
	for _, name := range []string{
		filepath.Join(out, "a", "b.go"), filepath.Join(out, "notes.json"),
		filepath.Join(task.Module, "v1", "zz_generated.deepcopy.go"), filepath.Join(task.Module, "v1", "types.go"),
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, nil, 0o666))
	}
	files, err := goFiles(task, out)
	require.NoError(t, err)
	assert.Equal(t, []string{"v1/zz_generated.deepcopy.go", "a/b.go"}, files)
	_, err = goFiles(task, filepath.Join(out, "missing"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestSameFiles(t *testing.T) {
	one := []string{"a/b.go"}
	require.NoError(t, sameFiles(one, one))
	other := []string{"a/b.go", "c.go"}
	assert.EqualError(t, sameFiles(one, other), "only one side writes c.go: upstream has 1 files, ours 2")
	assert.EqualError(t, sameFiles(other, one), "only one side writes c.go: upstream has 2 files, ours 1")
}
