package shared

import (
	"fmt"
	"unique"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// prepare makes an object ready for the store, and returns its name.
func (i *Informer) prepare(obj any) (cache.ObjectName, any, error) {
	trimmed, err := i.trim(obj) // never fails
	if i.options.Transform != nil {
		trimmed, err = i.options.Transform(trimmed)
	}
	if err != nil {
		name, _ := nameOf(obj) // without a name the error says enough
		return cache.ObjectName{}, nil, fmt.Errorf("%s %s: transform: %w", i.kind.Resource.GroupResource(), name, err)
	}
	name, err := nameOf(trimmed)
	return name, trimmed, err
}

// trim drops managed fields and shares strings that repeat. It does not fail, and may be called for an object that has been
// trimmed already: it is a cache.TransformFunc for reflectors.
func (i *Informer) trim(obj any) (any, error) {
	if object, err := meta.Accessor(obj); err == nil {
		if !i.options.KeepManagedFields && object.GetManagedFields() != nil {
			object.SetManagedFields(nil)
		}
		if i.options.ShareStrings {
			shareStrings(object)
		}
	}
	return obj, nil
}

// shareStrings replaces strings that many objects have by one copy of each: the namespace, labels, keys of annotations,
// finalizers, and the kinds of owners. The values of annotations seldom repeat.
func shareStrings(object metav1.Object) {
	if metadata, ok := object.(*metav1.PartialObjectMetadata); ok {
		metadata.APIVersion, metadata.Kind = share(metadata.APIVersion), share(metadata.Kind)
	}
	object.SetNamespace(share(object.GetNamespace()))
	if labels := object.GetLabels(); labels != nil {
		object.SetLabels(shareMap(labels, share))
	}
	if annotations := object.GetAnnotations(); annotations != nil {
		object.SetAnnotations(shareMap(annotations, func(value string) string { return value }))
	}
	finalizers := object.GetFinalizers()
	for n := range finalizers {
		finalizers[n] = share(finalizers[n])
	}
	owners := object.GetOwnerReferences()
	for n := range owners {
		owner := &owners[n]
		owner.APIVersion, owner.Kind = share(owner.APIVersion), share(owner.Kind)
	}
}

// shareMap returns a map with shared keys, and with values as the function has them.
func shareMap(values map[string]string, value func(string) string) map[string]string {
	shared := make(map[string]string, len(values))
	for k, v := range values {
		shared[share(k)] = value(v)
	}
	return shared
}

// share returns the one copy of a string. It is freed when nobody uses it.
func share[S ~string](s S) S { return unique.Make(s).Value() }
