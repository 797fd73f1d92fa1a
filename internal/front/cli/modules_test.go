package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
)

// TestGoGetLine runs the exact line printed by the summary, in modules that were tidy for their types. The go command then finds
// every package that generated code imports; that the code compiles is the subject of TestTemplatesForTargets.
func TestGoGetLine(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v0.33.13", "v0.35.10", "v0.37.2"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			dir := tidyModule(t, version)
			before := requirements(t, dir)
			code, stdout, stderr := execute(t, dir)
			require.Equal(t, exitDone, code, stderr)
			assert.Equal(t, before, requirements(t, dir), "a run leaves go.mod unchanged")
			require.Equal(t, []string{"go get k8s.io/client-go@" + version + " ./..."}, goGet(stdout))

			shell(t, dir, goGet(stdout)[0])
			shell(t, dir, "go list -deps ./...")
			after := requirements(t, dir)
			for path, version := range before {
				if strings.HasPrefix(path, "k8s.io/") {
					assert.Equal(t, version, after[path], path)
				}
			}
			assert.Equal(t, version, after["k8s.io/client-go"])
			code, stdout, stderr = execute(t, dir)
			require.Equal(t, exitDone, code, stderr)
			assert.Empty(t, goGet(stdout))
		})
	}
}

// TestGoGetLineOfLibrary runs the lines that are printed for generated code that uses the library of this clone.
func TestGoGetLineOfLibrary(t *testing.T) {
	t.Parallel()
	for version, get := range map[string]string{
		"v0.37.2": "go get k8s.io/client-go@v0.37.2 ./...",
		"v0.36.0": "go get ./...", // the library requires a later one
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			dir := tidyModule(t, version)
			writeFile(t, filepath.Join(dir, "api", "v1", "types.go"), strings.Replace(bareTypes, "// +genclient\n", "// +genclient\n// +informergen:controller\n", 1))
			code, stdout, stderr := execute(t, dir)
			require.Equal(t, exitDone, code, stderr)
			require.Equal(t, []string{editLine(t) + " && " + get}, goGet(stdout))

			shell(t, dir, goGet(stdout)[0])
			assert.Contains(t, requirements(t, dir), module.Library)
			shell(t, dir, "go list -deps ./... && informer-gen-lite verify && go mod tidy && informer-gen-lite verify")
			code, stdout, stderr = execute(t, dir)
			require.Equal(t, exitDone, code, stderr)
			assert.Empty(t, goGet(stdout))
		})
	}
}

// goGet returns the commands for missing modules that a run suggests.
func goGet(stdout string) []string {
	before, _, _ := strings.Cut(stdout, "the run-time library would add")
	return steps(before)
}

// TestOffer: the first run in a new tree says what the library would add, unless somebody has decided, or it would add nothing.
func TestOffer(t *testing.T) {
	t.Parallel()
	const offer = "the run-time library would add"
	for name, test := range map[string]struct {
		requirements, config string
		args                 []string
		want                 bool
	}{
		"default":               {want: true},
		"with another decision": {config: "strict: true\n", want: true},
		"disabled":              {config: "runtime: false\n"},
		"disabled by flag":      {args: []string{"--runtime=false"}},
		"enabled":               {args: []string{"--runtime"}},
		"unsupported":           {requirements: "\nrequire k8s.io/client-go v0.35.10\n"},
		"deep copies only":      {args: []string{"--only=deepcopy"}},
		"no line to append to":  {config: "strict: true"},
		"other file":            {args: []string{"--config="}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := bareModule(t, test.requirements)
			if test.config != "" {
				writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), test.config)
			}
			code, stdout, stderr := execute(t, dir, test.args...)
			require.Equal(t, exitDone, code, stderr)
			assert.Equal(t, test.want, strings.Contains(stdout, offer), stdout)
			_, stdout, _ = execute(t, dir, test.args...)
			assert.NotContains(t, stdout, offer, "only the first run")
		})
	}
}

// TestOfferLines runs the lines of the offer from a directory below the module root. All later runs come to the same decision.
func TestOfferLines(t *testing.T) {
	dir := bareModule(t, "")
	below := filepath.Join(dir, "below")
	require.NoError(t, os.Mkdir(below, 0o777))
	code, stdout, stderr := execute(t, below, "--lister-errors", "plural", "../...")
	require.Equal(t, exitDone, code, stderr)
	_, offer, _ := strings.Cut(stdout, "the run-time library would add")
	lines := steps(offer)
	require.Len(t, lines, 2)
	assert.Equal(t, "informer-gen-lite --lister-errors plural ../...", lines[1])
	shell(t, below, lines[0])
	for _, args := range [][]string{{"--lister-errors", "plural", "../..."}, {"verify", "--lister-errors", "plural", "../..."}} {
		code, _, stderr = execute(t, below, args...)
		require.Equal(t, exitDone, code, stderr)
	}
	assert.FileExists(t, filepath.Join(dir, "pkg/generated/clientset/versioned/fake/strict_generated.go"))
}

// TestGoGetLineElsewhere compares lines that run in another directory, or in a module with a vendor directory.
func TestGoGetLineElsewhere(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), "// +groupName=fleet.example.com\n"+oneKind)
	writeFile(t, filepath.Join(root, "clients", "go.mod"), "module example.com/clients\n\ngo 1.26.0\n\nrequire k8s.io/apimachinery v0.35.1\n")
	writeFile(t, filepath.Join(root, "clients", "vendor", "modules.txt"), "")
	code, stdout, stderr := execute(t, dir, "--output-dir=../clients/gen", "--skip=deepcopy,register,applyconfiguration")
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, []string{"go -C ../clients get k8s.io/client-go@v0.35.1 ./... && go -C ../clients mod vendor"}, goGet(stdout))

	writeFile(t, filepath.Join(root, "clients", "go.mod"), "module example.com/clients\n\ngo 1.26.0\n\n"+
		"require (\n\tk8s.io/api v0.35.1\n\tk8s.io/apimachinery v0.35.1\n\tk8s.io/client-go v0.35.1\n)\n")
	code, stdout, stderr = execute(t, dir, "--output-dir=../clients/gen", "--skip=deepcopy,register,applyconfiguration")
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stdout, "generated code imports packages missing from the vendor directory; run:\n\tgo -C ../clients mod vendor\n")

	code, stdout, stderr = execute(t, filepath.Join(dir, "fleet"), "--skip=deepcopy,register,applyconfiguration")
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, []string{"go -C .. get k8s.io/client-go@" + module.ClientGoVersion + " ./..."}, goGet(stdout))
}

// TestUntidyModules generates repeatedly in modules with an incomplete go.mod.
func TestUntidyModules(t *testing.T) {
	const imported = `package main

import (
	_ "example.com/m/pkg/generated/clientset/versioned"
	_ "example.com/m/pkg/generated/not/there"
	_ "k8s.io/client-go/rest"
)

func main() {}
`
	for name, test := range map[string]struct {
		requirements string
		tidy         bool
		flags        string
	}{
		"without requirements":    {},
		"without go.sum":          {requirements: "\nrequire k8s.io/apimachinery v0.37.2\n"},
		"tidy for the types":      {requirements: "\nrequire k8s.io/apimachinery v0.37.2\n", tidy: true},
		"readonly":                {requirements: "\nrequire k8s.io/apimachinery v0.37.2\n", tidy: true, flags: "-mod=readonly"},
		"no vendor directory":     {requirements: "\nrequire k8s.io/apimachinery v0.37.2\n", tidy: true, flags: "-mod=vendor"},
		"another one of the same": {requirements: "\nrequire k8s.io/api v0.37.2\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := bareModule(t, test.requirements)
			if test.tidy {
				shell(t, dir, "go mod tidy")
			}
			if test.flags != "" {
				t.Setenv("GOFLAGS", test.flags)
			}
			writeFile(t, filepath.Join(dir, "main.go"), imported)
			goMod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			require.NoError(t, err)
			for range 2 {
				code, stdout, stderr := execute(t, dir)
				require.Equal(t, exitDone, code, stderr)
				assert.Equal(t, []string{"go get k8s.io/client-go@v0.37.2 ./..."}, goGet(stdout))
			}
			after, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			require.NoError(t, err)
			assert.Equal(t, string(goMod), string(after))
		})
	}
}

// TestModuleThatCannotBeFetched expects one error for the module, with the go command's reason.
func TestModuleThatCannotBeFetched(t *testing.T) {
	for name, test := range map[string]struct {
		version string
		env     map[string]string
		want    string
	}{
		"offline":                  {"v0.37.2", map[string]string{"GOPROXY": "off", "GOMODCACHE": "empty"}, "module lookup disabled by GOPROXY=off"},
		"offline, go.mod writable": {"v0.37.2", map[string]string{"GOPROXY": "off", "GOMODCACHE": "empty", "GOFLAGS": "-mod=mod"}, "module lookup disabled by GOPROXY=off"},
		"unknown version":          {"v0.37.99", nil, "reading "},
		"unknown, go.mod writable": {"v0.37.99", map[string]string{"GOFLAGS": "-mod=mod"}, "reading "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := bareModule(t, "\nrequire k8s.io/apimachinery "+test.version+"\n")
			for key, value := range test.env {
				if key == "GOMODCACHE" {
					value = t.TempDir()
				}
				t.Setenv(key, value)
			}
			code, _, stderr := execute(t, dir)
			assert.Equal(t, exitProblem, code)
			want := "api/v1/types.go:5:15: module k8s.io/apimachinery@" + test.version + " is not available: " + test.want
			assert.True(t, strings.HasPrefix(stderr, want), stderr)
			assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
			assert.NoDirExists(t, filepath.Join(dir, "pkg"))
		})
	}
}

// TestPatternInNestedModule expects an error with the owner of the packages and a command that works.
func TestPatternInNestedModule(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	writeFile(t, filepath.Join(dir, "main.go"), "package main\n")
	writeFile(t, filepath.Join(dir, "api", "go.mod"), "module example.com/m/api\n\ngo 1.26.0\n")
	writeFile(t, filepath.Join(dir, "api", "v1", "types.go"), "// +groupName=fleet.example.com\n"+oneKind)
	code, _, stderr := execute(t, dir, "./api/...")
	assert.Equal(t, exitProblem, code)
	assert.Equal(t, `./api/... belongs to module example.com/m/api in api, which is neither the main module nor in a workspace with it
	run cd api && informer-gen-lite ./..., or list both modules in a go.work
`, stderr)
	command, _, _ := strings.Cut(strings.TrimPrefix(steps(stderr)[0], "run "), ", or ")
	shell(t, dir, command)
	assert.FileExists(t, filepath.Join(dir, "api/pkg/generated/clientset/versioned/clientset.go"))

	require.NoError(t, os.RemoveAll(filepath.Join(dir, "api/pkg")))
	writeFile(t, filepath.Join(dir, "go.work"), "go 1.26.0\n\nuse (\n\t.\n\t./api\n)\n")
	code, _, stderr = execute(t, dir, "./api/...")
	assert.Equal(t, exitDone, code, stderr)
}
