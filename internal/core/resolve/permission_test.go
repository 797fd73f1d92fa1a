package resolve

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
)

// TestClusterScopedResources compares the table with the markers of k8s.io/api.
func TestClusterScopedResources(t *testing.T) {
	t.Parallel()
	loaded, problems, err := load.Packages(t.Context(), load.Config{Dir: ".", Patterns: []string{"k8s.io/api/..."}})
	require.NoError(t, err)
	require.NoError(t, problems.Err())
	result, diags := API(t.Context(), loaded, Options{})
	require.NoError(t, diags.Err())
	require.NotEmpty(t, result.API.Kinds())
	for _, kind := range result.API.Kinds() {
		known := slices.Contains(clusterScopedResources[kind.Version.Group.Name], kind.Resource)
		assert.Equal(t, !kind.Namespaced, known, "%s.%s", kind.Resource, kind.Version.Group.Name)
	}
}
