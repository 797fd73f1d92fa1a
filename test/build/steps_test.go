package build_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/build/localproxy"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

// TestStepsFromTypesAlone runs the exact commands printed by init, generate and scaffold in a module that has only types and a
// go.mod without requirements.
func TestStepsFromTypesAlone(t *testing.T) {
	s := moduleOfTypes(t, "")
	require.Len(t, steps(must(s, "informer-gen-lite init")), 1, "the line for go generate, which another test runs")

	printed := must(s, "informer-gen-lite scaffold Robot")
	ran := 0
	for _, step := range steps(printed) {
		switch {
		case strings.HasPrefix(step, "kubectl "), strings.HasPrefix(step, "go run "): // these need a cluster
		case strings.Contains(step, "servertest"): // it needs apiservertest; TestScaffold in test/e2e runs it
		default:
			must(s, step)
			ran++
		}
	}
	assert.Equal(t, 3, ran, "generate, get and test: %s", printed)
	assert.FileExists(t, filepath.Join(s.Dir, "config/crd/fleet.example.com_robots.yaml"))
	assert.FileExists(t, filepath.Join(s.Dir, "config/rbac/role.yaml"))
	must(s, "go build ./... && go test ./...")
	assert.Empty(t, steps(must(s, "informer-gen-lite")), "nothing is missing any more")
}

// TestAddingTheToolRaisesNothing runs the exact commands from init, README and docs in a module on v0.33, and compares go.mod
// before and after. The module with the command is served from the working tree.
func TestAddingTheToolRaisesNothing(t *testing.T) {
	env, _ := localproxy.Serve(t, string(root))
	s := moduleOfTypes(t, "\nrequire k8s.io/apimachinery v0.33.13\n", env...)
	must(s, "go mod tidy")
	s.Write(".informer-gen.yaml", "packages: [./api/...]\nonly: [deepcopy, register]\n")
	before := readFile(s, "go.mod")
	for _, source := range []struct {
		name  string
		lines []string
	}{
		{"README", documented(t, doctest.Readme, "sh")},
		{"docs/ci.md", documented(t, "docs/ci.md", "sh")},
		{"go generate in README", generateLines(t, doctest.Readme)},
		{"go generate in docs/ci.md", generateLines(t, "docs/ci.md")},
		{"init", steps(must(moduleOfTypes(t, ""), "informer-gen-lite init"))},
	} {
		require.NotEmpty(t, source.lines, source.name)
		for _, line := range source.lines {
			if directive, ok := strings.CutPrefix(line, "//go:generate "); ok {
				line = strings.Replace(directive, "./apis/...", "./api/...", 1)
			}
			must(s, strings.Replace(line, " verify", " verify || test $? = 1", 1))
			assert.Equal(t, before, readFile(s, "go.mod"), "%s: %s", source.name, line)
		}
	}
	assert.FileExists(t, filepath.Join(s.Dir, "api/v1/zz_generated.deepcopy.go"), "the command ran")
}

// TestOfferedLibrary runs the exact commands that the first run prints in a module without markers for the library. The output is up to
// date afterwards, before and after go mod tidy.
func TestOfferedLibrary(t *testing.T) {
	s := moduleOfTypes(t, "")
	s.Write("api/v1/types.go", strings.Replace(types, "// +informergen:controller\n", "", 1))
	lines := steps(must(s, "informer-gen-lite"))
	require.Len(t, lines, 3)
	require.Equal(t, "informer-gen-lite", lines[2])
	for _, line := range lines[:2] {
		must(s, line)
	}
	printed := must(s, lines[2])
	must(s, "informer-gen-lite verify")
	getMissing(s, printed)
	must(s, "informer-gen-lite verify && go mod tidy && informer-gen-lite verify && go vet ./...")
	assert.FileExists(t, filepath.Join(s.Dir, "pkg/generated/clientset/versioned/fake/strict_generated.go"))
}

// TestInstall installs the command at a version, which is refused if the go.mod of the module has replace directives, and follows what
// it prints. The library has the same version.
func TestInstall(t *testing.T) {
	env, version := localproxy.Serve(t, string(root))
	s := moduleOfTypes(t, "", env...)
	s.Bin = t.TempDir()
	must(s, "cd / && go install "+toolPath+"@"+version)
	assert.Contains(t, must(s, "informer-gen-lite version"), "informer-gen-lite "+version+" ")
	for _, step := range steps(must(s, "informer-gen-lite")) {
		must(s, step)
	}
	assert.Contains(t, must(s, "go list -m "+repositoryModule+"/runtime"), version)
	must(s, "informer-gen-lite verify && go mod tidy && go build ./... && informer-gen-lite verify")
}

// documented returns the lines of a page's code blocks in a language that run the command from its module.
func documented(t *testing.T, page, language string) []string {
	t.Helper()
	var lines []string
	for _, b := range root.Blocks(t, page) {
		if b.Language == language && strings.Contains(b.Code, toolPath) {
			lines = append(lines, strings.Split(strings.TrimSpace(b.Code), "\n")...)
		}
	}
	return lines
}

// generateLines returns the directives for go generate on a page.
func generateLines(t *testing.T, page string) []string {
	t.Helper()
	var lines []string
	for _, line := range documented(t, page, "go") {
		if strings.Contains(line, toolPath) {
			require.True(t, strings.HasPrefix(line, "//go:generate "), line)
			lines = append(lines, line)
		}
	}
	return lines
}
