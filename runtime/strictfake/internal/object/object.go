// Package object has operations on Kubernetes objects in JSON form. They know metadata, but no kinds.
//
// Stored objects share their content: nothing below an object may be modified in place. Clone gives an object whose metadata and
// top-level fields can be replaced.
package object

import (
	"encoding/json"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Clone returns a copy of an object whose metadata can be modified and whose fields can be replaced. The content of fields is
// shared and must not be modified.
func Clone(u *unstructured.Unstructured) *unstructured.Unstructured {
	copied := &unstructured.Unstructured{Object: maps.Clone(u.Object)}
	if metadata, ok := u.Object["metadata"].(map[string]any); ok {
		copied.Object["metadata"] = maps.Clone(metadata)
	}
	return copied
}

// Child replaces the map in a field by a copy, which can be modified, and returns the copy. Without a map, the copy is empty.
func Child(parent map[string]any, name string) map[string]any {
	copied := map[string]any{}
	if below, ok := parent[name].(map[string]any); ok {
		maps.Copy(copied, below)
	}
	parent[name] = copied
	return copied
}

// SameJSON reports whether two JSON values are equal.
func SameJSON(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, SameJSON)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, SameJSON)
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

// SameContent reports whether two objects differ at most in their metadata.
func SameContent(a, b *unstructured.Unstructured) bool {
	differs := func(u, other *unstructured.Unstructured) bool {
		for name, value := range u.Object {
			if there, ok := other.Object[name]; name != "metadata" && (!ok || !SameJSON(value, there)) {
				return true
			}
		}
		return false
	}
	return !differs(a, b) && (len(a.Object) == len(b.Object) || !differs(b, a))
}

// ManagedFields returns the managed fields of an object in JSON form, or nil. They must not be modified.
func ManagedFields(u *unstructured.Unstructured) []any {
	metadata, _ := u.Object["metadata"].(map[string]any) // nil without metadata
	entries, _ := metadata["managedFields"].([]any)      // nil without managed fields
	return entries
}

// SetManagedFields sets the managed fields of an object in JSON form, or removes them if entries is nil.
func SetManagedFields(u *unstructured.Unstructured, entries []any) {
	metadata, ok := u.Object["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		u.Object["metadata"] = metadata
	}
	if entries == nil {
		delete(metadata, "managedFields")
		return
	}
	metadata["managedFields"] = entries
}

// KeepTimes keeps the times of managed fields if nothing else has changed, so that a write without changes has no effect. It
// reports whether it has modified u.
func KeepTimes(old, u *unstructured.Unstructured) bool {
	was, is := ManagedFields(old), ManagedFields(u)
	if u.GetGeneration() != old.GetGeneration() || len(was) != len(is) || len(is) == 0 {
		return false
	}
	candidate, entries := Clone(u), slices.Clone(is)
	for i := range is {
		before, ok := was[i].(map[string]any)
		entry, isEntry := is[i].(map[string]any)
		if ok && isEntry {
			entry = maps.Clone(entry)
			entry["time"] = before["time"]
			entries[i] = entry
		}
	}
	SetManagedFields(candidate, entries)
	if !SameJSON(old.Object, candidate.Object) {
		return false
	}
	u.Object = candidate.Object
	return true
}

// CoerceMetadata removes empty and unknown fields from the metadata of an object, as servers do. It returns an error if the
// metadata does not have the form of metav1.ObjectMeta.
func CoerceMetadata(u *unstructured.Unstructured) error {
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

// DropDuplicateOwners removes owner references that occur twice.
func DropDuplicateOwners(u *unstructured.Unstructured) {
	owners := u.GetOwnerReferences()
	if len(owners) < 2 {
		return
	}
	seen := map[types.UID][]metav1.OwnerReference{}
	unique := slices.DeleteFunc(slices.Clone(owners), func(owner metav1.OwnerReference) bool {
		same := func(other metav1.OwnerReference) bool { return equality.Semantic.DeepEqual(owner, other) }
		if slices.ContainsFunc(seen[owner.UID], same) {
			return true
		}
		seen[owner.UID] = append(seen[owner.UID], owner)
		return false
	})
	if len(unique) < len(owners) {
		u.SetOwnerReferences(unique)
	}
}
