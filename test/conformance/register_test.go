package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// registered are the packages of the examples to register again, without their handwritten registration.
var registered = []string{"fleet/v1", "fleet/v1alpha1", "fleet/v1beta1", "review/v1"}

// TestRegister compares the exported API of packages registered by register-gen with ours.
func TestRegister(t *testing.T) { forReleases(t, testRegister) }

func testRegister(t *testing.T, r release) {
	theirs, ours := r.unregistered(t, "upstream"), r.unregistered(t, "ours")
	bin, err := scratch.Build(r.dir, r.name, "k8s.io/code-generator/cmd/register-gen")
	require.NoError(t, err)
	run(t, theirs, filepath.Join(bin, "register-gen"), "--output-file", "zz_generated.register.go", "./apis/...")
	run(t, ours, string(buildOurs(t)), "generate", "./apis/...", "--only", "register")
	for _, dir := range []string{theirs, ours} {
		for _, pkg := range registered {
			require.FileExists(t, filepath.Join(dir, "apis", filepath.FromSlash(pkg), "zz_generated.register.go"))
		}
		run(t, dir, "go", "vet", "-trimpath", "./apis/...")
	}
	assertSameAPI(t, comparison{"register", theirs, ours, clientsModule + "/apis"}, "./apis/...")
}

// unregistered creates a module of the packages without their registration, and returns its directory.
func (r release) unregistered(t *testing.T, side string) string {
	t.Helper()
	dir := r.scratchDir(t, "register", side)
	require.NoError(t, scratch.NewModule(dir, clientsModule, r.dir))
	for _, pkg := range registered {
		to := filepath.Join(dir, "apis", filepath.FromSlash(pkg))
		require.NoError(t, scratch.CopyModule(filepath.Join(ourModule, "examples", "apis", filepath.FromSlash(pkg)), to))
		for _, name := range []string{"register.go", "zz_generated.register.go"} {
			require.NoError(t, os.RemoveAll(filepath.Join(to, name)))
		}
	}
	return dir
}
