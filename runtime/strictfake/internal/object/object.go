// Package object has operations on Kubernetes objects in JSON form. They know metadata, but no kinds.
//
// Stored objects share their content: nothing below an object may be modified in place. Clone gives an object whose metadata and
// top-level fields can be replaced.
package object

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	kjson "sigs.k8s.io/json"
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

// WholeNumbers returns an object as it comes back from its JSON: floating-point numbers without a fraction are integers. The result shares
// what does not change with the object, and is the object itself if nothing does.
func WholeNumbers(u *unstructured.Unstructured) *unstructured.Unstructured {
	result, changed := whole(u.Object)
	if content, ok := result.(map[string]any); ok && changed {
		return &unstructured.Unstructured{Object: content}
	}
	return u
}

// whole is WholeNumbers for a JSON value.
func whole(value any) (result any, changed bool) {
	switch value := value.(type) {
	case float64:
		if value >= math.MinInt64 && value < math.MaxInt64 && value == math.Trunc(value) {
			return int64(value), true
		}
	case map[string]any:
		copied := value
		for name, below := range value {
			if below, differs := whole(below); differs {
				if !changed {
					copied, changed = maps.Clone(value), true
				}
				copied[name] = below
			}
		}
		return copied, changed
	case []any:
		copied := value
		for i, element := range value {
			if element, differs := whole(element); differs {
				if !changed {
					copied, changed = slices.Clone(value), true
				}
				copied[i] = element
			}
		}
		return copied, changed
	}
	return value, false
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

// CoerceMetadata removes empty and unknown fields from the metadata of an object, as servers do, and returns the paths of unknown ones.
// It returns an error if the metadata does not have the form of metav1.ObjectMeta.
func CoerceMetadata(u *unstructured.Unstructured) (unknown []string, err error) {
	if u.Object["metadata"] == nil {
		return nil, nil
	}
	data, err := json.Marshal(u.Object["metadata"])
	if err != nil {
		return nil, err
	}
	var typed metav1.ObjectMeta
	odd, err := kjson.UnmarshalStrict(data, &typed)
	if err != nil {
		return nil, err
	}
	for _, problem := range odd {
		if of := kjson.FieldError(nil); errors.As(problem, &of) {
			unknown = append(unknown, "metadata."+of.FieldPath())
		}
	}
	coerced, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&typed)
	if err != nil {
		return nil, err
	}
	delete(coerced, "selfLink") // servers drop it
	if typed.CreationTimestamp.IsZero() {
		delete(coerced, "creationTimestamp")
	}
	u.Object["metadata"] = coerced
	return unknown, nil
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
