package conformance

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

const defaultsFile = "zz_generated.defaults.go"

// defaultsTests is the folder of code-generator with inputs of defaulter-gen.
const defaultsTests = "cmd/defaulter-gen/output_tests"

// defaultsCases are our cases, of which defaulter-gen gets the same input, with the packages.
var defaultsCases = []struct{ name, packages string }{
	{"defaults", "."}, {"defaults_requested", "."}, {"defaults_lost", "api/v1"},
}

// otherDefaults are the files that only one side writes, up to a release or always, with the reasons.
var otherDefaults = []struct{ file, until, reason string }{
	{"api/v2/" + defaultsFile, "", "only a type has the marker; since v0.36, that is not enough for defaulter-gen"},
	{"internal/apis/v6/" + defaultsFile, "", "the marker is in another file than doc.go"},
	{"internal/apis/v4/" + defaultsFile, "v0.36", "the marker is false; until v0.37, that was a name of fields for defaulter-gen"},
}

// TestDefaults compares the code of defaults with the output of defaulter-gen: for its own inputs, and for our cases.
func TestDefaults(t *testing.T) { forReleases(t, testDefaults) }

func testDefaults(t *testing.T, r release) {
	bin, err := scratch.Build(r.dir, r.name, "k8s.io/code-generator/cmd/defaulter-gen")
	require.NoError(t, err)
	ours := string(buildOurs(t))
	upstream := func(t *testing.T, dir, below string) {
		t.Helper()
		run(t, dir, filepath.Join(bin, "defaulter-gen"), append([]string{"--output-file", defaultsFile}, withDefaults(t, dir, below)...)...)
	}
	t.Run("output_tests", func(t *testing.T) {
		theirDir, ourDir := r.scratchDir(t, "defaults", "theirs"), r.scratchDir(t, "defaults", "ours")
		for _, dir := range []string{theirDir, ourDir} {
			r.copyModule(t, "k8s.io/code-generator", dir)
			removeDefaults(t, dir)
		}
		upstream(t, theirDir, defaultsTests)
		run(t, ourDir, ours, "--only", "defaults", "./"+defaultsTests+"/...")
		r.assertSameDefaults(t, defaultsIn(t, theirDir), defaultsIn(t, ourDir))
		run(t, ourDir, "go", "test", "-trimpath", "-vet=off", "./"+defaultsTests+"/...")
	})
	for _, c := range defaultsCases {
		t.Run(c.name, func(t *testing.T) {
			theirDir, ourDir := r.caseDir(t, c.name, "theirs"), r.caseDir(t, c.name, "ours")
			upstream(t, theirDir, c.packages)
			run(t, ourDir, ours, "--only", "deepcopy,defaults", "./"+path.Join(c.packages, "..."))
			r.assertSameDefaults(t, defaultsIn(t, theirDir), defaultsIn(t, ourDir))
			run(t, ourDir, "go", "vet", "-trimpath", "./...")
		})
	}
}

// withDefaults returns the packages below a folder with a marker about defaults, which are the input of defaulter-gen in code-generator's
// script.
func withDefaults(t *testing.T, dir, below string) []string {
	t.Helper()
	files, err := scratch.GoFiles(dir, below)
	require.NoError(t, err)
	packages := map[string]bool{}
	for name, content := range files {
		if strings.Contains(content, "// +k8s:defaulter-gen=") {
			packages["./"+path.Dir(name)] = true
		}
	}
	return slices.Sorted(maps.Keys(packages))
}

// caseDir creates a module with the input of a case, and returns its directory.
func (r release) caseDir(t *testing.T, name, side string) string {
	t.Helper()
	dir := r.scratchDir(t, "defaults", name, side)
	require.NoError(t, scratch.NewModule(dir, "example.com/"+name, r.dir))
	archive, err := txtar.ParseFile(filepath.Join(ourModule, "testdata", "cases", name+".txtar"))
	require.NoError(t, err)
	for _, file := range archive.Files {
		if path.Ext(file.Name) == ".go" && !strings.HasPrefix(file.Name, "want/") {
			to := filepath.Join(dir, filepath.FromSlash(file.Name))
			require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
			require.NoError(t, os.WriteFile(to, file.Data, 0o644))
		}
	}
	return dir
}

// assertSameDefaults compares files that are not equal for a known reason.
func (r release) assertSameDefaults(t *testing.T, theirs, ours map[string]string) {
	t.Helper()
	for _, other := range otherDefaults {
		if (theirs[other.file] == "" || ours[other.file] == "") && (other.until == "" || r.name <= other.until) {
			delete(theirs, other.file)
			delete(ours, other.file)
		}
	}
	measured, different := r.compareCode(t, theirs, ours)
	assert.Empty(t, different)
	assert.NotZero(t, measured.equal)
	t.Log(&measured)
}

// defaultsIn returns the files with generated defaults in a directory.
func defaultsIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := scratch.GoFiles(dir, ".")
	require.NoError(t, err)
	maps.DeleteFunc(files, func(name, _ string) bool { return path.Base(name) != defaultsFile })
	return files
}

// removeDefaults removes the files with generated defaults, and returns them.
func removeDefaults(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := defaultsIn(t, dir)
	require.NotEmpty(t, files)
	for name := range files {
		require.NoError(t, os.Remove(filepath.Join(dir, filepath.FromSlash(name))))
	}
	return files
}

// defaulting is a module that ships generated defaults.
type defaulting struct {
	// path is the module, pinned the directory of a module that requires it.
	path, pinned string
	// also are packages of other modules that are part of upstream's run.
	also []string
	// large is true if the module is compared only if all are.
	large bool
}

// e2eFull pins the modules of Kubernetes.
const e2eFull = ourModule + "/test/e2e-full"

// defaultingModules are the modules whose shipped defaults are compared with ours.
var defaultingModules = []defaulting{
	{path: "k8s.io/apimachinery", pinned: "."},
	{path: "k8s.io/sample-apiserver", pinned: "testdata/modules/sample-apiserver"},
	{path: "k8s.io/apiextensions-apiserver", pinned: "testdata/modules/apiextensions-apiserver"},
	{path: "k8s.io/kube-aggregator", pinned: "testdata/modules/kube-aggregator"},
	{path: "k8s.io/apiserver", pinned: e2eFull},
	{path: "k8s.io/cloud-provider", pinned: e2eFull},
	{path: "k8s.io/kubelet", pinned: e2eFull},
	{path: "k8s.io/pod-security-admission", pinned: e2eFull},
	{path: "sigs.k8s.io/kueue", pinned: "testdata/modules/kueue"},
	{path: "sigs.k8s.io/kwok", pinned: "testdata/modules/kwok"},
	{path: "volcano.sh/apis", pinned: "testdata/modules/volcano"},
	{path: "github.com/cert-manager/cert-manager", pinned: "testdata/modules/cert-manager"},
	{path: "github.com/cilium/cilium", pinned: "testdata/modules/cilium", large: true},
	{path: "k8s.io/kubernetes", pinned: e2eFull, also: []string{"k8s.io/cloud-provider/config/v1alpha1"}, large: true},
}

// TestShippedDefaults generates the defaults that public modules ship. Their code is the same.
func TestShippedDefaults(t *testing.T) {
	needsFinal(t)
	ours := string(buildOurs(t))
	for _, m := range defaultingModules {
		t.Run(m.path, func(t *testing.T) {
			if m.large && !allReleases() {
				t.Skip("large: set " + allVariable)
			}
			dir := newest.scratchDir(t, "defaults", "modules", path.Base(m.path))
			m.copyTo(t, dir)
			theirs := removeDefaults(t, dir)
			args := append([]string{"generate", "--only", "defaults", "--output-dir", "generated"}, m.also...)
			for _, name := range slices.Sorted(maps.Keys(theirs)) {
				args = append(args, "./"+path.Dir(name))
			}
			run(t, dir, ours, args...)
			newest.assertSameDefaults(t, theirs, defaultsIn(t, dir))
		})
	}
}

// copyTo copies the module. Modules of Kubernetes replace each other by folders of their repository, which the copy has not.
func (m defaulting) copyTo(t *testing.T, dir string) {
	t.Helper()
	pinning := release{model.DefaultTarget.String(), m.pinned}
	require.NoError(t, scratch.CopyModule(pinning.moduleDir(t, m.path), dir))
	for _, name := range []string{"go.work", "go.work.sum", "vendor", ".informer-gen.yaml"} {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, name)))
	}
	if m.pinned != e2eFull {
		return
	}
	libraries := strings.TrimSpace(run(t, newest.dir, "go", "list", "-m", "-f", "{{.Version}}", "k8s.io/apimachinery"))
	mod, sum := filepath.Join(dir, "go.mod"), filepath.Join(dir, "go.sum")
	content, err := os.ReadFile(mod)
	require.NoError(t, err)
	var lines []string
	for line := range strings.Lines(string(content)) {
		if old, _, replaced := strings.Cut(strings.TrimSpace(line), " => ./staging/"); replaced {
			line = "\t" + old + " => " + old + " " + libraries + "\n"
		}
		lines = append(lines, line)
	}
	require.NoError(t, os.WriteFile(mod, []byte(strings.Join(lines, "")), 0o644))
	pinned, err := os.ReadFile(filepath.Join(m.pinned, "go.sum"))
	require.NoError(t, err)
	own, err := os.ReadFile(sum)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(sum, append(own, pinned...), 0o644))
}
