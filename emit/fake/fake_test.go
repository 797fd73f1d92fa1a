package fake

import (
	stdtesting "testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/testing"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration"
)

var (
	workloads = fleetv1.SchemeGroupVersion.WithResource("workloads")
	// chassis has the same singular and plural, which the tracker of client-go cannot guess.
	chassis = fleetv1.SchemeGroupVersion.WithResource("chassis")
)

// sampleKinds returns two kinds that the clients know; the scheme holds more.
func sampleKinds(t *stdtesting.T) knownKinds {
	t.Helper()
	scheme := runtime.NewScheme()
	require.NoError(t, fleetv1.AddToScheme(scheme))
	return knownKinds{
		scheme: scheme, decoder: serializer.NewCodecFactory(scheme).UniversalDecoder(),
		resources: map[schema.GroupVersionKind]string{
			fleetv1.SchemeGroupVersion.WithKind("Workload"): "workloads",
			fleetv1.SchemeGroupVersion.WithKind("Chassis"):  "chassis",
		},
	}
}

func sampleWorkload(name string, labels map[string]string) *fleetv1.Workload {
	return &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Labels: labels}}
}

// client returns a fake client that answers from the tracker.
func client(tracker subresourceTracker, known knownKinds) *testing.Fake {
	c := &testing.Fake{}
	addReactors(c, tracker, known)
	return c
}

func simple(t *stdtesting.T) (*testing.Fake, objectTracker) {
	known := sampleKinds(t)
	tracker := newObjectTracker(known)
	return client(tracker, known), tracker
}

func withFields(t *stdtesting.T) (*testing.Fake, fieldTracker) {
	known := sampleKinds(t)
	tracker := newFieldTracker(known, applyconfiguration.NewTypeConverter(known.scheme))
	return client(tracker, known), tracker
}

func TestKindOf(t *stdtesting.T) {
	known := sampleKinds(t)
	kind, ok := known.kindOf(chassis)
	assert.True(t, ok)
	assert.Equal(t, "Chassis", kind.Kind)
	_, ok = known.kindOf(fleetv1.SchemeGroupVersion.WithResource("chassises"))
	assert.False(t, ok)
}

func TestAdd(t *stdtesting.T) {
	_, tracker := simple(t)
	require.NoError(t, tracker.Add(sampleWorkload("web", nil)))
	require.NoError(t, tracker.Add(&fleetv1.Chassis{ObjectMeta: metav1.ObjectMeta{Name: "one"}}))
	require.NoError(t, tracker.Add(&fleetv1.WorkloadList{Items: []fleetv1.Workload{*sampleWorkload("a", nil), *sampleWorkload("b", nil)}}))
	require.NoError(t, tracker.Add(&metav1.List{Items: []runtime.RawExtension{
		{Object: sampleWorkload("c", nil)}, {Object: &fleetv1.Chassis{ObjectMeta: metav1.ObjectMeta{Name: "two"}}},
	}}))
	for _, name := range []string{"web", "a", "b", "c"} {
		object, err := tracker.Get(workloads, "shop", name)
		require.NoError(t, err)
		assert.Equal(t, name, object.(*fleetv1.Workload).Name)
	}
	for _, name := range []string{"one", "two"} {
		assert.NoError(t, ignoreResult(tracker.Get(chassis, "", name)), "an irregular plural")
	}
	region := &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}
	require.NoError(t, tracker.Add(region), "of the scheme alone: the resource is a guess")
	assert.NoError(t, ignoreResult(tracker.Get(fleetv1.SchemeGroupVersion.WithResource("regions"), "", "north")))
}

func ignoreResult[T any](_ T, err error) error { return err }

func TestAddErrors(t *stdtesting.T) {
	_, tracker := simple(t)
	require.NoError(t, tracker.Add(sampleWorkload("web", nil)))
	assert.True(t, apierrors.IsAlreadyExists(tracker.Add(sampleWorkload("web", nil))))
	assert.True(t, apierrors.IsAlreadyExists(tracker.Add(&fleetv1.WorkloadList{Items: []fleetv1.Workload{*sampleWorkload("web", nil)}})))
	assert.ErrorContains(t, tracker.Add(&autoscalingv1.Scale{}), "no kind is registered")
	assert.Error(t, tracker.Add(&metav1.List{Items: []runtime.RawExtension{{Raw: []byte(`{}`)}}}))
}

func TestGenerateName(t *stdtesting.T) {
	c, _ := simple(t)
	create := func(object *fleetv1.Workload, subresource string) *fleetv1.Workload {
		action := testing.NewCreateAction(workloads, "shop", object)
		action.Subresource = subresource
		created, err := c.Invokes(action, nil)
		require.NoError(t, err)
		return created.(*fleetv1.Workload)
	}
	nameless := sampleWorkload("", nil)
	nameless.GenerateName = "web-"
	assert.Equal(t, "web-00001", create(nameless, "").Name)
	assert.Equal(t, "web-00002", create(nameless, "").Name)
	assert.Empty(t, nameless.Name, "the caller's object stays unchanged")
	named := sampleWorkload("db", nil)
	named.GenerateName = "web-"
	assert.Equal(t, "db", create(named, "").Name)
}

func TestDeleteCollection(t *stdtesting.T) {
	c, tracker := simple(t)
	for name, team := range map[string]string{"a": "red", "b": "blue", "c": "red"} {
		require.NoError(t, tracker.Add(sampleWorkload(name, map[string]string{"team": team})))
	}
	other := sampleWorkload("a", map[string]string{"team": "red"})
	other.Namespace = "blog"
	require.NoError(t, tracker.Add(other))
	left := func() (names []string) {
		list, err := tracker.List(workloads, fleetv1.SchemeGroupVersion.WithKind("Workload"), "")
		require.NoError(t, err)
		for _, item := range list.(*fleetv1.WorkloadList).Items {
			names = append(names, item.Namespace+"/"+item.Name)
		}
		return names
	}
	require.NoError(t, ignoreResult(c.Invokes(testing.NewDeleteCollectionAction(workloads, "shop", metav1.ListOptions{LabelSelector: "team=red"}), nil)))
	assert.ElementsMatch(t, []string{"shop/b", "blog/a"}, left())
	require.NoError(t, ignoreResult(c.Invokes(testing.NewDeleteCollectionAction(workloads, "shop", metav1.ListOptions{}), nil)))
	assert.Equal(t, []string{"blog/a"}, left())
	unknown := schema.GroupVersionResource{Resource: "unknown"}
	assert.NoError(t, ignoreResult(c.Invokes(testing.NewDeleteCollectionAction(unknown, "shop", metav1.ListOptions{}), nil)))
}

func TestUpdateOfSubresource(t *stdtesting.T) {
	c, tracker := simple(t)
	require.NoError(t, tracker.Add(sampleWorkload("web", nil)))
	scale := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Spec: autoscalingv1.ScaleSpec{Replicas: 3}}
	answer, err := c.Invokes(testing.NewUpdateSubresourceAction(workloads, "scale", "shop", scale), nil)
	require.NoError(t, err)
	assert.Equal(t, scale, answer, "the answer is what was sent")
	assert.NoError(t, ignoreResult(tracker.Get(workloads, "shop", "web")), "and the resource is unchanged")

	scale.Name = "db"
	_, err = c.Invokes(testing.NewUpdateSubresourceAction(workloads, "scale", "shop", scale), nil)
	assert.True(t, apierrors.IsNotFound(err))

	changed := sampleWorkload("web", nil)
	changed.Status.Replicas = 3
	_, err = c.Invokes(testing.NewUpdateSubresourceAction(workloads, "status", "shop", changed), nil)
	require.NoError(t, err)
	stored, err := tracker.Get(workloads, "shop", "web")
	require.NoError(t, err)
	assert.EqualValues(t, 3, stored.(*fleetv1.Workload).Status.Replicas)
}

func TestWatchReactor(t *stdtesting.T) {
	c, tracker := simple(t)
	w, err := c.InvokesWatch(testing.NewWatchAction(workloads, "shop", metav1.ListOptions{}))
	require.NoError(t, err)
	defer w.Stop()
	require.NoError(t, tracker.Add(sampleWorkload("web", nil)))
	event := <-w.ResultChan()
	assert.Equal(t, watch.Added, event.Type)
}

// owners returns the managers of the object, with the subresource that they wrote to.
func owners(object runtime.Object) (all []string) {
	for _, entry := range object.(metav1.Object).GetManagedFields() {
		name := string(entry.Operation) + " " + entry.Manager
		if entry.Subresource != "" {
			name += " " + entry.Subresource
		}
		all = append(all, name)
	}
	return all
}

// apply applies a configuration of the workload web, and returns the stored workload.
func apply(c *testing.Fake, manager, subresource, text string, force bool) (*fleetv1.Workload, error) {
	action := testing.NewPatchSubresourceActionWithOptions(workloads, "shop", "web", types.ApplyPatchType,
		[]byte(`{"apiVersion":"fleet.example.com/v1","kind":"Workload","metadata":{"name":"web","namespace":"shop"},`+text+`}`),
		metav1.PatchOptions{FieldManager: manager, Force: &force})
	action.Subresource = subresource
	stored, err := c.Invokes(action, sampleWorkload("", nil))
	if err != nil {
		return nil, err
	}
	return stored.(*fleetv1.Workload), nil
}

func TestFieldsOfWrites(t *stdtesting.T) {
	c, tracker := withFields(t)
	object := sampleWorkload("web", map[string]string{"team": "red"})
	object.Spec.RegionName = "north"
	created, err := c.Invokes(testing.NewCreateActionWithOptions(workloads, "shop", object, metav1.CreateOptions{FieldManager: "maker"}), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"Update maker"}, owners(created))

	changed := created.DeepCopyObject().(*fleetv1.Workload)
	changed.Spec.RegionName = "south"
	updated, err := c.Invokes(testing.NewUpdateActionWithOptions(workloads, "shop", changed, metav1.UpdateOptions{FieldManager: "editor"}), nil)
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"Update maker", "Update editor"}, owners(updated))

	patched, err := c.Invokes(testing.NewPatchSubresourceActionWithOptions(workloads, "shop", "web", types.MergePatchType,
		[]byte(`{"spec":{"paused":true}}`), metav1.PatchOptions{FieldManager: "patcher"}), object)
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"Update maker", "Update editor", "Update patcher"}, owners(patched), "the answer has them too")
	stored, err := tracker.Get(workloads, "shop", "web")
	require.NoError(t, err)
	assert.Equal(t, owners(patched), owners(stored))
}

func TestFieldsOfSubresource(t *stdtesting.T) {
	c, tracker := withFields(t)
	require.NoError(t, tracker.Add(sampleWorkload("web", nil)))
	changed := sampleWorkload("web", nil)
	changed.Status.Replicas = 3
	action := testing.NewUpdateSubresourceActionWithOptions(workloads, "status", "shop", changed, metav1.UpdateOptions{FieldManager: "reporter"})
	updated, err := c.Invokes(action, nil)
	require.NoError(t, err)
	assert.Contains(t, owners(updated), "Update reporter status")
}

func TestApply(t *stdtesting.T) {
	c, _ := withFields(t)
	stored, err := apply(c, "us", "", `"spec":{"regionName":"north","paused":true}`, false)
	require.NoError(t, err)
	assert.Equal(t, "north", stored.Spec.RegionName)
	assert.Equal(t, []string{"Apply us"}, owners(stored))

	stored, err = apply(c, "us", "", `"spec":{"regionName":"north"}`, false)
	require.NoError(t, err)
	assert.False(t, stored.Spec.Paused, "a field that is no longer applied is removed")

	_, err = apply(c, "them", "", `"spec":{"regionName":"south"}`, false)
	assert.True(t, apierrors.IsConflict(err), "%v", err)
	stored, err = apply(c, "them", "", `"spec":{"regionName":"south"}`, true)
	require.NoError(t, err)
	assert.Equal(t, "south", stored.Spec.RegionName)
	assert.Contains(t, owners(stored), "Apply them")
}

func TestApplyToSubresource(t *stdtesting.T) {
	c, tracker := withFields(t)
	_, err := apply(c, "us", "status", `"status":{"replicas":3}`, false)
	assert.True(t, apierrors.IsNotFound(err), "it does not create the object")
	require.NoError(t, tracker.Add(sampleWorkload("web", nil)))
	stored, err := apply(c, "us", "status", `"status":{"replicas":3}`, false)
	require.NoError(t, err)
	assert.EqualValues(t, 3, stored.Status.Replicas)
	assert.Contains(t, owners(stored), "Apply us status")
}

func TestApplyWithoutChangeIsNoEvent(t *stdtesting.T) {
	c, tracker := withFields(t)
	_, err := apply(c, "us", "", `"spec":{"regionName":"north"}`, false)
	require.NoError(t, err)
	w, err := tracker.Watch(workloads, "shop")
	require.NoError(t, err)
	defer w.Stop()
	_, err = apply(c, "us", "", `"spec":{"regionName":"north"}`, false)
	require.NoError(t, err)
	assert.Empty(t, w.ResultChan())
	_, err = apply(c, "us", "", `"spec":{"regionName":"south"}`, false)
	require.NoError(t, err)
	assert.Equal(t, watch.Modified, (<-w.ResultChan()).Type)
}

// TestFieldsOfUnknownKinds stores objects of kinds that the clients do not know, without managed fields.
func TestFieldsOfUnknownKinds(t *stdtesting.T) {
	_, tracker := withFields(t)
	unknown := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "things"}
	object := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": "one"}}}
	require.NoError(t, tracker.Create(unknown, object, "", metav1.CreateOptions{FieldManager: "us"}))
	require.NoError(t, tracker.Update(unknown, object, "", metav1.UpdateOptions{FieldManager: "us"}))
	stored, err := tracker.Get(unknown, "", "one")
	require.NoError(t, err)
	assert.Empty(t, owners(stored))
}
