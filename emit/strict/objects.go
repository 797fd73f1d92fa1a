package strict

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// maxRequest is the maximum size of a request, in bytes.
const maxRequest = 3 * 1024 * 1024

// encode returns an object as clients send it: in JSON form, with times to the second and without empty fields.
func encode(k *served, object runtime.Object) (*unstructured.Unstructured, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	if len(data) > maxRequest {
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxRequest))
	}
	if err := utiljson.Unmarshal(data, &u.Object); err != nil {
		return nil, err
	}
	u.SetGroupVersionKind(k.GroupVersionKind)
	if metadata, ok := u.Object["metadata"].(map[string]any); ok && metadata["creationTimestamp"] == nil {
		delete(metadata, "creationTimestamp") // older types encode it as null
	}
	u.SetSelfLink("") // servers drop it
	return u, nil
}

// coerceMetadata removes empty and unknown fields from the metadata of an object, as servers do.
func coerceMetadata(u *unstructured.Unstructured) error {
	if u.Object["metadata"] == nil {
		return nil
	}
	data, err := json.Marshal(u.Object["metadata"])
	if err != nil {
		return err
	}
	var typed metav1.ObjectMeta
	if err := json.Unmarshal(data, &typed); err != nil {
		return err
	}
	coerced, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&typed)
	if err != nil {
		return err
	}
	delete(coerced, "selfLink") // servers drop it
	if typed.CreationTimestamp.IsZero() {
		delete(coerced, "creationTimestamp")
	}
	u.Object["metadata"] = coerced
	return nil
}

// decode returns an object as clients receive it. Typed clients drop the kind of single objects, but not of list items.
func (k *served) decode(u *unstructured.Unstructured) (runtime.Object, error) {
	object, err := k.scheme.New(u.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, object); err != nil {
		return nil, err
	}
	return object, nil
}

// as returns the object of a record in a version of its kind. It must not be modified.
func (s *Server) as(k *served, r *record) (runtime.Object, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if object, ok := r.typed[k.GroupVersion()]; ok {
		return object, nil
	}
	u, err := s.inVersion(k, r.object)
	if err != nil {
		return nil, err
	}
	object, err := k.decode(u)
	if err != nil {
		return nil, err
	}
	r.typed[k.GroupVersion()] = object
	return object, nil
}

// answer returns a copy of the object of a record for the client of a version.
func (s *Server) answer(k *served, r *record) (runtime.Object, error) {
	object, err := s.as(k, r)
	if err != nil {
		return nil, err
	}
	object = object.DeepCopyObject()
	object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return object, nil
}

// inVersion returns an object in a version of its kind, which is the object itself if it has that version.
func (s *Server) inVersion(k *served, u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if u.GroupVersionKind() == k.GroupVersionKind {
		return u, nil
	}
	if s.convert == nil {
		converted := u.DeepCopy()
		converted.SetGroupVersionKind(k.GroupVersionKind)
		k.schema.Prune(converted.Object)
		k.schema.Default(converted.Object)
		return converted, nil
	}
	object, err := k.decode(u)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(u.GroupVersionKind())
	converted, err := s.convert(object, k.GroupVersionKind)
	if err != nil {
		return nil, fmt.Errorf("convert %s to %s: %w", u.GroupVersionKind(), k.GroupVersion(), err)
	}
	result, err := encode(k, converted)
	if err != nil {
		return nil, err
	}
	k.schema.Prune(result.Object)
	k.schema.Default(result.Object)
	// As with a conversion webhook, only labels and annotations may change.
	metadata := u.DeepCopy()
	metadata.SetLabels(result.GetLabels())
	metadata.SetAnnotations(result.GetAnnotations())
	result.Object["metadata"] = metadata.Object["metadata"]
	return result, nil
}

// clone returns a copy of an object whose metadata can be modified and whose fields can be replaced. The content of fields is
// shared and must not be modified.
func clone(u *unstructured.Unstructured) *unstructured.Unstructured {
	copied := &unstructured.Unstructured{Object: maps.Clone(u.Object)}
	if metadata, ok := u.Object["metadata"].(map[string]any); ok {
		copied.Object["metadata"] = maps.Clone(metadata)
	}
	return copied
}

// sameJSON reports whether two JSON values are equal.
func sameJSON(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, sameJSON)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, sameJSON)
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}
