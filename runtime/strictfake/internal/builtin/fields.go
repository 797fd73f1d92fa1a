package builtin

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// text returns a field as text, or "" if it is missing.
func text(u *unstructured.Unstructured, path []string) string {
	value, found, err := unstructured.NestedFieldNoCopy(u.Object, path...)
	if err != nil || !found || value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

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
func set(parent map[string]any, value any, steps []string) {
	for _, step := range steps[:len(steps)-1] {
		parent = object.Child(parent, step)
	}
	parent[steps[len(steps)-1]] = value
}

// remove removes a field, and copies the maps that have it.
func remove(parent map[string]any, steps []string) {
	for _, step := range steps[:len(steps)-1] {
		if _, ok := parent[step].(map[string]any); !ok {
			return
		}
		parent = object.Child(parent, step)
	}
	delete(parent, steps[len(steps)-1])
}

// Prepare changes a new object as a server does.
func (k *Kind) Prepare(u *unstructured.Unstructured) {
	Restore(u, nil, k.Create.Drops)
	merge(u.Object, k.Create.Sets)
}

// merge sets fields, and copies the maps that have them.
func merge(parent, fields map[string]any) {
	for name, value := range fields {
		if below, isObject := value.(map[string]any); isObject {
			merge(object.Child(parent, name), below)
		} else {
			parent[name] = value
		}
	}
}
