// Package gotypetest creates universes from source text for tests.
package gotypetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module/moduletest"
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
	dir := moduletest.LayOut(t, "-- go.mod --\nmodule "+Module+"\n\ngo 1.26\n"+archive)
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	loaded, diags, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: patterns})
	require.NoError(t, err)
	require.Empty(t, diags)
	return loaded
}
