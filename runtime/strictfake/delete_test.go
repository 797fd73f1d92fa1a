package strictfake

import (
	"errors"
	stdtesting "testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/testing"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

func TestDelete(t *stdtesting.T) {
	r := newRig(t)
	object, err := r.shop().Create(t.Context(), workload("web", nil, "example.com/one"), metav1.CreateOptions{})
	require.NoError(t, err)
	other := types.UID("other")
	err = r.shop().Delete(t.Context(), "web", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &other}})
	assert.True(t, apierrors.IsConflict(err), "%v", err)
	require.NoError(t, r.shop().Delete(t.Context(), "web", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}))
	require.NoError(t, r.shop().Delete(t.Context(), "web", metav1.DeleteOptions{}))
	object, err = r.shop().Get(t.Context(), object.Name, metav1.GetOptions{})
	require.NoError(t, err)
	assert.NotNil(t, object.DeletionTimestamp)
	assert.EqualValues(t, 2, object.Generation)
	object.Finalizers = []string{"example.com/two"}
	_, err = r.shop().Update(t.Context(), object, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
	object.Finalizers = nil
	_, err = r.shop().Update(t.Context(), object, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Empty(t, r.names(t))
	assert.True(t, apierrors.IsNotFound(r.shop().Delete(t.Context(), "web", metav1.DeleteOptions{})))
}

func TestDeleteCollection(t *stdtesting.T) {
	r := newRig(t)
	for name, team := range map[string]string{"a": "red", "b": "blue", "c": "red"} {
		_, err := r.shop().Create(t.Context(), workload(name, map[string]string{"team": team}), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	require.NoError(t, r.shop().DeleteCollection(t.Context(), metav1.DeleteOptions{},
		metav1.ListOptions{LabelSelector: "team=red", FieldSelector: "metadata.name!=c"}))
	assert.Equal(t, []string{"b", "c"}, r.names(t))
	assert.Error(t, r.v1.Workloads("").DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}),
		"a server has no such path")
}

// own makes workloads that others own: "b<a" is b, owned by a.
func own(t *stdtesting.T, r *rig, dependent string, owners ...string) {
	t.Helper()
	object := workload(dependent, nil)
	for _, name := range owners {
		owner, err := r.shop().Get(t.Context(), name, metav1.GetOptions{})
		require.NoError(t, err)
		block := true
		object.OwnerReferences = append(object.OwnerReferences, metav1.OwnerReference{
			APIVersion: fleetv1.SchemeGroupVersion.String(), Kind: "Workload", Name: name, UID: owner.UID, BlockOwnerDeletion: &block,
		})
	}
	_, err := r.shop().Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
}

func TestGarbageCollection(t *stdtesting.T) {
	foreground, orphan := metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan
	for name, test := range map[string]struct {
		policy  *metav1.DeletionPropagation
		options []Option
		want    []string
	}{
		"background": {nil, nil, []string{"half", "other"}},
		"foreground": {&foreground, nil, []string{"half", "other"}},
		"orphan":     {&orphan, nil, []string{"child", "grandchild", "half", "other"}},
		"off":        {nil, []Option{WithGarbageCollection(false)}, []string{"child", "grandchild", "half", "other"}},
	} {
		t.Run(name, func(t *stdtesting.T) {
			r := newRig(t, test.options...)
			r.create(t, "owner", "other")
			own(t, r, "child", "owner")
			own(t, r, "grandchild", "child")
			own(t, r, "half", "owner", "other")
			require.NoError(t, r.shop().Delete(t.Context(), "owner", metav1.DeleteOptions{PropagationPolicy: test.policy}))
			assert.Equal(t, test.want, r.names(t))
			half, err := r.shop().Get(t.Context(), "half", metav1.GetOptions{})
			require.NoError(t, err)
			if name != "off" {
				assert.Len(t, half.OwnerReferences, 1)
			}
		})
	}
}

// TestForegroundWaits has a dependent whose finalizer keeps it, and therefore its owner.
func TestForegroundWaits(t *stdtesting.T) {
	r := newRig(t)
	r.create(t, "owner")
	own(t, r, "child", "owner")
	child, err := r.shop().Get(t.Context(), "child", metav1.GetOptions{})
	require.NoError(t, err)
	child.Finalizers = []string{"example.com/one"}
	_, err = r.shop().Update(t.Context(), child, metav1.UpdateOptions{})
	require.NoError(t, err)
	foreground := metav1.DeletePropagationForeground
	require.NoError(t, r.shop().Delete(t.Context(), "owner", metav1.DeleteOptions{PropagationPolicy: &foreground}))
	assert.Equal(t, []string{"child", "owner"}, r.names(t))
	child, err = r.shop().Get(t.Context(), "child", metav1.GetOptions{})
	require.NoError(t, err)
	require.NotNil(t, child.DeletionTimestamp)
	child.Finalizers = nil
	_, err = r.shop().Update(t.Context(), child, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Empty(t, r.names(t))
}

// TestUnknownOwners keeps an object whose owner has a kind that the server does not serve, and collects an object whose owner
// would be known if it existed.
func TestUnknownOwners(t *stdtesting.T) {
	r := newRig(t)
	for kind, name := range map[string]string{"Deployment": "kept", "Workload": "collected"} {
		object := workload(name, nil)
		object.OwnerReferences = []metav1.OwnerReference{{APIVersion: fleetv1.SchemeGroupVersion.String(), Kind: kind, Name: "x",
			UID: "no-such-uid"}}
		_, err := r.shop().Create(t.Context(), object, metav1.CreateOptions{})
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"kept"}, r.names(t))
}

func TestAdd(t *stdtesting.T) {
	r := newRig(t)
	object := workload("web", nil, "example.com/one")
	object.Status.Replicas, object.UID, object.Generation = 3, "mine", 7
	require.NoError(t, r.Add(object))
	require.NoError(t, r.Add(&fleetv1.WorkloadList{Items: []fleetv1.Workload{*workload("a", nil), *workload("b", nil)}}))
	require.NoError(t, r.Add(&fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}))
	stored, err := r.shop().Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 3, stored.Status.Replicas)
	assert.EqualValues(t, "mine", stored.UID)
	assert.EqualValues(t, 7, stored.Generation)
	assert.Equal(t, []string{"a", "b", "web"}, r.names(t))
	assert.True(t, apierrors.IsAlreadyExists(r.Add(object)))
	assert.True(t, apierrors.IsInvalid(r.Add(workload("No Name", nil))))
	assert.ErrorContains(t, r.Add(&corev1.Pod{}), "the clientset has no client for a *v1.Pod")
}

// TestReactors prepends one, which takes precedence; actions are recorded in any case.
func TestReactors(t *stdtesting.T) {
	r := newRig(t)
	r.create(t, "web")
	r.fake.PrependReactor("get", "workloads",
		func(testing.Action) (bool, runtime.Object, error) { return true, nil, errors.New("no luck") })
	_, err := r.shop().Get(t.Context(), "web", metav1.GetOptions{})
	assert.EqualError(t, err, "no luck")
	assert.Len(t, r.fake.Actions(), 2)
}

func TestTracker(t *stdtesting.T) {
	r := newRig(t)
	tracker, gvr := r.Tracker(), fleetv1.SchemeGroupVersion.WithResource("workloads")
	require.NoError(t, tracker.Create(gvr, workload("web", nil), "shop"))
	object, err := tracker.Get(gvr, "shop", "web")
	require.NoError(t, err)
	changed := object.(*fleetv1.Workload)
	changed.Spec.Paused = true
	require.NoError(t, tracker.Update(gvr, changed, "shop"))
	assert.True(t, apierrors.IsConflict(tracker.Patch(gvr, changed, "shop")), "its version is stale")
	require.NoError(t, tracker.Apply(gvr, workload("db", nil), "shop", metav1.PatchOptions{FieldManager: "us"}))
	list, err := tracker.List(gvr, fleetv1.SchemeGroupVersion.WithKind("Workload"), "shop")
	require.NoError(t, err)
	assert.Len(t, list.(*fleetv1.WorkloadList).Items, 2)
	w, err := tracker.Watch(gvr, "shop")
	require.NoError(t, err)
	defer w.Stop()
	assert.Equal(t, []string{"ADDED db", "ADDED web"}, events(w, 2))
	require.NoError(t, tracker.Delete(gvr, "shop", "web"))
	_, err = tracker.Get(fleetv1.SchemeGroupVersion.WithResource("things"), "shop", "web")
	assert.ErrorContains(t, err, "the clientset has no client for")
}

func TestDiscovery(t *stdtesting.T) {
	r := newRig(t)
	var names []string
	for _, list := range r.fake.Resources {
		for _, resource := range list.APIResources {
			names = append(names, list.GroupVersion+" "+resource.Name)
		}
	}
	assert.Equal(t, []string{
		"fleet.example.com/v1 chassis", "fleet.example.com/v1 regions", "fleet.example.com/v1 regions/status",
		"fleet.example.com/v1 workloadrevisions", "fleet.example.com/v1 workloads",
		"fleet.example.com/v1 workloads/scale", "fleet.example.com/v1 workloads/status",
		"fleet.example.com/v1beta1 workloads", "fleet.example.com/v1beta1 workloads/status",
	}, names)
}
