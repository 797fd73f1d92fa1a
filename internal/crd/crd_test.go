package crd

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the manifests in place of comparing them")

// TestUpToDate compares the manifests of the examples with their types. Those of the group fleet.review are not included: its
// kinds are answers, which no server stores.
func TestUpToDate(t *testing.T) {
	const examples = "../../examples"
	definitions, err := Generate(Config{Dir: examples, Packages: []string{"./apis/fleet/...", "./apis/edge/..."}})
	require.NoError(t, err)
	definitions = slices.DeleteFunc(definitions, func(d Definition) bool { return d.Kind == "TunnelSession" })
	require.NotEmpty(t, definitions)
	want := map[string][]byte{}
	for _, d := range definitions {
		want[d.File] = d.Content
	}
	dir := filepath.Join(examples, "config", "crd")
	if *update {
		write(t, dir, want)
	}

	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	require.NoError(t, err)
	got := map[string][]byte{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		got[filepath.Base(path)] = content
	}
	assert.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)), "files in %s", dir)
	for name := range want {
		assert.Equal(t, string(want[name]), string(got[name]), "%s is not up to date: run this test with -update", name)
	}
}

func write(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o644))
	}
}

// TestNoKinds expects an error if there are no kinds.
func TestNoKinds(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "doc.go"), []byte("package m\n"), 0o644))
	_, err := Generate(Config{Dir: dir, Packages: []string{"."}})
	assert.ErrorContains(t, err, "no kinds in [.]")
}

// TestMistake expects the position of an invalid marker.
func TestMistake(t *testing.T) {
	_, err := Generate(Config{Dir: "testdata/mistake", Packages: []string{"."}})
	assert.ErrorContains(t, err, "types.go:12:2: invalid minimum value")
}
