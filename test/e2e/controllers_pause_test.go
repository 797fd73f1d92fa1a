package e2e

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// TestControllersPause pauses a workload, changes what a controller would repair, resumes it, and deletes it while it is paused. The
// controller is the generated one, with the generated roles.
func TestControllersPause(t *testing.T) {
	t.Parallel()
	c := start(t, apiservertest.Options{RBAC: true})
	world := startWorld(t, c)
	readManifests(t, "../../examples/config/rbac/role.yaml", "../../examples/config/rbac/fleet-operator.yaml").apply(t, c.Config())
	account := only[appsv1.Deployment](t, readManifests(t, "../../examples/config/deploy/fleet-operator.yaml"), "Deployment")[0].
		Spec.Template.Spec.ServiceAccountName
	eventually(t, func() bool { return (&lives{cluster: c}).isBound(t, account) }, "the account does not get its roles")
	const annotation = "example.com/paused"
	background(t, newController(t, c.As(accountName(account)), controller.WithPause(annotation), controller.WithGenerationFilter()).Run)

	name := cache.NewObjectName(namespace, "web")
	wanted := wish{image: "image:1", tier: "tier-1", replicas: 1}
	workloads, deployments := c.client.FleetV1().Workloads(namespace), world.kube.AppsV1().Deployments(namespace)
	_, err := workloads.Create(t.Context(), wanted.object(name), metav1.CreateOptions{})
	require.NoError(t, err)
	world.settles(t, map[cache.ObjectName]wish{name: wanted})

	patch := func(field string, value map[string]any) {
		data, err := json.Marshal(map[string]any{field: value})
		require.NoError(t, err)
		_, err = workloads.Patch(t.Context(), name.Name, types.MergePatchType, data, metav1.PatchOptions{})
		require.NoError(t, err)
	}
	annotate := func(value any) { patch("metadata", map[string]any{"annotations": map[string]any{annotation: value}}) }
	isPaused := func() *metav1.Condition {
		object, err := workloads.Get(t.Context(), name.Name, metav1.GetOptions{})
		require.NoError(t, err)
		manages := slices.ContainsFunc(object.ManagedFields, func(entry metav1.ManagedFieldsEntry) bool {
			return entry.Manager == fleetv1.Resource("workloads").String()+"-pause" && entry.Subresource == "status"
		})
		condition := meta.FindStatusCondition(object.Status.Conditions, "Paused")
		assert.Equal(t, condition != nil, manages, "the field manager has the condition, and nothing else")
		assert.NotNil(t, meta.FindStatusCondition(object.Status.Conditions, fleetv1.ConditionReady))
		if condition != nil && condition.ObservedGeneration != object.Generation {
			return nil
		}
		return condition
	}
	annotate("true")
	eventually(t, func() bool { return isPaused() != nil }, "the workload is not paused")
	assert.Equal(t, metav1.ConditionTrue, isPaused().Status)
	require.NoError(t, deployments.Delete(t.Context(), name.Name, metav1.DeleteOptions{}))
	wanted.image = "image:2"
	patch("spec", map[string]any{"template": map[string]any{"image": wanted.image}})
	eventually(t, func() bool { return isPaused() != nil }, "the controller does not see the new generation")
	_, err = deployments.Get(t.Context(), name.Name, metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)

	annotate("false")
	world.settles(t, map[cache.ObjectName]wish{name: wanted})
	assert.Nil(t, isPaused())

	annotate("")
	eventually(t, func() bool { return isPaused() != nil }, "the workload is not paused again")
	require.NoError(t, workloads.Delete(t.Context(), name.Name, metav1.DeleteOptions{}))
	eventually(t, func() bool {
		_, err := workloads.Get(t.Context(), name.Name, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	}, "the workload hangs in Terminating")
}
