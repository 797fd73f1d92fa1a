package controller

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration"
	fleetv1apply "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/scheme"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// strict returns a strict fake clientset with a workload, and a tracker whose cache has it.
func strict(t *testing.T) (*fake.Clientset, *fleetv1.Workload, *consistency.Tracker) {
	t.Helper()
	client, server, tracker := fake.NewClientset(), strictfake.NewServer(), consistency.NewTracker()
	require.NoError(t, server.Serve(client, scheme.Scheme, applyconfiguration.NewTypeConverter(scheme.Scheme)))
	consistency.Track(tracker, informer.For(informer.NewFactory(), workloadSource(client)))
	created, err := client.FleetV1().Workloads("shop").Create(t.Context(), workload("shop", "web", nil), metav1.CreateOptions{})
	require.NoError(t, err)
	client.ClearActions()
	return client, created, tracker
}

func TestUpdateStatus(t *testing.T) {
	client, before, tracker := strict(t)
	workloads := client.FleetV1().Workloads("shop")
	ctx, session := tracker.Begin(t.Context(), web)
	after := before.DeepCopy()
	after.Spec.Paused = true
	got, err := UpdateStatus(ctx, workloads, before, after)
	require.NoError(t, err)
	assert.Same(t, after, got, "the status is the same")
	assert.Empty(t, client.Actions())

	after.Status.Replicas = 3
	got, err = UpdateStatus(ctx, workloads, before, after)
	require.NoError(t, err)
	assert.EqualValues(t, 3, got.Status.Replicas)
	assert.False(t, got.Spec.Paused)
	assert.Len(t, session.Pending(), 1)

	client.PrependReactor("update", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, errBroken })
	_, err = UpdateStatus(ctx, workloads, before, after)
	assert.Equal(t, errBroken, err)
	_, err = UpdateStatus(ctx, nil, &metav1.PartialObjectMetadata{}, &metav1.PartialObjectMetadata{})
	assert.EqualError(t, err, "a *v1.PartialObjectMetadata has no field Status")
	object := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{"replicas": int64(3)}}}
	same, err := UpdateStatus(ctx, nil, object, object.DeepCopy())
	require.NoError(t, err)
	assert.Equal(t, object, same)
}

func TestStatusOf(t *testing.T) {
	client, object, tracker := strict(t)
	status := func(replicas int32) *fleetv1apply.WorkloadApplyConfiguration {
		return fleetv1apply.Workload("web", "shop").WithStatus(fleetv1apply.WorkloadStatus().WithReplicas(replicas))
	}
	apply := StatusOf(client.FleetV1().Workloads("shop"), fleetv1apply.ExtractWorkloadStatus)
	options := metav1.ApplyOptions{FieldManager: "us"}
	ctx, session := tracker.Begin(t.Context(), web)
	written, err := apply.Apply(ctx, object, status(3), options)
	require.NoError(t, err)
	assert.EqualValues(t, 3, written.Status.Replicas)
	assert.Len(t, session.Pending(), 1)
	assert.Len(t, client.Actions(), 1)

	again, err := apply.Apply(ctx, written, status(3), options)
	require.NoError(t, err)
	assert.Same(t, written, again)
	assert.Len(t, client.Actions(), 1, "nothing differs")

	client.PrependReactor("patch", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, errBroken })
	_, err = apply.Apply(ctx, written, status(4), options)
	assert.Equal(t, errBroken, err)
	failing := StatusOf(client.FleetV1().Workloads("shop"), func(*fleetv1.Workload, string) (*fleetv1apply.WorkloadApplyConfiguration, error) {
		return nil, errBroken
	})
	_, err = failing.Apply(ctx, written, status(4), options)
	assert.Equal(t, errBroken, err)
}

func TestSetCondition(t *testing.T) {
	object := held("web")
	object.Generation = 7
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Reconciled"}
	assert.True(t, SetCondition(object, &object.Status.Conditions, ready))
	assert.False(t, SetCondition(object, &object.Status.Conditions, ready))
	require.Len(t, object.Status.Conditions, 1)
	assert.EqualValues(t, 7, object.Status.Conditions[0].ObservedGeneration)
}
