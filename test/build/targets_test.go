package build_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

const repositoryModule = "github.com/informer-gen-lite/informer-gen-lite"

// TestTargets generates and scaffolds everything for the types of the examples, in a module of the same path that builds with an older
// release of client-go. It runs the tests of the emitted run-time code and of the scaffold there, and vet reports what the standard
// library lacks in the Go version that the release requires. Each release takes minutes, so the default is only the oldest;
// make targets runs all. The emitted packages' own tests cover the newest.
func TestTargets(t *testing.T) {
	for _, target := range model.Targets() {
		if target == model.NewestTarget || target != model.OldestTarget && os.Getenv("INFORMER_GEN_LITE_ALL_TARGETS") == "" {
			continue
		}
		t.Run(target.String(), func(t *testing.T) {
			s := doctest.Session{T: t, Root: root, Dir: t.TempDir(), Bin: bin(t)}
			requirementsOf(s, "testdata/targets/"+target.String(), repositoryModule)
			require.NoError(t, os.CopyFS(filepath.Join(s.Dir, "examples/apis"), os.DirFS(root.Path("examples/apis"))))
			const flags = " --output-dir examples/generated --external-applyconfigurations k8s.io/api/core/v1.EnvVar:k8s.io/client-go/applyconfigurations/core/v1"
			must(s, "informer-gen-lite generate"+flags+" && informer-gen-lite scaffold Workload Region"+flags)
			packages := []string{"controllers", "controllers/controllertest", "cached", "fake", "reader", "shared"}
			for _, pkg := range packages {
				emitTests(s, target, pkg)
			}
			// All checks would also run on the dependencies. The tests in emit are for our version of Go.
			must(s, "go vet -stdversion ./cmd/... ./examples/... ./internal/...")
			skip := ""
			if target.Minor < 35 {
				// Their informers do not run in a synctest bubble; the scaffolded tests run controllers without one. Their fakes do not
				// send objects that are created between list and watch.
				skip = " -skip='^TestController|^TestObjectsOfTrackers'"
			}
			out := must(s, "go test -vet=off -timeout=2m ./emit/..."+skip+" && go test -vet=off -timeout=2m ./internal/...")
			assert.Equal(t, len(packages)+2, strings.Count(out, "ok  \t"), out)
		})
	}
}

// requirementsOf writes a go.mod for a new module with the requirements of a module of the repository.
func requirementsOf(s doctest.Session, dir, modulePath string) {
	s.T.Helper()
	text, err := os.ReadFile(root.Path(dir + "/go.mod"))
	require.NoError(s.T, err)
	file, err := modfile.Parse("go.mod", text, nil)
	require.NoError(s.T, err)
	require.NoError(s.T, file.AddModuleStmt(modulePath))
	text, err = file.Format()
	require.NoError(s.T, err)
	s.Write("go.mod", string(text))
	text, err = os.ReadFile(root.Path(dir + "/go.sum"))
	require.NoError(s.T, err)
	s.Write("go.sum", string(text))
}

// emitTests copies a package of run-time code with its tests, without the lines and files that the target does not support.
func emitTests(s doctest.Session, target model.Target, pkg string) {
	s.T.Helper()
	names, err := filepath.Glob(root.Path("emit/" + pkg + "/*.go"))
	require.NoError(s.T, err)
	for _, name := range names {
		if strings.HasPrefix(filepath.Base(name), "identity") && !target.InformerNames() {
			continue
		}
		src, err := os.ReadFile(name)
		require.NoError(s.T, err)
		src, err = render.Capable(src, complete{target})
		require.NoError(s.T, err)
		s.Write("emit/"+pkg+"/"+filepath.Base(name), string(src))
	}
}

// complete is a target that also has the capabilities that depend on the API.
type complete struct{ model.Target }

// Has shadows the method of model.Target.
func (c complete) Has(capability string) (bool, error) {
	if capability == "OwnsBuiltIn" || capability == "WithApply" {
		return true, nil
	}
	return c.Target.Has(capability)
}
