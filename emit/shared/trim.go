package shared

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
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
			if i.equal != nil {
				i.equal.share(object)
			}
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
		name := object.GetName()
		object.SetLabels(shareMap(labels, func(value string) string {
			if value == name {
				return name // no other object has it, and to remember it would take more memory than it saves
			}
			return share(value)
		}))
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

// equal lets the metadata of objects share equal labels, annotations and finalizers: the smallest map takes more memory than
// all else that metadata holds. Nobody may change them.
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

// pool remembers values by a text that says what they hold.
type pool[V any] map[string]V

// mostPooled is how many different values are remembered.
const mostPooled = 1024

// share returns the value that is remembered, or remembers this one.
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

// share returns the one copy of a string. It is freed when nobody uses it.
func share[S ~string](s S) S { return unique.Make(s).Value() }
