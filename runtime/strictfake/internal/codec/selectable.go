package codec

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
)

// IsSelectable reports whether field selectors can use a field.
func (k *Kind) IsSelectable(name string) bool {
	if name == "metadata.name" || name == "metadata.namespace" && k.Namespaced {
		return true
	}
	return slices.Contains(k.schema.SelectableFields(), name)
}

// SelectableFields returns the selectable fields of an object in the version of the kind or in another one.
func (k *Kind) SelectableFields(u *unstructured.Unstructured) fields.Set {
	set := fields.Set{"metadata.name": u.GetName()}
	if k.Namespaced {
		set["metadata.namespace"] = u.GetNamespace()
	}
	declared := k.schema.SelectableFields()
	if len(declared) == 0 {
		return set
	}
	u, err := k.codec.InVersion(k, u)
	if err != nil {
		return set
	}
	for _, name := range declared {
		if k.Rules != nil && k.Rules.Label(name) != nil {
			set[name] = k.Rules.Label(name).Value(u)
			continue
		}
		set[name] = ""
		value, found, err := unstructured.NestedFieldNoCopy(u.Object, strings.Split(name, ".")...)
		if err == nil && found && value != nil {
			set[name] = fmt.Sprint(value)
		}
	}
	return set
}
