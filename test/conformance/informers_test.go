package conformance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

const libraryModule = theModule + "/runtime"

// notPorted are the tests of client-go's informers that do not apply to those of the library.
var notPorted = map[string]string{
	"TestResyncCheckPeriod":             "it reads private fields",
	"TestSharedInformerWatchDisruption": "it steps a clock that is a private field",
	"TestAddOnStoppedSharedInformer":    "stopped informers accept handlers, because they can be restarted",
}

// TestInformersOfClientGo runs client-go's own tests of informers against those of the library, for each release that the library
// supports. The tests are read from the module cache, and the constructor and helpers are replaced.
func TestInformersOfClientGo(t *testing.T) {
	forReleases(t, func(t *testing.T, r release) {
		if r.name < model.OldestRuntimeTarget.String() { // all have two digits
			t.Skip("the library needs " + model.OldestRuntimeTarget.String())
		}
		dir := r.scratchDir(t, "informers")
		require.NoError(t, scratch.NewModule(dir, "conformance.example/ported", r.dir))
		library, err := filepath.Abs(filepath.Join(ourModule, "runtime"))
		require.NoError(t, err)
		run(t, dir, "go", "mod", "edit", "-require", libraryModule+"@v0.0.0", "-replace", libraryModule+"="+library)
		helpers, err := os.ReadFile("testdata/informers/helpers.go.txt")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "helpers_test.go"), helpers, 0o644))
		source := filepath.Join(r.moduleDir(t, clientGo), "tools", "cache")
		ported, tests := port(t, filepath.Join(source, "shared_informer_test.go"))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "shared_informer_test.go"), ported, 0o644))
		out := run(t, dir, "go", "test", "-mod=mod", "-race", "-vet=off", "-count=1", "-v", ".")
		for _, test := range tests {
			assert.Contains(t, out, "--- PASS: "+test+" ")
		}
		t.Logf("%d tests of client-go pass", len(tests))
	})
}

// helpersOfClientGo are the functions that the port has its own versions of.
var helpersOfClientGo = []string{"eventHandlerCount", "isStarted", "isRegistered"}

// port returns a test file of client-go's package cache for another package, and the names of its tests.
func port(t *testing.T, name string) (ported []byte, tests []string) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments)
	require.NoError(t, err)
	left := ""
	at := 0
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if notPorted[f.Name.Name] == "" && !slices.Contains(helpersOfClientGo, f.Name.Name) {
			if strings.HasPrefix(f.Name.Name, "Test") {
				tests = append(tests, f.Name.Name)
			}
			continue
		}
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		left += string(text[at:files.Position(start).Offset])
		at = files.Position(f.End()).Offset
	}
	left += string(text[at:])
	left = regexp.MustCompile(`(?m)^package cache$`).ReplaceAllString(left, "package ported")
	left = strings.Replace(left, "import (\n", "import (\n\t. \"k8s.io/client-go/tools/cache\"\n", 1)
	left = strings.ReplaceAll(left, "NewSharedInformer(", "newInformer(")
	left = strings.ReplaceAll(left, ".(*sharedIndexInformer)", "")
	// Informers of the library accept handlers after they have stopped, so the workers of TestSharedInformerHandlerAbuse need a signal.
	left = strings.Replace(left, "\tinformerCancel()\n", "\tinformerCancel()\n\tcancel()\n", 1)
	left += "\nvar _ = testingclock.NewFakeClock\n"
	require.NotEmpty(t, tests)
	return []byte(left), tests
}
