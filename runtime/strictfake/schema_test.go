package strictfake

import (
	"encoding/json"
	"errors"
	stdtesting "testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1beta1"
)

// regional is a schema of workloads: the region defaults to "north" and must not be "south". There is no field "paused".
type regional struct{ served, storage, status bool }

var _ Schema = regional{}

func (regional) Prune(object map[string]any) (unknown []string) {
	if spec, ok := object["spec"].(map[string]any); ok && spec["paused"] != nil {
		delete(spec, "paused")
		unknown = append(unknown, "spec.paused")
	}
	return unknown
}

func (regional) Default(object map[string]any) {
	if name, _, _ := unstructured.NestedString(object, "spec", "regionName"); name == "" {
		_ = unstructured.SetNestedField(object, "north", "spec", "regionName")
	}
}

func (regional) Validate(object, _ map[string]any, _ string) field.ErrorList {
	if name, _, _ := unstructured.NestedString(object, "spec", "regionName"); name == "south" {
		return field.ErrorList{field.Invalid(field.NewPath("spec", "regionName"), name, "not there")}
	}
	return nil
}

func (s regional) Version() (served, storage bool)    { return s.served, s.storage }
func (s regional) Subresources() (status, scale bool) { return s.status, true }
func (regional) ScalePaths() (specReplicas, statusReplicas, selector string) {
	return ".spec.size", ".status.size", ""
}
func (regional) Names() (singular string, shortNames, categories []string) {
	return "load", []string{"wl"}, []string{"all"}
}
func (regional) SelectableFields() []string { return []string{"spec.regionName"} }

func TestSetSchema(t *stdtesting.T) {
	r := newRig(t)
	r.create(t, "old")
	kind := fleetv1.SchemeGroupVersion.WithKind("Workload")
	require.NoError(t, r.SetSchema(kind, regional{served: true, storage: true, status: true}))
	old, err := r.shop().Get(t.Context(), "old", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "north", old.Spec.RegionName, "stored objects are defaulted")
	assert.Equal(t, "2", old.ResourceVersion)

	object := workload("web", nil)
	object.Spec.Paused = true
	created, err := r.shop().Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.False(t, created.Spec.Paused, "unknown fields are pruned")
	_, err = r.shop().Create(t.Context(), object, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	assert.EqualError(t, err, `Workload in version "v1" cannot be handled as a Workload: strict decoding error: unknown field "spec.paused"`)
	object = workload("db", nil)
	object.Spec.RegionName = "south"
	_, err = r.shop().Create(t.Context(), object, metav1.CreateOptions{})
	assert.EqualError(t, err, `Workload.fleet.example.com "db" is invalid: spec.regionName: Invalid value: "south": not there`)
	created.Spec.RegionName = "south"
	_, err = r.shop().Update(t.Context(), created, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
	created.Spec.RegionName, created.Finalizers = "west", []string{"not a name"}
	_, err = r.shop().Update(t.Context(), created, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
	_, err = r.shop().Create(t.Context(), workload("a/b", nil), metav1.CreateOptions{})
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
	list, err := r.shop().List(t.Context(), metav1.ListOptions{FieldSelector: "spec.regionName=north"})
	require.NoError(t, err)
	assert.Len(t, list.Items, 2)
	for _, resource := range r.fake.Resources[0].APIResources {
		if resource.Name == "workloads" {
			assert.Equal(t, []string{"wl"}, resource.ShortNames)
		}
	}
}

// TestUnservedVersion does not serve a version. It is not found and not in discovery.
func TestUnservedVersion(t *stdtesting.T) {
	r := newRig(t)
	require.NoError(t, r.SetSchema(fleetv1beta1.SchemeGroupVersion.WithKind("Workload"), regional{}))
	_, err := r.v1beta1.Workloads("shop").Get(t.Context(), "web", metav1.GetOptions{})
	assert.EqualError(t, err, "the server could not find the requested resource (get workloads.fleet.example.com web)")
	for _, list := range r.fake.Resources {
		assert.NotEqual(t, "fleet.example.com/v1beta1", list.GroupVersion)
	}
}

// TestStorageVersion stores objects in the older version, which has no paused.
func TestStorageVersion(t *stdtesting.T) {
	r := newRig(t)
	object := workload("web", nil)
	object.Spec.Paused = true
	require.NoError(t, r.Add(object))
	require.NoError(t, r.SetSchema(fleetv1beta1.SchemeGroupVersion.WithKind("Workload"), regional{served: true, storage: true}))
	stored, err := r.shop().Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.False(t, stored.Spec.Paused)
	older, err := r.v1beta1.Workloads("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "north", older.Spec.RegionName)
}

// TestConversionFails has a conversion that fails: requests in the other version fail, and SetSchema changes nothing.
func TestConversionFails(t *stdtesting.T) {
	r := newRig(t, WithConversion(func(runtime.Object, schema.GroupVersionKind) (runtime.Object, error) {
		return nil, errors.New("no way")
	}))
	r.create(t, "web")
	const want = "convert fleet.example.com/v1, Kind=Workload to fleet.example.com/v1beta1: no way"
	_, err := r.v1beta1.Workloads("shop").Get(t.Context(), "web", metav1.GetOptions{})
	assert.EqualError(t, err, want)
	assert.True(t, apierrors.IsInternalError(err) || apierrors.ReasonForError(err) == metav1.StatusReasonUnknown)
	_, err = r.v1beta1.Workloads("shop").List(t.Context(), metav1.ListOptions{})
	assert.EqualError(t, err, want)
	_, err = r.v1beta1.Workloads("shop").Patch(t.Context(), "web", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{})
	assert.EqualError(t, err, want)
	w, err := r.v1beta1.Workloads("shop").Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	defer w.Stop()
	assert.Equal(t, []string{"ERROR 500 Internal error occurred: " + want}, events(w, 1))
	err = r.SetSchema(fleetv1beta1.SchemeGroupVersion.WithKind("Workload"), regional{served: true, storage: true})
	assert.EqualError(t, err, want)
	stored, err := r.shop().Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "2", stored.ResourceVersion)
}

// typed is a schema with types for managed fields.
type typed struct {
	regional
	converter managedfields.TypeConverter
}

func (t typed) TypeConverter() managedfields.TypeConverter { return t.converter }

// TestTypesOfSchema checks that the types of a schema replace those of the clientset in managed fields. Without types the latter stay.
func TestTypesOfSchema(t *stdtesting.T) {
	for name, test := range map[string]struct {
		converter managedfields.TypeConverter
		want      string
	}{
		"no types":       {nil, `"f:conditions":{".":{},"k:{\"type\":\"Ready\"}":`},
		"deduced fields": {managedfields.NewDeducedTypeConverter(), `"f:conditions":{}`},
	} {
		t.Run(name, func(t *stdtesting.T) {
			r := newRig(t)
			kind := fleetv1.SchemeGroupVersion.WithKind("Workload")
			require.NoError(t, r.SetSchema(kind, typed{regional{served: true, storage: true}, test.converter}))
			object := workload("web", nil)
			object.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: metav1.ConditionTrue}}
			created, err := r.shop().Create(t.Context(), object, metav1.CreateOptions{})
			require.NoError(t, err)
			require.Len(t, created.ManagedFields, 1)
			text, err := json.Marshal(created.ManagedFields[0].FieldsV1)
			require.NoError(t, err)
			assert.Contains(t, string(text), test.want)
		})
	}
}
