// Package gotypetest creates universes from source text for tests.
package gotypetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
)

// Module is the import path of the module that the source text belongs to.
const Module = "example.com/m"

// Universe returns the universe around the packages of an archive, as Load does.
func Universe(t *testing.T, archive string, patterns ...string) *gotype.Universe {
	t.Helper()
	return gotype.NewUniverse(t.Context(), Load(t, archive, patterns...))
}

// Load loads the packages of a txtar archive that match the patterns, by default all. The archive needs no go.mod.
func Load(t *testing.T, archive string, patterns ...string) *load.Result {
	t.Helper()
	dir := t.TempDir()
	files := append([]txtar.File{{Name: "go.mod", Data: []byte("module " + Module + "\n\ngo 1.26\n")}}, txtar.Parse([]byte(archive)).Files...)
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, f.Data, 0o666))
	}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	loaded, diags, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: patterns})
	require.NoError(t, err)
	require.Empty(t, diags)
	return loaded
}
