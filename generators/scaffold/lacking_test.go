package scaffold

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// TestLackingBinding adds a kind with a role of its own to manifests that were kept: a command whose caches do not all sync never starts.
func TestLackingBinding(t *testing.T) {
	robot, yard := viewOf("Robot", ""), viewOf("Yard", "")
	manifest := func(kinds ...Controlled) string {
		renderer, err := render.New(templates.FS, nil)
		require.NoError(t, err)
		o := operatorOf(kinds...)
		files, err := renderer.RenderAll(JobsTogether(o.Kinds, o.Destination))
		require.NoError(t, err)
		for _, file := range files {
			if file.Path == "config/rbac/base-operator.yaml" {
				return string(file.Content)
			}
		}
		return ""
	}
	robots := manifest(Controlled{Kind: robot.Kind, Layout: robot.Layout})
	both := manifest(Controlled{Kind: robot.Kind, Layout: robot.Layout}, Controlled{Kind: yard.Kind, Layout: yard.Layout})
	assert.Empty(t, Lacking("config/rbac/base-operator.yaml", "base-operator", robots, both))
	const hint = "bind its role to the service account, as the others are"
	assert.Equal(t, []Lack{
		{"the manifest lacks the binding base-operator-yard-controller", hint},
		{"the manifest lacks the binding base-operator-yard-controller-leases", hint},
	}, Lacking("config/rbac/base-operator.yaml", "base-operator", both, robots))
}
