package codec

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
)

// noReplicas stands for missing replicas in the scale that a patch is applied to, as on a server.
const noReplicas = math.MinInt32

// scaleKind is the kind of all scales.
var scaleKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")

// Steps splits a path such as ".spec.replicas" into names.
func Steps(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

// Scale returns the scale of an object in the version of the kind. It returns an error if the object has no replicas.
func (k *Kind) Scale(u *unstructured.Unstructured) (*autoscalingv1.Scale, error) {
	scale, err := k.scale(u)
	if err == nil && scale.Spec.Replicas == noReplicas {
		spec, _, _ := k.schema.ScalePaths()
		return nil, apierrors.NewInternalError(errors.New("the spec replicas field \"" + spec + "\" does not exist"))
	}
	return scale, err
}

// scale is like Scale, with noReplicas for an object without replicas.
func (k *Kind) scale(u *unstructured.Unstructured) (*autoscalingv1.Scale, error) {
	spec, status, selector := k.schema.ScalePaths()
	wanted, found, err := unstructured.NestedInt64(u.Object, Steps(spec)...)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	switch {
	case !found && k.BuiltIn:
		wanted = builtin.DefaultReplicas
	case !found:
		wanted = noReplicas
	}
	scale := &autoscalingv1.Scale{}
	scale.Name, scale.Namespace, scale.UID = u.GetName(), u.GetNamespace(), u.GetUID()
	scale.ResourceVersion, scale.CreationTimestamp = u.GetResourceVersion(), u.GetCreationTimestamp()
	scale.Spec.Replicas = int32(wanted)
	if is, _, err := unstructured.NestedInt64(u.Object, Steps(status)...); err == nil {
		scale.Status.Replicas = int32(is)
	}
	if k.BuiltIn {
		if scale.Status.Selector, err = builtin.Selector(u); err != nil {
			return nil, apierrors.NewInternalError(err)
		}
	} else if selector != "" {
		scale.Status.Selector, _, _ = unstructured.NestedString(u.Object, Steps(selector)...) // servers ignore other types
	}
	return scale, nil
}

// ScaleToChange returns the scale of an object for an update, a patch or an apply. Its managed fields say who owns the replicas.
func (k *Kind) ScaleToChange(u *unstructured.Unstructured) (*autoscalingv1.Scale, error) {
	scale, err := k.scale(u)
	if err != nil {
		return nil, err
	}
	scale.SetGroupVersionKind(scaleKind)
	scale.ManagedFields, err = k.scaleHandler(u).ToSubresource()
	return scale, err
}

// Rescale sets the replicas of an object and the owners of the replicas, as a changed scale has them.
func (k *Kind) Rescale(u *unstructured.Unstructured, scale *autoscalingv1.Scale) error {
	path, _, _ := k.schema.ScalePaths()
	if scale.Spec.Replicas == noReplicas {
		return apierrors.NewBadRequest(fmt.Sprintf("the spec replicas field %q cannot be empty", path))
	}
	owners, err := k.scaleHandler(u).ToParent(scale.ManagedFields)
	if err != nil {
		return err
	}
	u.SetManagedFields(owners)
	return unstructured.SetNestedField(u.Object, int64(scale.Spec.Replicas), Steps(path)...)
}

// scaleHandler converts the managed fields of an object to managed fields of its scale and back.
func (k *Kind) scaleHandler(u *unstructured.Unstructured) *managedfields.ScaleHandler {
	paths := managedfields.ResourcePathMappings{}
	for _, version := range k.codec.byKind {
		if version.StoredAs() != k.StoredAs() {
			continue
		}
		var steps []string
		if version.Has(Scale) {
			spec, _, _ := version.schema.ScalePaths()
			steps = Steps(spec)
		}
		setPath(paths, version.apiVersion, steps)
	}
	return managedfields.NewScaleHandler(u.GetManagedFields(), k.GroupVersion(), paths)
}

// setPath sets the path of the replicas in an API version. The type of path elements is from structured-merge-diff. Releases of
// client-go have different major versions of it: no import fits all.
func setPath[P ~[]E, E any](paths map[string]P, apiVersion string, steps []string) {
	var path P
	for _, step := range steps {
		var element E
		reflect.ValueOf(&element).Elem().FieldByName("FieldName").Set(reflect.ValueOf(&step))
		path = append(path, element)
	}
	paths[apiVersion] = path
}

// OwnScale updates the managed fields of a scale that replaces old: the writer owns the replicas if it has changed them. It returns the
// scale and may modify both arguments.
func (w Writer) OwnScale(old, scale *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
	fields, err := w.fieldManager()
	if err != nil {
		return nil, err
	}
	scale.SetGroupVersionKind(scaleKind)
	owned, ok := fields.UpdateNoErrors(old, scale, w.Manager).(*autoscalingv1.Scale)
	if !ok {
		return nil, errUnexpected
	}
	return owned, nil
}

// ApplyScale returns the result of a server-side apply of a scale.
func (w Writer) ApplyScale(old *autoscalingv1.Scale, configuration *unstructured.Unstructured, force bool) (*autoscalingv1.Scale, error) {
	fields, err := w.fieldManager()
	if err != nil {
		return nil, err
	}
	result, err := fields.Apply(old, configuration, w.Manager, force)
	if err != nil {
		return nil, err
	}
	scale, ok := result.(*autoscalingv1.Scale)
	if !ok {
		return nil, errUnexpected
	}
	return scale, nil
}

// scaleManager returns the field manager for scales. It knows the fields of a scale if the types of the kind include it, as types of a
// CustomResourceDefinition do.
func (k *Kind) scaleManager() (*managedfields.FieldManager, error) {
	types, known := k.converter, &autoscalingv1.Scale{}
	known.SetGroupVersionKind(scaleKind)
	if _, err := types.ObjectToTyped(known); err != nil {
		types = managedfields.NewDeducedTypeConverter()
	}
	of := versions{k.codec}
	convert := scales{of, k.BuiltIn}
	return managedfields.NewDefaultCRDFieldManager(types, convert, noDefaults{}, of, scaleKind, scaleKind.GroupVersion(), Scale, nil)
}

// scales converts scales, for the field manager.
type scales struct {
	runtime.ObjectConvertor

	builtIn bool
}

// ConvertToVersion implements runtime.ObjectConvertor. An apply that changes a scale has the result in JSON form. Servers cannot convert
// it for custom resources, and return this error.
func (s scales) ConvertToVersion(in runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
	u, ok := in.(*unstructured.Unstructured)
	if !ok {
		return in, nil
	}
	if !s.builtIn {
		return nil, errors.New("request to convert CR to an invalid group/version: " + scaleKind.GroupVersion().String())
	}
	scale := &autoscalingv1.Scale{}
	return scale, runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, scale)
}

// noDefaults is a runtime.ObjectDefaulter for scales, which have no defaults.
type noDefaults struct{}

// Default implements runtime.ObjectDefaulter.
func (noDefaults) Default(runtime.Object) {}
