// Package trim makes objects smaller before they are cached: it drops managed fields and lets objects share equal strings.
//
// Objects are never modified, since others may hold them, such as the tracker of a fake clientset. Trim returns a shallow copy
// whose changed maps and slices are new.
package trim

import (
	"maps"
	"reflect"
	"slices"
	"sync"
	"unique"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Trimmer trims the objects of one informer. The zero value drops all managed fields.
type Trimmer struct {
	// VersionsOnly drops everything but names, UIDs and resource versions from objects that are metadata.
	VersionsOnly bool
	// KeepManagedFields keeps the managed fields of Managers, or all if there are no Managers.
	KeepManagedFields bool
	Managers          []string
	// Also keeps the managed fields of more managers, unless it is nil.
	Also *Managers

	pools pools
}

// Managers is a set of field managers that others share, and may add to at any time. The zero value is empty.
type Managers struct {
	lock  sync.RWMutex
	all   bool
	names []string
}

// Add adds field managers, or all if no name is given.
func (m *Managers) Add(names ...string) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.all = m.all || len(names) == 0
	m.names = append(m.names, names...)
}

// Any reports whether field managers have been added.
func (m *Managers) Any() bool {
	if m == nil {
		return false
	}
	m.lock.RLock()
	defer m.lock.RUnlock()
	return m.all || len(m.names) > 0
}

func (m *Managers) has(name string) bool {
	if m == nil {
		return false
	}
	m.lock.RLock()
	defer m.lock.RUnlock()
	return m.all || slices.Contains(m.names, name)
}

// Trim returns a trimmed copy of an object. Values that are not API objects are returned unchanged. It may be called
// concurrently.
func (t *Trimmer) Trim(obj any) any {
	if whole, ok := obj.(*metav1.PartialObjectMetadata); ok && t.VersionsOnly && whole != nil {
		return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Name: whole.Name, Namespace: share(whole.Namespace), UID: whole.UID, ResourceVersion: whole.ResourceVersion,
		}}
	}
	obj = shallowCopy(obj)
	object, err := meta.Accessor(obj)
	if err != nil {
		return obj
	}
	t.trimManagedFields(object)
	shareStrings(object)
	if _, ok := object.(*metav1.PartialObjectMetadata); ok {
		// Whole objects share no maps: they are more likely to be modified by mistake.
		t.pools.share(object)
	}
	return obj
}

func (t *Trimmer) trimManagedFields(object metav1.Object) {
	entries := object.GetManagedFields()
	if entries == nil || t.KeepManagedFields && len(t.Managers) == 0 {
		return
	}
	var kept []metav1.ManagedFieldsEntry
	for _, entry := range entries {
		if t.KeepManagedFields && slices.Contains(t.Managers, entry.Manager) || t.Also.has(entry.Manager) {
			kept = append(kept, entry)
		}
	}
	object.SetManagedFields(kept)
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

// share returns the shared copy of a string, which is freed when it is no longer used.
func share[S ~string](s S) S { return unique.Make(s).Value() }
