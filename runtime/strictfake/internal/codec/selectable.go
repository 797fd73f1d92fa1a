package codec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
)

// The fields of the metadata that selectors can use.
const nameField, namespaceField = "metadata.name", "metadata.namespace"

// CheckSelector returns a server's error for a field that field selectors cannot use. Built-in kinds without fields of their own take both
// fields of the metadata, even if objects are not in namespaces.
func (k *Kind) CheckSelector(name string) error {
	declared := k.schema.SelectableFields()
	byDefault := k.BuiltIn && len(declared) == 0
	switch {
	case name == nameField, name == namespaceField && (k.Namespaced || byDefault), slices.Contains(declared, name):
		return nil
	case byDefault:
		return fmt.Errorf("%q is not a known field selector: only %q, %q", name, nameField, namespaceField)
	}
	return errors.New("field label not supported: " + name)
}

// SelectableFields returns the selectable fields of an object in the version of the kind or in another one.
func (k *Kind) SelectableFields(u *unstructured.Unstructured) fields.Set {
	set := fields.Set{nameField: u.GetName()}
	if k.Namespaced {
		set[namespaceField] = u.GetNamespace()
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
