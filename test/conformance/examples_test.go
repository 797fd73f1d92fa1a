package conformance

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// The examples use all of our features, some of which upstream lacks. To compare every type anyway, both sides get modified copies of
// the examples.

const (
	examplesModule = theModule + "/examples"
	examplesDir    = ourModule + "/examples"
)

// upstreamNeeds is what upstream requires in the package of the kubebuilder kind: package markers in doc.go, and the names that
// its generated code refers to.
const (
	kubebuilderPackage = "edge/v1alpha1"
	upstreamNeeds      = `// +groupName=edge-network.example.com
// +groupGoName=EdgeNetwork

package v1alpha1

import "k8s.io/apimachinery/pkg/runtime/schema"

var SchemeGroupVersion = GroupVersion

func Resource(resource string) schema.GroupResource {
	return GroupVersion.WithResource(resource).GroupResource()
}
`
)

// runtimeMarker matches the markers that add the run-time library to our output.
var runtimeMarker = regexp.MustCompile(`(?m)^// \+informergen:.*\n`)

// examplesFor copies the example API types for one side, without the markers that add the run-time library, and returns the module.
func examplesFor(t *testing.T, side string) string {
	t.Helper()
	module := newest.scratchDir(t, "examples", "apis", side)
	require.NoError(t, scratch.NewModule(module, examplesModule, examplesDir))
	apis := filepath.Join(module, "apis")
	require.NoError(t, scratch.CopyModule(filepath.Join(examplesDir, "apis"), apis))
	files, err := scratch.GoFiles(apis, ".")
	require.NoError(t, err)
	removed := 0
	for name, content := range files {
		removed += len(runtimeMarker.FindAllString(content, -1))
		require.NoError(t, os.WriteFile(filepath.Join(apis, name), []byte(runtimeMarker.ReplaceAllString(content, "")), 0o644))
	}
	require.NotZero(t, removed)
	return module
}

// examplesForUpstream copies the example API types with the changes that upstream needs, and returns the module.
func examplesForUpstream(t *testing.T) string {
	t.Helper()
	module := examplesFor(t, "upstream")
	doc := filepath.Join(module, "apis", kubebuilderPackage, "doc.go")
	content, err := os.ReadFile(doc)
	require.NoError(t, err)
	replaceInFile(t, doc, "\npackage v1alpha1\n", "\n"+upstreamNeeds)
	require.NotContains(t, string(content), "+groupName", "the package is of the other kind now: no need for a copy")
	return module
}

// repairExamples fixes compile errors in upstream's output for the examples: it looks for the apply configuration of a foreign
// type that a method applies among its own, and its fake of a method that lists a subresource has another signature than the
// interface. The fix does not affect our comparison.
func repairExamples(t *testing.T, clientset string) {
	t.Helper()
	for _, name := range []string{"workload.go", "fake/fake_workload.go"} {
		replaceInFile(t, filepath.Join(clientset, "typed", "fleet", "v1", name),
			`"`+clientsModule+`/pkg/generated/applyconfiguration/autoscaling/v1"`, `"k8s.io/client-go/applyconfigurations/autoscaling/v1"`)
	}
	replaceInFile(t, filepath.Join(clientset, "typed", kubebuilderPackage, "fake", "fake_tunnel.go"),
		"ListSessions(ctx context.Context, opts v1.ListOptions) (result *v1alpha1.TunnelList, err error) {\n",
		`ListSessions(ctx context.Context, name string, opts v1.ListOptions) (*v1alpha1.TunnelSessionList, error) {
	panic("not written by upstream")
}

func (c *fakeTunnels) listSessions(ctx context.Context, opts v1.ListOptions) (result *v1alpha1.TunnelList, err error) {
`)
}
