package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestScaffold scaffolds controllers in a user's module and runs their tests against an API server as a user would, except that
// the run-time library and apiservertest come from this repository.
func TestScaffold(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	// The examples have the requirements of a user, but already that of the library, too.
	goMod, err := os.ReadFile(filepath.Join(root, "examples/go.mod"))
	require.NoError(t, err)
	goSum, err := os.ReadFile(filepath.Join(root, "examples/go.sum"))
	require.NoError(t, err)
	types, err := os.ReadFile("testdata/scaffold/types.go")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(goMod), "\n")
	write(t, filepath.Join(dir, "go.mod"), "module example.com/scaffold/v2\n"+rest)
	write(t, filepath.Join(dir, "go.sum"), string(goSum))
	const library = "github.com/informer-gen-lite/informer-gen-lite/runtime"
	command(t, dir, "go", "mod", "edit", "-droprequire="+library, "-dropreplace="+library)
	write(t, filepath.Join(dir, "api/v1/types.go"), string(types))

	tool := filepath.Join(t.TempDir(), "informer-gen-lite")
	command(t, root, "go", "build", "-o", tool, "./cmd/informer-gen-lite")
	next := command(t, dir, tool, "scaffold", "Robot", "Yard")
	command(t, dir, tool, "generate")
	command(t, dir, "sh", "-c", lineWith(t, next, "go mod edit"))
	command(t, dir, "go", "vet", "-race", "./...") // without the libraries of the API server

	// Let go mod tidy find the checksums here.
	goSum, err = os.ReadFile("go.sum")
	require.NoError(t, err)
	for _, kind := range []string{"robot", "yard"} {
		t.Run(kind, func(t *testing.T) {
			tests := filepath.Join(dir, "internal/controller", kind, "servertest")
			write(t, filepath.Join(tests, "go.sum"), string(goSum))
			command(t, tests, "go", "mod", "edit", "-replace=github.com/informer-gen-lite/informer-gen-lite/apiservertest="+filepath.Join(root, "apiservertest"))
			command(t, tests, "go", "mod", "tidy")
			// Use the race detector, as CI does for this test itself, so that the API server is compiled only once.
			command(t, tests, "go", "test", "-race", "-timeout=5m", "./...")
		})
	}
}

// command runs a command in a directory, and returns what it prints.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s", cmd, output)
	return string(output)
}

// lineWith returns the first line of a text that contains a string.
func lineWith(t *testing.T, text, part string) string {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return strings.TrimSpace(line)
		}
	}
	require.FailNow(t, "no line", "%q is not in %s", part, text)
	return ""
}

func write(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
}
