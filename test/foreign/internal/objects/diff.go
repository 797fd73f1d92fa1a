package objects

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Change is a difference between two JSON objects.
type Change struct {
	Path string
	// Want and Have are the values. Missing values are the string type Missing.
	Want, Have any
	// Schema and Parent are the schemas of the value and of the value around it, or nil.
	Schema, Parent *props
}

// Missing is the value of fields that one of the objects lacks.
type Missing struct{}

// String describes the change.
func (c Change) String() string {
	switch {
	case c.Have == Missing{}:
		return fmt.Sprintf("%s lost: %s", c.Path, text(c.Want))
	case c.Want == Missing{}:
		return fmt.Sprintf("%s invented: %s", c.Path, text(c.Have))
	}
	return fmt.Sprintf("%s changed: %s to %s", c.Path, text(c.Want), text(c.Have))
}

func text(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(encoded)
}

// Diff returns the differences between two objects of a version: fields that were lost, invented or changed.
func (v Version) Diff(want, have map[string]any) []Change {
	return diff("", want, have, v.Schema, nil)
}

func diff(path string, want, have any, schema, parent *props) (changes []Change) {
	switch w := want.(type) {
	case map[string]any:
		if h, ok := have.(map[string]any); ok {
			return diffObjects(path, w, h, schema)
		}
	case []any:
		if h, ok := have.([]any); ok && len(h) == len(w) {
			var items *props
			if schema != nil && schema.Items != nil {
				items = schema.Items.Schema
			}
			for i := range w {
				changes = append(changes, diff(path+"["+strconv.Itoa(i)+"]", w[i], h[i], items, schema)...)
			}
			return changes
		}
	}
	if !sameScalar(want, have) {
		return []Change{{path, want, have, schema, parent}}
	}
	return nil
}

func diffObjects(path string, want, have map[string]any, schema *props) (changes []Change) {
	names := maps.Clone(want)
	maps.Copy(names, have)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		w, inWant := want[name]
		h, inHave := have[name]
		property := child(schema, name)
		switch {
		case !inWant:
			changes = append(changes, Change{path + "." + name, Missing{}, h, property, schema})
		case !inHave:
			changes = append(changes, Change{path + "." + name, w, Missing{}, property, schema})
		default:
			changes = append(changes, diff(path+"."+name, w, h, property, schema)...)
		}
	}
	return changes
}

// child returns the schema of a field, or nil.
func child(schema *props, name string) *props {
	if schema == nil {
		return nil
	}
	if property, ok := schema.Properties[name]; ok {
		return &property
	}
	if schema.AdditionalProperties != nil {
		return schema.AdditionalProperties.Schema
	}
	return nil
}

// sameScalar reports whether two values are equal. 1 and 1.0 are the same number.
func sameScalar(a, b any) bool {
	switch x := a.(type) {
	case map[string]any, []any:
		return false
	case int64:
		if y, ok := b.(float64); ok {
			return float64(x) == y
		}
	case float64:
		if y, ok := b.(int64); ok {
			return x == float64(y)
		}
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

// Decode returns the object in a JSON text, with whole numbers as int64.
func Decode(data []byte) (map[string]any, error) {
	var object map[string]any
	err := utiljson.Unmarshal(data, &object)
	return object, err
}

// Paths adds the paths of an object's fields to a set, in the notation of package schemas. Map keys are *.
func (v Version) Paths(object map[string]any, into map[string]bool) {
	paths("", object, v.Schema, into)
}

func paths(path string, value any, schema *props, into map[string]bool) {
	into[path] = true
	switch v := value.(type) {
	case map[string]any:
		for name, element := range v {
			property, next := child(schema, name), path+"."+name
			if schema != nil && !declares(schema, name) {
				next = path + ".*"
			}
			paths(next, element, property, into)
		}
	case []any:
		var items *props
		if schema != nil && schema.Items != nil {
			items = schema.Items.Schema
		}
		for _, element := range v {
			paths(path+"[]", element, items, into)
		}
	}
}

func declares(schema *props, name string) bool {
	_, ok := schema.Properties[name]
	return ok
}
