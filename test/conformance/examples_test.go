package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// The examples use everything that we understand; upstream does not understand all of it. So that each type can be
// compared all the same, upstream gets a copy of them in which the following is said in its own way.

// upstreamNeeds is what upstream wants to have in the package of the kubebuilder kind: package tags in doc.go, and
// the names that its generated code refers to.
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

// examplesForUpstream copies the example API types, with the changes that upstream needs, and returns the module.
func examplesForUpstream(t *testing.T) string {
	t.Helper()
	module := newest.scratchDir(t, "examples", "apis")
	require.NoError(t, scratch.CopyModule(filepath.Join(ourModule, "examples", "apis"), filepath.Join(module, "examples", "apis")))
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(ourModule, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(module, name), content, 0o644))
	}
	doc := filepath.Join(module, "examples", "apis", kubebuilderPackage, "doc.go")
	content, err := os.ReadFile(doc)
	require.NoError(t, err)
	replaceInFile(t, doc, "\npackage v1alpha1\n", "\n"+upstreamNeeds)
	require.NotContains(t, string(content), "+groupName", "the package is of the other kind now: no need for a copy")
	return module
}

// repairExamples makes what upstream wrote for the examples compile. It looks for the apply configuration of a foreign
// type that a method applies among its own. And its fake of a method that lists a subresource has another signature than
// the interface; with the right one it is as good as the interface for our comparison.
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
