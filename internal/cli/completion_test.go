package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		code, stdout, stderr := run(t, t.TempDir(), "completion", shell)
		assert.Equal(t, exitDone, code, stderr)
		assert.Contains(t, stdout, shell+" completion", shell)
	}
	_, stdout, _ := run(t, t.TempDir(), "completion", "--help")
	assert.Contains(t, stdout, "fish")
	assert.NotContains(t, stdout, "powershell")
}

func TestCompletionOfValues(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--only", ""}, "clientset\nlisters\ninformers\n"},
		{[]string{"generate", "--skip", "listers,"}, "listers,clientset\nlisters,informers\n"},
		{[]string{"verify", "--only", ""}, "clientset\nlisters\ninformers\n"},
		{[]string{"--output", ""}, "text\njson\ngithub\n"},
		{[]string{"generate", "--output-dir", ""}, ":16\n"},
	} {
		code, stdout, _ := run(t, t.TempDir(), append([]string{"__complete"}, test.args...)...)
		assert.Equal(t, exitDone, code)
		assert.Contains(t, stdout, test.want, test.args)
	}
}
