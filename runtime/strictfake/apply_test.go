package strictfake

import (
	"fmt"
	stdtesting "testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	fleetv1apply "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/verbs"
)

// apply applies text as a field manager.
func (r *rig) apply(t stdtesting.TB, manager, text string, subresources ...string) (*fleetv1.Workload, error) {
	t.Helper()
	return r.shop().Patch(t.Context(), "web", types.ApplyYAMLPatchType, []byte(text), metav1.PatchOptions{FieldManager: manager},
		subresources...)
}

// header begins the apply configuration of the workload "web".
var header = configurationOf("web")

// configurationOf begins an apply configuration. Other metadata can follow the name.
func configurationOf(name string) string {
	return "apiVersion: fleet.example.com/v1\nkind: Workload\nmetadata: {name: " + name + "}\n"
}

func TestApply(t *stdtesting.T) {
	r := newRig(t)
	configuration := fleetv1apply.Workload("web", "shop").WithSpec(fleetv1apply.WorkloadSpec().WithRegionName("north"))
	created, err := r.shop().Apply(t.Context(), configuration, metav1.ApplyOptions{FieldManager: "one"})
	require.NoError(t, err)
	assert.Equal(t, "north", created.Spec.RegionName)
	assert.EqualValues(t, 1, created.Generation)
	same, err := r.shop().Apply(t.Context(), configuration, metav1.ApplyOptions{FieldManager: "one"})
	require.NoError(t, err)
	assert.Equal(t, created.ResourceVersion, same.ResourceVersion, "nothing has changed")

	_, err = r.apply(t, "two", header+"spec: {regionName: south}")
	assert.EqualError(t, err, `Apply failed with 1 conflict: conflict with "one": .spec.regionName`)
	forced, err := r.shop().Apply(t.Context(), configuration.WithSpec(fleetv1apply.WorkloadSpec().WithRegionName("south")),
		metav1.ApplyOptions{FieldManager: "two", Force: true})
	require.NoError(t, err)
	assert.Equal(t, "south", forced.Spec.RegionName)
	assert.EqualValues(t, 2, forced.Generation)
	dropped, err := r.apply(t, "two", header)
	require.NoError(t, err)
	assert.Empty(t, dropped.Spec.RegionName, "nobody applies it any more")
}

func TestApplyErrors(t *stdtesting.T) {
	r := newRig(t)
	for text, want := range map[string]string{
		"[":                                      "error decoding patch: error converting YAML to JSON",
		header + "spec: {speed: 1}":              ".spec.speed: field not declared in schema",
		configurationOf("db"):                    "the name of the object (db) does not match the name on the URL (web)",
		configurationOf("web, namespace: other"): "the namespace of the provided object does not match",
		configurationOf("web, uid: x"):           "uid mismatch: the provided object specified uid x, and no existing object was found",
	} {
		_, err := r.apply(t, "us", text)
		assert.ErrorContains(t, err, want, text)
	}
	_, err := r.apply(t, "", header)
	assert.ErrorContains(t, err, "fieldManager: Required value")
	_, err = r.apply(t, "us", header, "status")
	assert.True(t, apierrors.IsNotFound(err), "a status does not create its object: %v", err)
}

// TestApplyStatus applies the status: the spec in the configuration has no effect, and the other way around.
func TestApplyStatus(t *stdtesting.T) {
	r := newRig(t)
	r.create(t, "web")
	both := configurationOf("web, labels: {a: b}") + "spec: {paused: true}\nstatus: {replicas: 3}"
	object, err := r.apply(t, "reporter", both, "status")
	require.NoError(t, err)
	assert.False(t, object.Spec.Paused)
	assert.Empty(t, object.Labels)
	assert.EqualValues(t, 3, object.Status.Replicas)
	assert.EqualValues(t, 1, object.Generation)
	object, err = r.apply(t, "us", both)
	require.NoError(t, err)
	assert.True(t, object.Spec.Paused)
	assert.Equal(t, map[string]string{"a": "b"}, object.Labels)
	object, err = r.apply(t, "reporter", header, "status")
	require.NoError(t, err)
	assert.Zero(t, object.Status.Replicas)
}

// TestApplyEmptiesLabels removes the last label. The next write without changes counts as one, as on servers.
func TestApplyEmptiesLabels(t *stdtesting.T) {
	r := newRig(t)
	_, err := r.apply(t, "us", configurationOf("web, labels: {a: b}"))
	require.NoError(t, err)
	emptied, err := r.apply(t, "us", configurationOf("web, labels: {}"))
	require.NoError(t, err)
	assert.Empty(t, emptied.Labels)
	updated, err := r.shop().Update(t.Context(), emptied, metav1.UpdateOptions{})
	require.NoError(t, err)
	again, err := r.shop().Update(t.Context(), updated, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, updated.ResourceVersion, again.ResourceVersion)
}

// TestApplyWithoutOwners applies an object that has no managed fields: its fields belong to before-first-apply.
func TestApplyWithoutOwners(t *stdtesting.T) {
	r := newRig(t)
	object := workload("web", nil)
	object.Spec.RegionName = "north"
	require.NoError(t, r.Add(object))
	stored, err := r.shop().Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	stored.ManagedFields = []metav1.ManagedFieldsEntry{{}} // resets them
	stored, err = r.shop().Update(t.Context(), stored, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.Empty(t, stored.ManagedFields)
	for _, subresource := range []string{"", "status"} {
		var subresources []string
		if subresource != "" {
			subresources = append(subresources, subresource)
		}
		applied, err := r.shop().Patch(t.Context(), "web", types.ApplyYAMLPatchType,
			[]byte(header+"spec: {paused: true}\nstatus: {replicas: 1}"),
			metav1.PatchOptions{FieldManager: "us", DryRun: []string{metav1.DryRunAll}}, subresources...)
		require.NoError(t, err)
		var managers []string
		for _, entry := range applied.ManagedFields {
			managers = append(managers, entry.Manager)
		}
		assert.ElementsMatch(t, []string{"us", "before-first-apply"}, managers, "%q", subresource)
	}
}

func TestPatchScale(t *stdtesting.T) {
	r := newRig(t)
	r.create(t, "web")
	patch := func(kind types.PatchType, text string) error {
		// Typed fakes cannot return the scale that a patch returns.
		target := verbs.Target{Resource: fleetv1.SchemeGroupVersion.WithResource("workloads"), Namespace: "shop", Name: "web",
			Subresource: "scale"}
		_, err := r.verbs.Patch(target, verbs.Patch{Type: kind, Data: []byte(text), Options: metav1.PatchOptions{FieldManager: "us"}})
		return err
	}
	_, err := r.shop().GetScale(t.Context(), "web", metav1.GetOptions{})
	require.ErrorContains(t, err, "the spec replicas field \".spec.replicas\" does not exist")
	require.EqualError(t, patch(types.MergePatchType, `{}`), `the spec replicas field ".spec.replicas" cannot be empty`)
	_, err = r.shop().Patch(t.Context(), "web", types.MergePatchType, []byte(`{"spec":{"replicas":1}}`), metav1.PatchOptions{})
	require.NoError(t, err)

	for _, test := range []struct {
		kind types.PatchType
		text string
		want int32
	}{
		{types.MergePatchType, `{"spec":{"replicas":3}}`, 3},
		{types.JSONPatchType, `[{"op":"replace","path":"/spec/replicas","value":4}]`, 4},
		{types.ApplyYAMLPatchType, `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web"},"spec":{"replicas":4}}`, 4},
	} {
		require.NoError(t, patch(test.kind, test.text), test.text)
		scale, err := r.shop().GetScale(t.Context(), "web", metav1.GetOptions{})
		require.NoError(t, err)
		assert.Equal(t, test.want, scale.Spec.Replicas)
	}
	assert.True(t, apierrors.IsInvalid(patch(types.MergePatchType, `{"spec":{"replicas":"x"}}`)))
	assert.True(t, apierrors.IsInvalid(patch(types.MergePatchType, `{"spec":{"replicas":-1}}`)))
	const config = `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web"},"spec":{"replicas":%d}}`
	require.EqualError(t, patch(types.ApplyYAMLPatchType, fmt.Sprintf(config, 7)),
		`Apply failed with 1 conflict: conflict with "us" with subresource "scale" using autoscaling/v1: .spec.replicas`)
	assert.EqualError(t, patch(types.ApplyYAMLPatchType, `{"spec":{"replicas":7}}`), "invalid object type: /, Kind=")
	assert.True(t, apierrors.IsBadRequest(patch(types.ApplyYAMLPatchType, `{`)))

	for _, scale := range []*autoscalingv1.Scale{
		{ObjectMeta: metav1.ObjectMeta{Name: "web", UID: "other"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "other"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "missing"}},
	} {
		_, err := r.shop().UpdateScale(t.Context(), "web", scale, metav1.UpdateOptions{})
		assert.Error(t, err, "%+v", scale.ObjectMeta)
	}
}
