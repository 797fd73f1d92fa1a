package crd

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
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

// TestLarge has definitions just below and above the sizes for Helm and kubectl, and decisions of users.
func TestLarge(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(size int) []byte { // 4 bits of information in each byte, so that compression and encoding leave two thirds
		text := make([]byte, size)
		for i := range text {
			text[i] = "0123456789abcdef"[random.IntN(16)]
		}
		return text
	}
	small := []Definition{{File: "a.yaml", Content: text(800_000), Size: largeForKubectl}}
	assert.Empty(t, Options{}.Large(small))
	assert.Less(t, inRelease(small), largeForHelm)
	large := []Definition{{File: "a.yaml", Content: text(1_600_000), Size: largeForKubectl + 1}, {File: "b.yaml", Content: text(1_600_000)}}
	found := Options{}.Large(large)
	require.Len(t, found, 2)
	assert.Contains(t, found[0].Message, "the definition in a.yaml has 230001 bytes as JSON")
	assert.Contains(t, found[1].Message, "the 2 definitions take ")
	assert.Contains(t, found[1].Hint, "crd-descriptions: own;")
	assert.Contains(t, Options{Descriptions: option.DescriptionsOwn}.Large(large)[0].Hint, "maxDescLen")
	assert.Empty(t, Options{Descriptions: option.DescriptionsAll}.Large(large))
	short, err := ParseOptions(".", []string{"maxDescLen=0"})
	require.NoError(t, err)
	assert.Empty(t, short.Large(large))
}
