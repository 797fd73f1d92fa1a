package crd

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
)

// definitions returns the definitions of the kinds in a package with this source text.
func definitions(t *testing.T, source string) ([]Definition, error) {
	t.Helper()
	universe := gotypetest.Universe(t, "-- types.go --\n"+source)
	return Open(t.Context(), universe, universe.Roots).Definitions(API{}, Options{})
}

// TestNoKinds has a package without kinds.
func TestNoKinds(t *testing.T) {
	made, err := definitions(t, "// +groupName=fleet.example.com\npackage m\n")
	require.NoError(t, err)
	assert.Empty(t, made)
}

// TestRequired compares the version with that in go.mod.
func TestRequired(t *testing.T) {
	text, err := os.ReadFile("../../../../go.mod")
	require.NoError(t, err)
	assert.Contains(t, string(text), "\t"+controllerTools+" "+required+"\n")
}

func TestParseOptions(t *testing.T) {
	for name, test := range map[string]struct {
		options []string
		fails   string
	}{
		"none":    {nil, ""},
		"some":    {[]string{"maxDescLen=0", "headerFile=hack/header.txt", "crdVersions=v1"}, ""},
		"unknown": {[]string{"maxLen=0"}, "unknown argument"},
		"invalid": {[]string{"maxDescLen=none"}, `"maxDescLen=none": expected integer`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseOptions(".", test.options)
			if test.fails == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, test.fails)
		})
	}
}
