package shared

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"unique"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// prepare trims and transforms an object for the store. It returns the name and the object.
func (i *Informer) prepare(obj any) (cache.ObjectName, any, error) {
	trimmed, err := i.trim(obj) // never fails
	if i.options.Transform != nil {
		trimmed, err = i.options.Transform(trimmed)
	}
	if err != nil {
		name, _ := nameOf(obj) // without a name, the error is good enough
		return cache.ObjectName{}, nil, fmt.Errorf("%s %s: transform: %w", i.kind.Resource.GroupResource(), name, err)
	}
	name, err := nameOf(trimmed)
	return name, trimmed, err
}

// trim drops managed fields and shares equal strings. It never fails and is idempotent, because it is also the
// cache.TransformFunc of reflectors. It returns a copy: others may hold the object, such as the tracker of a fake clientset.
func (i *Informer) trim(obj any) (any, error) {
	if i.options.KeepManagedFields && !i.options.ShareStrings && i.options.Transform == nil {
		return obj, nil
	}
	obj = shallowCopy(obj)
	if object, err := meta.Accessor(obj); err == nil {
		if !i.options.KeepManagedFields && object.GetManagedFields() != nil {
			object.SetManagedFields(nil)
		}
		if i.options.ShareStrings {
			shareStrings(object)
			if i.equal != nil {
				i.equal.share(object)
			}
		}
	}
	return obj, nil
}

// shallowCopy returns a copy of an object whose metadata can be set without affecting the original. Maps and slices are shared.
func shallowCopy(obj any) any {
	if original, ok := obj.(runtime.Unstructured); ok {
		content := maps.Clone(original.UnstructuredContent())
		if metadata, ok := content["metadata"].(map[string]any); ok {
			content["metadata"] = maps.Clone(metadata)
		}
		result := original.NewEmptyInstance()
		result.SetUnstructuredContent(content)
		return result
	}
	original := reflect.ValueOf(obj)
	if original.Kind() != reflect.Pointer || original.IsNil() {
		return obj
	}
	result := reflect.New(original.Type().Elem())
	result.Elem().Set(original.Elem())
	return result.Interface()
}

// shareStrings replaces strings that many objects have with shared copies: the namespace, labels, keys of annotations,
// finalizers, and the kinds of owners. Values of annotations are rarely equal. Maps and slices are replaced, not modified.
func shareStrings(object metav1.Object) {
	if metadata, ok := object.(*metav1.PartialObjectMetadata); ok {
		metadata.APIVersion, metadata.Kind = share(metadata.APIVersion), share(metadata.Kind)
	}
	object.SetNamespace(share(object.GetNamespace()))
	if labels := object.GetLabels(); labels != nil {
		name := object.GetName()
		object.SetLabels(shareMap(labels, func(value string) string {
			if value == name {
				return name // unique names would only take memory in the pool
			}
			return share(value)
		}))
	}
	if annotations := object.GetAnnotations(); annotations != nil {
		object.SetAnnotations(shareMap(annotations, func(value string) string { return value }))
	}
	if finalizers := slices.Clone(object.GetFinalizers()); finalizers != nil {
		for n := range finalizers {
			finalizers[n] = share(finalizers[n])
		}
		object.SetFinalizers(finalizers)
	}
	if _, ok := object.(runtime.Unstructured); ok {
		return // setting owner references would drop fields that this release does not know
	}
	if owners := slices.Clone(object.GetOwnerReferences()); owners != nil {
		for n := range owners {
			owner := &owners[n]
			owner.APIVersion, owner.Kind = share(owner.APIVersion), share(owner.Kind)
		}
		object.SetOwnerReferences(owners)
	}
}

// shareMap returns a map with shared keys, and with the values that the function returns.
func shareMap(values map[string]string, value func(string) string) map[string]string {
	shared := make(map[string]string, len(values))
	for k, v := range values {
		shared[share(k)] = value(v)
	}
	return shared
}

// equal makes the metadata of objects share equal labels, annotations and finalizers: even a small map takes more memory than
// the rest of the metadata. The shared values must not be modified.
type equal struct {
	lock  sync.Mutex
	maps  pool[map[string]string]
	lists pool[[]string]
}

func (e *equal) share(object metav1.Object) {
	e.lock.Lock()
	defer e.lock.Unlock()
	for _, field := range []struct {
		get func() map[string]string
		set func(map[string]string)
	}{{object.GetLabels, object.SetLabels}, {object.GetAnnotations, object.SetAnnotations}} {
		if values := field.get(); len(values) > 0 {
			var text []byte
			for _, k := range slices.Sorted(maps.Keys(values)) {
				text = strconv.AppendQuote(strconv.AppendQuote(text, k), values[k])
			}
			field.set(e.maps.share(text, values))
		}
	}
	if finalizers := object.GetFinalizers(); len(finalizers) > 0 {
		var text []byte
		for _, finalizer := range finalizers {
			text = strconv.AppendQuote(text, finalizer)
		}
		object.SetFinalizers(e.lists.share(text, finalizers))
	}
}

// pool has values by their encoded content.
type pool[V any] map[string]V

// mostPooled is the maximum number of values in a pool. A full pool is emptied.
const mostPooled = 1024

// share returns the pooled value with the same content, or adds value to the pool. The text is its encoded content.
func (p *pool[V]) share(text []byte, value V) V {
	if known, ok := (*p)[string(text)]; ok {
		return known
	}
	if *p == nil || len(*p) >= mostPooled {
		*p = pool[V]{}
	}
	(*p)[string(text)] = value
	return value
}

// share returns the shared copy of a string, which is freed when it is no longer used.
func share[S ~string](s S) S { return unique.Make(s).Value() }
