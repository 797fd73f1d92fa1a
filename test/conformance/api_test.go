package conformance

import (
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/generate"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

const theModule = "github.com/informer-gen-lite/informer-gen-lite"

// TestAPI generates clients for API types of other projects and our own, in the default folders. TestClientGo covers the types of
// Kubernetes itself, and TestModules those of modules that ship clients.
func TestAPI(t *testing.T) {
	needsFinal(t)
	gatewayAPI := []string{"sigs.k8s.io/gateway-api/apis/...", "sigs.k8s.io/gateway-api/apisx/..."}
	t.Run("examples", func(t *testing.T) {
		theirs, ours := clientsOutput(t, "examples", "upstream"), clientsOutput(t, "examples", "ours")
		run(t, theirs.Dir, "go", "mod", "edit", "-replace", examplesModule+"="+examplesForUpstream(t))
		run(t, ours.Dir, "go", "mod", "edit", "-replace", examplesModule+"="+examplesFor(t, "ours"))
		theirs, ours = applied(theirs), applied(ours)
		input := generate.Input{
			Patterns:                    []string{examplesModule + "/apis/..."},
			ExternalApplyConfigurations: []string{"k8s.io/api/core/v1.EnvVar:k8s.io/client-go/applyconfigurations/core/v1"},
		}
		newest.generateBoth(t, input, theirs, ours)
		repairExamples(t, filepath.Join(theirs.Dir, theirs.Folder, theirs.Clientset))
		compareOutputs(t, "examples", theirs, ours)
	})
	t.Run("gateway-api with apply configurations", func(t *testing.T) {
		theirs := applied(clientsOutput(t, "gateway-api-applied", "upstream"))
		ours := applied(clientsOutput(t, "gateway-api-applied", "ours"))
		newest.generateBoth(t, generate.Input{Patterns: gatewayAPI}, theirs, ours)
		shipGatewayApplyConfigurations(t, theirs)
		compareOutputs(t, "gateway-api", theirs, ours)
		t.Run("same schema", func(t *testing.T) {
			assertSameSchema(t, "gateway-api", filepath.Join(theirs.Dir, theirs.Folder, applyConfigurations),
				filepath.Join(ours.Dir, ours.Folder, applyConfigurations))
		})
	})
}

// applyConfigurations is the default folder of apply configurations.
const applyConfigurations = "applyconfiguration"

// applied returns an output that also has apply configurations.
func applied(out generate.Output) generate.Output {
	out.ApplyConfigurations = applyConfigurations
	return out
}

// clientsOutput is the default layout in an empty module.
func clientsOutput(t *testing.T, input, side string) generate.Output {
	t.Helper()
	dir := newest.scratchDir(t, input, side)
	require.NoError(t, scratch.NewModule(dir, clientsModule, newest.dir))
	return generate.Output{
		Dir: dir, Folder: "pkg/generated", Package: path.Join(clientsModule, "pkg/generated"),
		Clientset: "clientset/versioned", Listers: "listers", Informers: "informers/externalversions",
	}
}

// generateBoth runs upstream's programs of a release and ours on the same input.
func (r release) generateBoth(t *testing.T, input generate.Input, theirs, ours generate.Output) {
	t.Helper()
	upstream, own := r.buildUpstream(t), buildOurs(t)
	start := time.Now()
	packages, err := upstream.Generate(input, theirs)
	require.NoError(t, err)
	require.NotZero(t, packages)
	logTime(t, "upstream generating", start)

	start = time.Now()
	summary, err := own.Generate(input, ours)
	require.NoError(t, err)
	logTime(t, "ours generating", start)
	t.Logf("%d packages with clients; ours says: %s", packages, strings.TrimSpace(summary))
}

// compareOutputs runs all checks. They are independent, so each runs even if an earlier one fails.
func compareOutputs(t *testing.T, input string, theirs, ours generate.Output) {
	t.Helper()
	t.Run("upstream's builds", func(t *testing.T) { run(t, theirs.Dir, "go", "build", "-trimpath", "./...") })
	t.Run("ours builds", func(t *testing.T) { run(t, ours.Dir, "go", "build", "-trimpath", "./...") })
	t.Run("ours passes vet", func(t *testing.T) { run(t, ours.Dir, "go", "vet", "-trimpath", "./...") })
	t.Run("same exported API", func(t *testing.T) {
		assertSameAPI(t, comparison{input, theirs.Dir, ours.Dir, ours.Package}, "./...")
	})
}
