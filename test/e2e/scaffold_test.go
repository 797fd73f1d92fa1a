package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestScaffold scaffolds controllers in a user's module and follows the steps that this prints, except that the run-time library and
// apiservertest come from this repository. All manifests are applied unchanged, and the controllers run as their Deployments say.
func TestScaffold(t *testing.T) {
	s := newScaffold(t)
	t.Setenv("PATH", filepath.Dir(s.tool)+":"+os.Getenv("PATH"))
	deployed := &deployed{server: apiservertest.Start(t, apiservertest.Options{RBAC: true}), dir: s.dir}
	ran := map[string]int{}
	for line := range strings.Lines(command(t, s.dir, s.tool, "scaffold", "Robot", "Yard")) {
		step, ok := strings.CutPrefix(line, "\t")
		if !ok {
			continue
		}
		step = strings.TrimSpace(step)
		kind, _, _ := strings.Cut(step, " ")
		if path, ok := strings.CutPrefix(step, "go run "); ok {
			kind = "go run"
			t.Run(filepath.Base(path), func(t *testing.T) { deployed.run(t, path, scaffolded("robot"), scaffolded("yard")) })
		} else if step == "kubectl apply -k config" {
			deployed.manifests = readKustomization(t, filepath.Join(s.dir, "config"))
			deployed.manifests.apply(t, deployed.server.Config())
		} else if tests, _, ok := strings.Cut(strings.TrimPrefix(step, "(cd "), " && go mod tidy"); ok {
			kind = "servertest"
			s.useLocal(t, tests)
			command(t, s.dir, "sh", "-c", step)
		} else {
			command(t, s.dir, "sh", "-c", step)
		}
		ran[kind]++
	}
	assert.Equal(t, map[string]int{"informer-gen-lite": 1, "go": 3, "servertest": 2, "kubectl": 1, "go run": 1}, ran)
	command(t, s.dir, "go", "vet", "./...")
}

// scaffold is a module for scaffolding.
type scaffold struct {
	root, dir string // of this repository and of the module
	tool      string
}

// newScaffold returns a module that has only types. It has the requirements of the examples, except for modules of this
// repository.
func newScaffold(t *testing.T) *scaffold {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	s := &scaffold{root: root, dir: t.TempDir(), tool: filepath.Join(t.TempDir(), "informer-gen-lite")}
	goMod, err := os.ReadFile(filepath.Join(root, "examples/go.mod"))
	require.NoError(t, err)
	goSum, err := os.ReadFile(filepath.Join(root, "examples/go.sum"))
	require.NoError(t, err)
	types, err := os.ReadFile("testdata/scaffold/types.go")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(goMod), "\n")
	write(t, filepath.Join(s.dir, "go.mod"), "module example.com/scaffold/v2\n"+rest)
	write(t, filepath.Join(s.dir, "go.sum"), string(goSum))
	const repository = "github.com/informer-gen-lite/informer-gen-lite"
	for _, modulePath := range []string{repository, repository + "/runtime", repository + "/runtime/metrics"} {
		command(t, s.dir, "go", "mod", "edit", "-droprequire="+modulePath, "-dropreplace="+modulePath)
	}
	write(t, filepath.Join(s.dir, "api/v1/types.go"), string(types))
	command(t, root, "go", "build", "-o", s.tool, "./cmd/informer-gen-lite")
	return s
}

// useLocal makes a scaffolded module of tests use apiservertest of this repository, whose checksums go mod tidy finds here.
func (s *scaffold) useLocal(t *testing.T, tests string) {
	t.Helper()
	goSum, err := os.ReadFile("../go.sum")
	require.NoError(t, err)
	dir := filepath.Join(s.dir, tests)
	write(t, filepath.Join(dir, "go.sum"), string(goSum))
	command(t, dir, "go", "mod", "edit", "-replace=github.com/informer-gen-lite/informer-gen-lite/apiservertest="+filepath.Join(s.root, "apiservertest"))
}

// command runs a command in a directory, and returns what it prints.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	output, err := attempt(t, dir, name, args...)
	require.NoError(t, err, "%s %s: %s", name, args, output)
	return output
}

func write(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
}
