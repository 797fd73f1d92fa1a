package crd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoKinds has a package without kinds.
func TestNoKinds(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "doc.go"), []byte("// +groupName=fleet.example.com\npackage m\n"), 0o644))
	definitions, err := Generate(Config{Dir: dir, Packages: []string{"."}})
	require.NoError(t, err)
	assert.Empty(t, definitions)
}

// TestMistake expects the position of an invalid marker.
func TestMistake(t *testing.T) {
	_, err := Generate(Config{Dir: "testdata/mistake", Packages: []string{"."}})
	assert.ErrorContains(t, err, "types.go:12:2: invalid minimum value")
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
