package build_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

const repositoryModule = "github.com/informer-gen-lite/informer-gen-lite"

// TestTargets generates and scaffolds everything for the types of the examples, in a module of the same path that builds with an older
// release of client-go. It tests the fakes there and, from the first release with run-time code on, the scaffold. Vet reports what the
// standard library lacks in the Go version that the release requires. Each release takes minutes, so the default is the oldest one
// without and with run-time code; make targets runs all.
func TestTargets(t *testing.T) {
	for _, target := range model.Targets() {
		oldest := target == model.OldestTarget || target == model.OldestRuntimeTarget
		if target == model.DefaultTarget || !oldest && os.Getenv("INFORMER_GEN_LITE_ALL_TARGETS") == "" {
			continue
		}
		t.Run(target.String(), func(t *testing.T) {
			s := doctest.Session{T: t, Root: root, Dir: t.TempDir(), Bin: bin(t)}
			requirementsOf(s, "testdata/targets/"+target.String(), repositoryModule+"/examples")
			require.NoError(t, os.CopyFS(filepath.Join(s.Dir, "apis"), os.DirFS(root.Path("examples/apis"))))
			const flags = " --output-dir generated --external-applyconfigurations k8s.io/api/core/v1.EnvVar:k8s.io/client-go/applyconfigurations/core/v1"
			if !target.Runtime() {
				must(s, `grep -rl '// +informergen:' apis | xargs sed -i 's|// +informergen:.*|//|'`)
			}
			printed := must(s, "informer-gen-lite generate"+flags)
			if target.Runtime() {
				getMissing(s, printed)
			}
			copyFile(s, "examples/tests/fake_test.go", "tests/fake_test.go")
			must(s, "go test -timeout=2m ./tests")
			if !target.Runtime() {
				must(s, "go vet -stdversion ./...")
				return
			}
			must(s, "informer-gen-lite scaffold Workload Region"+flags)
			// All checks would also run on the dependencies.
			must(s, "go vet -stdversion ./... && go test -vet=off -timeout=2m ./internal/...")
		})
	}
}

// copyFile copies a file of the repository.
func copyFile(s doctest.Session, from, to string) {
	s.T.Helper()
	text, err := os.ReadFile(root.Path(from))
	require.NoError(s.T, err)
	s.Write(to, string(text))
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
