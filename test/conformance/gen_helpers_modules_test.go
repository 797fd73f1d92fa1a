package conformance

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// helped is a public module that ships generated defaults and conversions.
type helped struct {
	// path is the module, pinned the directory of a module that requires it.
	path, pinned string

	defaults, conversions shippedHelpers
	// always are the folders that are compared by default, if not all are.
	always []string
	// large is true if the module is compared only if all are.
	large bool
	// compiled is true if the packages with our code are compiled and vetted.
	compiled bool
}

// shippedHelpers are the files that a module ships for one product, and the options with which its script generates them.
type shippedHelpers struct {
	files int
	// also are packages of other modules that are part of upstream's run.
	also []string
	// peers are the packages in --extra-peer-dirs for a folder: "" for the module, or a folder that the script generates separately.
	peers map[string]string
}

// String returns how many of the files are equal: all are, or the test fails.
func (s shippedHelpers) String() string {
	if s.files == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", s.files, s.files)
}

// e2eFull pins the modules of Kubernetes.
const e2eFull = ourModule + "/test/e2e-full"

// coreForAll is what hack/update-codegen.sh of Kubernetes passes for all conversions.
var coreForAll = map[string]string{"": "k8s.io/kubernetes/pkg/apis/core,k8s.io/kubernetes/pkg/apis/core/v1,k8s.io/api/core/v1"}

// helpedModules are the rows of the table of defaults and conversions in docs/compatibility.md.
var helpedModules = []helped{
	{path: "k8s.io/apimachinery", pinned: ".", defaults: shippedHelpers{files: 3}, conversions: shippedHelpers{files: 3}},
	{
		path: "k8s.io/sample-apiserver", pinned: "testdata/modules/sample-apiserver", compiled: true,
		defaults: shippedHelpers{files: 2}, conversions: shippedHelpers{files: 2},
	},
	{
		path: "k8s.io/apiextensions-apiserver", pinned: "testdata/modules/apiextensions-apiserver", compiled: true,
		defaults: shippedHelpers{files: 2}, conversions: shippedHelpers{files: 2},
	},
	{
		path: "k8s.io/kube-aggregator", pinned: "testdata/modules/kube-aggregator", compiled: true,
		defaults: shippedHelpers{files: 2}, conversions: shippedHelpers{files: 2},
	},
	{path: "k8s.io/metrics", pinned: "testdata/modules/metrics", conversions: shippedHelpers{files: 6}},
	{path: "k8s.io/apiserver", pinned: e2eFull, defaults: shippedHelpers{files: 10}, conversions: shippedHelpers{files: 11}},
	{path: "k8s.io/component-base", pinned: e2eFull, conversions: shippedHelpers{files: 1}},
	{path: "k8s.io/controller-manager", pinned: e2eFull, conversions: shippedHelpers{files: 2}},
	{path: "k8s.io/cloud-provider", pinned: e2eFull, defaults: shippedHelpers{files: 1}, conversions: shippedHelpers{files: 4}},
	{path: "k8s.io/kubelet", pinned: e2eFull, defaults: shippedHelpers{files: 3}, conversions: shippedHelpers{files: 4}},
	{path: "k8s.io/pod-security-admission", pinned: e2eFull, defaults: shippedHelpers{files: 3}, conversions: shippedHelpers{files: 3}},
	{
		path: "k8s.io/kubernetes", pinned: e2eFull,
		defaults:    shippedHelpers{files: 68, also: []string{"k8s.io/cloud-provider/config/v1alpha1"}},
		conversions: shippedHelpers{files: 100, peers: coreForAll},
		always: []string{
			"pkg/apis/apps/v1", "pkg/apis/apps/v1beta2", "pkg/apis/autoscaling/v1", "pkg/apis/batch/v1", "pkg/apis/core/v1",
			"pkg/apis/networking/v1", "pkg/apis/resource/v1beta1", "pkg/apis/storage/v1", "pkg/kubelet/apis/config/v1beta1",
			"pkg/scheduler/apis/config/v1",
		},
	},
	{
		path: "sigs.k8s.io/cluster-api", pinned: "testdata/modules/cluster-api",
		conversions: shippedHelpers{files: 11, peers: map[string]string{"api/ipam/v1alpha1": "sigs.k8s.io/cluster-api/api/ipam/v1beta1"}},
	},
	{
		path: "sigs.k8s.io/descheduler", pinned: "testdata/modules/descheduler",
		defaults: shippedHelpers{files: 13}, conversions: shippedHelpers{files: 2},
	},
	{path: "sigs.k8s.io/kueue", pinned: "testdata/modules/kueue", defaults: shippedHelpers{files: 4}, conversions: shippedHelpers{files: 4}},
	{path: "sigs.k8s.io/kwok", pinned: "testdata/modules/kwok", defaults: shippedHelpers{files: 3}, conversions: shippedHelpers{files: 1}},
	{path: "volcano.sh/apis", pinned: "testdata/modules/volcano", defaults: shippedHelpers{files: 2}, conversions: shippedHelpers{files: 2}},
	{
		path: "github.com/cert-manager/cert-manager", pinned: "testdata/modules/cert-manager",
		defaults: shippedHelpers{files: 7}, conversions: shippedHelpers{files: 7},
	},
	{
		path: "github.com/cilium/cilium", pinned: "testdata/modules/cilium", large: true,
		defaults: shippedHelpers{files: 2}, conversions: shippedHelpers{files: 1},
	},
}

// TestShippedDefaults generates the defaults that public modules ship. Their code is the same.
func TestShippedDefaults(t *testing.T) { defaults.testShipped(t) }

// TestShippedConversions generates the conversions that public modules ship. Their code is the same.
func TestShippedConversions(t *testing.T) { conversions.testShipped(t) }

func (h *helpers) testShipped(t *testing.T) {
	t.Helper()
	needsFinal(t)
	ours := string(buildOurs(t))
	for _, m := range helpedModules {
		shipped := h.shippedBy(m)
		if shipped.files == 0 {
			continue
		}
		t.Run(m.path, func(t *testing.T) {
			if m.large && !allReleases() {
				t.Skip("large: set " + allVariable)
			}
			dir := newest.scratchDir(t, h.product, "modules", path.Base(m.path))
			m.copyTo(t, dir)
			always, files := m.always, len(m.always)
			if always == nil || allReleases() {
				always, files = []string{"."}, shipped.files
			}
			theirs := h.remove(t, dir, always...)
			assert.Len(t, theirs, files)
			shipped.generate(t, dir, theirs, ours, h.product)
			h.assertSame(t, newest, theirs, h.in(t, dir, always...))
			if m.compiled {
				packages := packagesOf(theirs)
				run(t, dir, "go", append([]string{"build", "-trimpath"}, packages...)...)
				run(t, dir, "go", append([]string{"vet", "-trimpath"}, packages...)...)
			}
		})
	}
}

// generate runs our program for the packages of files, once for all with the same extra peers.
func (s shippedHelpers) generate(t *testing.T, dir string, files map[string]string, ours, product string) {
	t.Helper()
	calls := map[string][]string{}
	for _, folder := range packagesOf(files) {
		peers, separate := s.peers[strings.TrimPrefix(folder, "./")]
		if !separate {
			peers = s.peers[""]
		}
		calls[peers] = append(calls[peers], folder)
	}
	for _, peers := range slices.Sorted(maps.Keys(calls)) {
		args := []string{"generate", "--only", product, "--output-dir", "generated", "--extra-peer-dirs", peers}
		run(t, dir, ours, slices.Concat(args, s.also, calls[peers])...)
	}
}

// packagesOf returns the packages of files, as arguments for a command.
func packagesOf(files map[string]string) []string {
	var packages []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		packages = append(packages, "./"+path.Dir(name))
	}
	return packages
}

// copyTo copies the module. Modules of Kubernetes replace each other by folders of their repository, which the copy has not.
func (m helped) copyTo(t *testing.T, dir string) {
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
