package toolchain

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	Intercept()
	os.Exit(m.Run())
}

func writeFiles(t *testing.T, files map[string]string) (dir string) {
	dir = t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
	}
	return dir
}

// recorded returns the commands by package and program.
func recorded(t *testing.T, module, scratch string, args ...string) map[string]Command {
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = module
	commands, err := Record(cmd, scratch)
	require.NoError(t, err)
	byName := map[string]Command{}
	for _, command := range commands {
		byName[command.Package+" "+command.Program()] = command
	}
	return byName
}

func TestRecordAndRun(t *testing.T) {
	t.Setenv("GOWORK", "off")
	scratch := filepath.Join(t.TempDir(), "with a space")
	require.NoError(t, os.Mkdir(scratch, 0o777))
	fresh := "\n// " + scratch + "\n" // not in the build cache
	module := writeFiles(t, map[string]string{
		"go.mod":       "module bench.example\n\ngo 1.26\n",
		"main.go":      "package main\n\nimport \"bench.example/part\"\n\nfunc main() { println(part.One) }\n" + fresh,
		"part/part.go": "package part\n\nvar One = 1\n" + fresh,
	})
	built := recorded(t, module, scratch, "build", "-trimpath", "-o", filepath.Join(scratch, "program"), ".")
	for _, name := range []string{"bench.example compile", "bench.example link", "bench.example/part compile"} {
		require.Contains(t, built, name)
		sample, err := built[name].Run(t.Context())
		require.NoError(t, err, name)
		assert.Positive(t, sample.CPU, name)
	}
	vetted := recorded(t, module, scratch, "vet", "-trimpath", "./...")
	require.Contains(t, vetted, "bench.example/part vet")
	assert.NotContains(t, vetted, "bench.example/part compile", "it is in the build cache")
	_, err := vetted["bench.example/part vet"].Run(t.Context())
	require.NoError(t, err)

	require.NoError(t, os.WriteFile(filepath.Join(module, "part", "part.go"), []byte("package part\n\nvar One = none\n"), 0o666))
	_, err = built["bench.example/part compile"].Run(t.Context())
	assert.ErrorContains(t, err, "bench.example/part: compile: exit status")
	assert.ErrorContains(t, err, "undefined: none", "the package is really compiled again")
}

func TestRecordReportsFailures(t *testing.T) {
	t.Setenv("GOWORK", "off")
	module := writeFiles(t, map[string]string{"go.mod": "module bench.example\n\ngo 1.26\n", "a.go": "package a\n\nvar a = none\n"})
	cmd := exec.CommandContext(t.Context(), "go", "build", ".")
	cmd.Dir = module
	_, err := Record(cmd, t.TempDir())
	assert.ErrorContains(t, err, "undefined: none")
}
