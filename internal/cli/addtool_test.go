package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/localproxy"
)

// raceFlag is the race flag that this test was compiled with. Commands in the test use the same, so that libraries are compiled
// once.
var raceFlag string

// TestAddingTheToolRaisesNothing runs the exact commands from init, README and docs in a module on v0.33, and compares go.mod
// before and after. The module with the command is served from the working tree.
func TestAddingTheToolRaisesNothing(t *testing.T) {
	env := localproxy.Serve(t, "../..", raceFlag)
	dir := tidyModule(t, "v0.33.13")
	writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), "packages: [./api/...]\nonly: [deepcopy, register]\n")
	before, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)

	for _, source := range []struct {
		name  string
		lines []string
	}{
		{"README", documented(t, "../../README.md", "sh")},
		{"docs/ci.md", documented(t, "../../docs/ci.md", "sh")},
		{"go generate in README", generateLines(t, "../../README.md")},
		{"go generate in docs/ci.md", generateLines(t, "../../docs/ci.md")},
		{"init", initLines(t)},
	} {
		require.NotEmpty(t, source.lines, source.name)
		for _, line := range source.lines {
			if directive, ok := strings.CutPrefix(line, "//go:generate "); ok {
				line = strings.Replace(directive, "./apis/...", "./api/...", 1)
			}
			shell(t, dir, strings.Replace(line, " verify", " verify || test $? = 1", 1), env...)
			after, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			require.NoError(t, err)
			assert.Equal(t, string(before), string(after), "%s: %s", source.name, line)
		}
	}
	assert.FileExists(t, filepath.Join(dir, "api/v1/zz_generated.deepcopy.go"), "the command ran")
}

// documented returns the lines of a document's code blocks in a language that run the command from its module.
func documented(t *testing.T, name, language string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var lines []string
	for i, block := range strings.Split(string(text), "\n```") {
		code, found := strings.CutPrefix(block, language+"\n")
		if i%2 == 1 && found && strings.Contains(code, toolPath) {
			lines = append(lines, strings.Split(code, "\n")...)
		}
	}
	return lines
}

// generateLines returns the directives for go generate in a document.
func generateLines(t *testing.T, name string) []string {
	t.Helper()
	lines := slices.DeleteFunc(documented(t, name, "go"), func(line string) bool { return !strings.Contains(line, toolPath) })
	for _, line := range lines {
		require.True(t, strings.HasPrefix(line, "//go:generate "), line)
	}
	return lines
}

// initLines returns what init prints.
func initLines(t *testing.T) []string {
	t.Helper()
	code, stdout, stderr := run(t, bareModule(t, ""), "init")
	require.Equal(t, exitDone, code, stderr)
	return steps(stdout)
}
