package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		code, stdout, stderr := execute(t, t.TempDir(), "completion", shell)
		assert.Equal(t, exitDone, code, stderr)
		assert.Contains(t, stdout, shell+" completion", shell)
	}
	_, stdout, _ := execute(t, t.TempDir(), "completion", "--help")
	assert.Contains(t, stdout, "fish")
	assert.NotContains(t, stdout, "powershell")
}

// TestEveryFlagHasDocs fails if docs/flags.md lacks a flag.
func TestEveryFlagHasDocs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "flags.md"))
	require.NoError(t, err)
	root := app{report: &reporter{}}.rootCommand()
	for _, cmd := range append(root.Commands(), root) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			assert.Contains(t, string(page), "\n| `--"+flag.Name+"` |", cmd.Name())
		})
	}
}

func TestCompletionOfValues(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--only", ""}, "clientset\nlisters\ninformers\n"},
		{[]string{"generate", "--skip", "listers,"}, "listers,clientset\nlisters,informers\n"},
		{[]string{"verify", "--only", ""}, "clientset\nlisters\ninformers\n"},
		{[]string{"explain", "--kinds", ""}, "roots\n"},
		{[]string{"--folders", ""}, "source\ngroup\n"},
		{[]string{"--config", ""}, "yaml\nyml\n:8\n"},
		{[]string{"--output", ""}, "text\njson\ngithub\n"},
		{[]string{"generate", "--output-dir", ""}, ":16\n"},
	} {
		code, stdout, _ := execute(t, t.TempDir(), append([]string{"__complete"}, test.args...)...)
		assert.Equal(t, exitDone, code)
		assert.Contains(t, stdout, test.want, test.args)
	}
}
