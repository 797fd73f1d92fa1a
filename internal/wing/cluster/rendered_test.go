package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/manifests"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/roles"
)

// TestEachVerb takes each verb out of the roles of the examples.
func TestEachVerb(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../../../examples")
	require.NoError(t, err)
	name := filepath.Join(root, option.FileName)
	configuration, err := os.ReadFile(name)
	require.NoError(t, err)
	all, err := pipeline.Configured([]run.ConfigFile{{Name: name, Text: configuration}}, false, run.House{Products: generators.All})
	require.NoError(t, err)
	api, err := pipeline.Resolve(t.Context(), all[0])
	require.NoError(t, err)
	needs, err := roles.Needs(t.Context(), api)
	require.NoError(t, err)
	fails := func(text string) bool {
		stream, err := manifests.Parse("config", []byte(text))
		require.NoError(t, err)
		return stream.CheckRoles([]manifests.Needs{needs}).Failed()
	}

	var text strings.Builder
	for _, name := range []string{"rbac/role.yaml", "rbac/fleet-operator.yaml", "deploy/fleet-operator.yaml"} {
		content, err := os.ReadFile(filepath.Join(root, "config", name))
		require.NoError(t, err)
		text.WriteString("---\n" + string(content))
	}
	require.False(t, fails(text.String()))

	verbs, ofWorkloads, inVerbs := 0, false, false
	lines := strings.SplitAfter(text.String(), "\n")
	for i, line := range lines {
		element, isElement := strings.CutPrefix(line, "  - ")
		switch {
		case strings.HasPrefix(line, "  name: "):
			ofWorkloads = strings.HasPrefix(line, "  name: fleet-operator")
		case !isElement:
			inVerbs = line == "  verbs:\n"
		case inVerbs && ofWorkloads:
			verbs++
			lines[i] = "  - x\n"
			assert.True(t, fails(strings.Join(lines, "")), "line %d: %s", i, element)
			lines[i] = line
		}
	}
	assert.Greater(t, verbs, 25)
}
