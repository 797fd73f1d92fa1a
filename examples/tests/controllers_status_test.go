package tests

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	fleetac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
)

func TestControllerUpdatesStatusIfItChanged(t *testing.T) {
	client := fake.NewSimpleClientset(held("web"))
	before := held("web")
	after := before.DeepCopy()
	after.Status.Conditions = []metav1.Condition{} // equivalent to no conditions at all
	updated, err := fleetv1controllers.UpdateWorkloadStatus(t.Context(), client, before, after)
	require.NoError(t, err)
	assert.Same(t, after, updated)
	assert.Empty(t, client.Actions())

	after.Status.Replicas = 3
	updated, err = fleetv1controllers.UpdateWorkloadStatus(t.Context(), client, before, after)
	require.NoError(t, err)
	assert.EqualValues(t, 3, updated.Status.Replicas)
	require.Len(t, client.Actions(), 1)
	assert.Equal(t, "status", client.Actions()[0].GetSubresource())
}

func TestControllerAppliesStatusIfItChanged(t *testing.T) {
	client := fake.NewStrictClientset(workload("shop", "web", nil))
	workloads := client.FleetV1().Workloads("shop")
	object, err := workloads.Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	apply := func(status *fleetac.WorkloadStatusApplyConfiguration) (sent bool) {
		t.Helper()
		client.ClearActions()
		object, err = fleetv1controllers.ApplyWorkloadStatus(t.Context(), client, object, appliedStatus(status), metav1.ApplyOptions{FieldManager: "us", Force: true})
		require.NoError(t, err)
		return len(client.Actions()) > 0
	}
	assert.True(t, apply(fleetac.WorkloadStatus().WithReplicas(3).WithReadyReplicas(1)))
	assert.EqualValues(t, 1, object.Status.ReadyReplicas)
	assert.False(t, apply(fleetac.WorkloadStatus().WithReplicas(3).WithReadyReplicas(1)))
	assert.True(t, apply(fleetac.WorkloadStatus().WithReplicas(3)), "to say less is a change")
	assert.Zero(t, object.Status.ReadyReplicas)
	object.ManagedFields = nil
	assert.True(t, apply(fleetac.WorkloadStatus().WithReplicas(3)), "who cannot tell has to ask the server")
}

func TestControllerConditions(t *testing.T) {
	object := held("web")
	object.Generation = 4
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Serving"}
	assert.True(t, fleetv1controllers.SetWorkloadCondition(object, ready))
	require.Len(t, object.Status.Conditions, 1)
	assert.EqualValues(t, 4, object.Status.Conditions[0].ObservedGeneration)
	assert.WithinDuration(t, time.Now(), object.Status.Conditions[0].LastTransitionTime.Time, time.Minute)
	assert.False(t, fleetv1controllers.SetWorkloadCondition(object, ready))
	object.Generation = 5
	assert.True(t, fleetv1controllers.SetWorkloadCondition(object, ready), "it was observed again")

	assert.Zero(t, object.Status.ObservedGeneration)
	fleetv1controllers.ObserveWorkload(object)
	assert.EqualValues(t, 5, object.Status.ObservedGeneration)
}
