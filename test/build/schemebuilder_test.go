package build_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

// TestSchemeBuilder replaces controller-runtime's scheme.Builder in the layouts that kubebuilder's users have. Everything is vetted and
// tested before and after.
func TestSchemeBuilder(t *testing.T) {
	for name, modules := range map[string][]string{"single-group": {"."}, "multi-group": {"."}, "api-module": {"api", "."}} {
		t.Run(name, func(t *testing.T) {
			s := doctest.Session{T: t, Root: root, Dir: t.TempDir(), Bin: bin(t)}
			layout(s, name, modules)
			test := func() {
				for _, dir := range modules {
					must(s, "cd "+dir+" && go vet ./... && go test ./...")
				}
			}
			test()
			must(s, "git init -q && git add . && git -c user.name=x -c user.email=x@example.com commit -qm x")
			api := modules[0]
			printed := must(s, "cd "+api+" && informer-gen-lite migrate --scheme-builder")
			require.Len(t, steps(printed), 1, printed)
			must(s, "cd "+api+" && "+steps(printed)[0])
			test()
			must(s, "cd "+api+" && informer-gen-lite verify")
			// Only the API packages: those of the single module include its controllers.
			deps := must(s, "cd "+api+" && go list -deps $(go list ./... | grep '/apis\\?/')")
			assert.Contains(t, deps, "k8s.io/apimachinery/pkg/runtime\n")
			assert.NotContains(t, deps, "sigs.k8s.io/controller-runtime")
			assert.Equal(t, api == ".", strings.Contains(readFile(s, api+"/go.mod"), "controller-runtime"), "controllers require it")

			must(s, "git add . && git -c user.name=x -c user.email=x@example.com commit -qm y")
			assert.Contains(t, must(s, "cd "+api+" && informer-gen-lite migrate --scheme-builder"), "no scheme.Builder of controller-runtime in ")
			assert.Empty(t, must(s, "git status --porcelain"), "a second run changes nothing")
		})
	}
}

// layout writes a project with the requirements of the example for kubebuilder, and deep copies as controller-gen writes them.
func layout(s doctest.Session, name string, modules []string) {
	s.T.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "schemebuilder", name+".txtar"))
	require.NoError(s.T, err)
	for _, f := range archive.Files {
		s.Write(f.Name, string(f.Data))
	}
	requirementsOf(s, "examples/kubebuilder", "example.com/fleet")
	file, err := modfile.Parse("go.mod", []byte(readFile(s, "go.mod")), nil)
	require.NoError(s.T, err)
	const library = "github.com/informer-gen-lite/informer-gen-lite/runtime"
	require.NoError(s.T, file.DropRequire(library))
	require.NoError(s.T, file.DropReplace(library, ""))
	for _, dir := range modules {
		if dir == "." {
			continue
		}
		require.NoError(s.T, file.AddModuleStmt("example.com/fleet/"+dir))
		text, err := file.Format()
		require.NoError(s.T, err)
		s.Write(dir+"/go.mod", string(text))
		s.Write(dir+"/go.sum", readFile(s, "go.sum"))
		require.NoError(s.T, file.AddModuleStmt("example.com/fleet"))
		require.NoError(s.T, file.AddRequire("example.com/fleet/"+dir, "v0.0.0"))
		require.NoError(s.T, file.AddReplace("example.com/fleet/"+dir, "", "./"+dir, ""))
	}
	text, err := file.Format()
	require.NoError(s.T, err)
	s.Write("go.mod", string(text))
	for _, dir := range modules[:1] {
		must(s, "cd "+dir+" && informer-gen-lite --only deepcopy --output-dir . ./... && rm zz_generated.sum")
	}
	for _, dir := range modules {
		must(s, "cd "+dir+" && go mod tidy")
	}
	copies := must(s, "find . -name zz_generated.deepcopy.go")
	require.NotEmpty(s.T, copies)
	for name := range strings.FieldsSeq(copies) {
		s.Write(name, strings.Replace(readFile(s, name), "by informer-gen-lite", "by controller-gen", 1))
	}
}
