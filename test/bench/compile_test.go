package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/toolchain"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

func TestInOrder(t *testing.T) {
	sides := [2]clients{"k8s.io/api/clients2", "k8s.io/api/clients1"}
	var commands []toolchain.Command
	for _, p := range [][2]string{
		{"compile", "k8s.io/api/clients1/listers/apps/v1"},
		{"link", "k8s.io/api/clients1/clients1"},
		{"compile", "k8s.io/api/clients1/informers/internal/shared"},
		{"compile", "k8s.io/api/clients1/kubernetes/typed/imagepolicy/v1alpha1"},
		{"compile", "k8s.io/api/clients2/listers/apps/v1"},
		{"link", "k8s.io/api/clients2/clients2"},
		{"compile", "k8s.io/api/clients12"},
		{"compile", "k8s.io/client-go/rest"},
	} {
		commands = append(commands, toolchain.Command{Package: p[1], Args: []string{"/go/tool/" + p[0]}})
	}
	order := func(secondFirst bool) (order []string) {
		for _, p := range inOrder(sides, commands, secondFirst) {
			assert.Contains(t, p.command.Package, sides[p.side])
			order = append(order, p.command.Program()+" "+p.command.Package)
		}
		return order
	}
	assert.Equal(t, []string{
		"compile k8s.io/api/clients1/informers/internal/shared",
		"compile k8s.io/api/clients2/listers/apps/v1",
		"compile k8s.io/api/clients1/listers/apps/v1",
		"link k8s.io/api/clients2/clients2",
		"link k8s.io/api/clients1/clients1",
	}, order(false))
	assert.Equal(t, []string{
		"compile k8s.io/api/clients1/informers/internal/shared",
		"compile k8s.io/api/clients1/listers/apps/v1",
		"compile k8s.io/api/clients2/listers/apps/v1",
		"link k8s.io/api/clients1/clients1",
		"link k8s.io/api/clients2/clients2",
	}, order(true))
}

func TestProcesses(t *testing.T) {
	t.Setenv("GOWORK", "off")
	module := t.TempDir()
	require.NoError(t, os.CopyFS(module, fstest.MapFS{
		"go.mod":     {Data: []byte("module bench.example\n\ngo 1.26\n")},
		"a/a.go":     {Data: []byte("package a\n\nvar A = 1\n")},
		"b/a.go":     {Data: []byte("package b\n\nvar A = 1\n")},
		"b/own/b.go": {Data: []byte("package own\n\nvar B = 1\n")},
	}))
	cmd := exec.CommandContext(t.Context(), "go", "build", "./...")
	cmd.Dir, cmd.Env = module, append(os.Environ(), "GOCACHE="+t.TempDir())
	var progress bytes.Buffer
	b := &bench{scratch: t.TempDir(), Session: harness.Session{Pairs: 3, Progress: &progress}}
	samples, err := b.processes(t.Context(), "test", [2]clients{"bench.example/a", "bench.example/b"}, cmd)
	require.NoError(t, err)
	for i := range samples {
		require.Len(t, samples[i], 3)
		assert.Positive(t, samples[i].Median().CPU)
	}
	assert.Contains(t, progress.String(), "test, 3/3:  upstream ")

	require.NoError(t, os.WriteFile(filepath.Join(module, "a", "a.go"), []byte("package a\n\nvar A = none\n"), 0o666))
	cmd = exec.CommandContext(t.Context(), "go", "build", "./...")
	cmd.Dir = module
	_, err = b.processes(t.Context(), "test", [2]clients{"bench.example/a", "bench.example/b"}, cmd)
	assert.ErrorContains(t, err, "undefined: none")
}
