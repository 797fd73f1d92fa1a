package main

import (
	"os"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// TestDependabot checks that Dependabot updates all modules of this repository but those in testdata.
func TestDependabot(t *testing.T) {
	const root = repository("../../..")
	files, err := root.git(t.Context(), "ls-files", "go.mod", "*/go.mod")
	require.NoError(t, err)
	var want, got []string
	for name := range strings.FieldsSeq(files) {
		if !strings.Contains(name, "testdata/") {
			want = append(want, path.Join("/", path.Dir(name)))
		}
	}
	text, err := os.ReadFile("../../../.github/dependabot.yml")
	require.NoError(t, err)
	var config struct {
		Updates []struct {
			Ecosystem   string   `json:"package-ecosystem"`
			Directories []string `json:"directories"`
		} `json:"updates"`
	}
	require.NoError(t, yaml.Unmarshal(text, &config))
	for _, update := range config.Updates {
		if update.Ecosystem == "gomod" {
			got = append(got, update.Directories...)
		}
	}
	assert.ElementsMatch(t, want, got)
}
