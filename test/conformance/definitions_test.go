package conformance

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/generate"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// defining is a public module that ships CustomResourceDefinitions, or the types for them.
type defining struct {
	// module is the module with its version, and packages the pattern of the packages with kinds.
	module, packages string
	// always is true if the module is compared by default, and not only if all are.
	always bool
}

var definingModules = []defining{
	{"sigs.k8s.io/gateway-api@v1.6.3", "./...", true},
	{"github.com/kubernetes-csi/external-snapshotter/client/v8@v8.7.0", "./apis/...", true},
	{"github.com/fluxcd/source-controller/api@v1.9.6", "./...", true},
	{"github.com/fluxcd/kustomize-controller/api@v1.9.0", "./...", false},
	{"github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring@v0.95.2", "./...", false},
	{"github.com/argoproj/argo-rollouts@v1.9.0", "./pkg/apis/...", false},
	{"sigs.k8s.io/kueue@v0.17.0", "./apis/...", false},
	{"github.com/kedacore/keda/v2@v2.21.0", "./apis/...", false},
	{"github.com/cert-manager/cert-manager@v1.21.2", "./pkg/apis/...", false},
	{"github.com/chaos-mesh/chaos-mesh/api@v0.0.0-20260906172039-d70b66ad97ac", "./...", false},
	{"sigs.k8s.io/kwok@v0.8.0", "./pkg/apis/v1alpha1", false},
	{"volcano.sh/apis@v1.14.0", "./pkg/apis/scheduling/v1beta1", false},
}

// TestDefinitions generates the CustomResourceDefinitions of public modules, which must be the files that controller-gen writes.
func TestDefinitions(t *testing.T) {
	needsFinal(t)
	ours, theirs := buildOurs(t), buildControllerGen(t)
	for _, m := range definingModules {
		t.Run(m.module, func(t *testing.T) {
			if !m.always && !allReleases() {
				t.Skip("set " + allVariable + " to compare with all modules")
			}
			m.test(t, ours, theirs)
		})
	}
}

// TestDefinitionForms generates the definition of the case with all forms of types, which controller-gen writes in the same way.
func TestDefinitionForms(t *testing.T) {
	needsFinal(t)
	controllerGen := buildControllerGen(t)
	dir := caseDir(t, newest, "crd_forms", "definitions")
	_, err := scratch.Run(dir, controllerGen, "crd:allowDangerousTypes=true", "paths=./...", "output:crd:dir=theirs")
	require.NoError(t, err)
	archive, err := txtar.ParseFile(caseFile("crd_forms"))
	require.NoError(t, err)
	wanted := map[string]string{}
	for _, file := range archive.Files {
		if name, ok := strings.CutPrefix(file.Name, "want/config/crd/"); ok {
			wanted[name] = string(file.Data)
		}
	}
	assert.Equal(t, wanted, manifestsIn(t, filepath.Join(dir, "theirs")))
}

// buildControllerGen compiles controller-gen at the version that this program links, and returns the executable.
func buildControllerGen(t *testing.T) string {
	t.Helper()
	const module = "sigs.k8s.io/controller-tools"
	version, err := scratch.Run(".", "go", "list", "-m", "-f={{.Version}}", module)
	require.NoError(t, err)
	bin, err := scratch.Build(".", "controller-tools", "-ldflags=-X="+module+"/pkg/version.version="+version[:len(version)-1], module+"/cmd/controller-gen")
	require.NoError(t, err)
	return filepath.Join(bin, "controller-gen")
}

func (m defining) test(t *testing.T, ours generate.Ours, controllerGen string) {
	t.Helper()
	t.Setenv("GOFLAGS", "-mod=mod") // the modules need not be tidy
	dir := newest.scratchDir(t, "definitions", filepath.Base(m.module))
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.CopyFS(dir, os.DirFS(newest.moduleDir(t, m.module))))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "vendor")))
	writable(t, dir)

	// Types with floating-point numbers are an error for both without this option.
	start := time.Now()
	_, err := scratch.Run(dir, controllerGen, "crd:allowDangerousTypes=true", "paths="+m.packages, "output:crd:dir=theirs")
	require.NoError(t, err)
	theirTime := time.Since(start)
	start = time.Now()
	_, err = scratch.Run(dir, string(ours), "--only", "crd", "--crd-output-dir", "ours", "--crd-options", "allowDangerousTypes=true", m.packages)
	require.NoError(t, err)
	t.Logf("%.1f s, controller-gen %.1f s", time.Since(start).Seconds(), theirTime.Seconds())

	wanted, have := manifestsIn(t, filepath.Join(dir, "theirs")), manifestsIn(t, filepath.Join(dir, "ours"))
	assert.Equal(t, slices.Sorted(maps.Keys(wanted)), slices.Sorted(maps.Keys(have)))
	for name, content := range wanted {
		assert.Equal(t, content, have[name], name)
	}
}

// writable makes a copy of read-only files writable.
func writable(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, exec.CommandContext(t.Context(), "chmod", "-R", "u+w", dir).Run())
}

// manifestsIn returns the files of a folder by name.
func manifestsIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	contents := map[string]string{}
	for _, name := range names {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		contents[filepath.Base(name)] = string(content)
	}
	return contents
}
