package builtin

import (
	"fmt"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// text returns a field as text, or "" if it is missing.
func text(u *unstructured.Unstructured, path []string) string {
	value, found, err := unstructured.NestedFieldNoCopy(u.Object, path...)
	if err != nil || !found || value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

// Text returns a field of an object as text, or "" if it is missing.
func Text(u *unstructured.Unstructured, path string) string { return text(u, strings.Split(path, ".")) }

// Restore sets the fields at paths to their values in the old object, or removes them if the old object lacks them. Without an old
// object, it removes all of them. It replaces the maps on the way to a field, and does not modify them.
func Restore(u, old *unstructured.Unstructured, paths []string) {
	for _, path := range paths {
		steps := strings.Split(path, ".")
		if old != nil {
			if value, found, err := unstructured.NestedFieldNoCopy(old.Object, steps...); err == nil && found {
				set(u.Object, value, steps)
				continue
			}
		}
		remove(u.Object, steps)
	}
}

// set sets a field, and copies the maps that have it.
func set(object map[string]any, value any, steps []string) {
	for _, step := range steps[:len(steps)-1] {
		below, _ := object[step].(map[string]any) // nil if it is missing
		copied := maps.Clone(below)
		if copied == nil {
			copied = map[string]any{}
		}
		object[step] = copied
		object = copied
	}
	object[steps[len(steps)-1]] = value
}

// remove removes a field, and copies the maps that have it.
func remove(object map[string]any, steps []string) {
	for _, step := range steps[:len(steps)-1] {
		below, ok := object[step].(map[string]any)
		if !ok {
			return
		}
		copied := maps.Clone(below)
		object[step] = copied
		object = copied
	}
	delete(object, steps[len(steps)-1])
}

// Prepare does to a new object what a server does.
func (k *Kind) Prepare(u *unstructured.Unstructured) {
	Restore(u, nil, k.Create.Drops)
	merge(u.Object, k.Create.Sets)
}

// merge sets fields.
func merge(object, fields map[string]any) {
	for name, value := range fields {
		below, isObject := value.(map[string]any)
		if !isObject {
			object[name] = value
			continue
		}
		is, _ := object[name].(map[string]any) // nil if it is missing
		copied := maps.Clone(is)
		if copied == nil {
			copied = map[string]any{}
		}
		merge(copied, below)
		object[name] = copied
	}
}
