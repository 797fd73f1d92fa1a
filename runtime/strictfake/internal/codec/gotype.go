package codec

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// goType is the schema of a kind that is derived from its Go type.
type goType struct{ kind *Kind }

var _ Schema = goType{}

// Prune implements Schema.
func (t goType) Prune(object map[string]any) (unknown []string) {
	typed, err := t.kind.New()
	if err != nil {
		return nil
	}
	unknown = pruneValue(object, reflect.TypeOf(typed), nil)
	slices.Sort(unknown)
	return unknown
}

// Default implements Schema. A Go type has no defaults.
func (goType) Default(map[string]any) {}

// Validate implements Schema. Whoever calls it has decoded the object, and so knows that it fits the type.
func (t goType) Validate(object, _ map[string]any, _ string) field.ErrorList {
	typed, err := t.kind.New()
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	errs := append(t.negativeScale(object), nulls(object, reflect.TypeOf(typed), nil)...)
	slices.SortFunc(errs, func(a, b *field.Error) int { return strings.Compare(a.Field, b.Field) })
	return errs
}

// negativeScale returns an error for a negative number of replicas.
func (t goType) negativeScale(object map[string]any) field.ErrorList {
	if !t.kind.HasScale {
		return nil
	}
	path, _, _ := t.ScalePaths()
	replicas, found, err := unstructured.NestedInt64(object, Steps(path)...)
	if !found || err != nil || replicas >= 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath(path), replicas, "should be a non-negative integer")}
}

// nulls returns an error for each null in an omitempty field. Clients do not send nulls, and schemas do not allow them, but an
// apply that removes the content of a field can leave one.
func nulls(object map[string]any, t reflect.Type, path *field.Path) (errs field.ErrorList) {
	t = pointee(t)
	if t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(unmarshaler) {
		return nil
	}
	fields := fieldsOf(t)
	for name, value := range object {
		f, ok := fields[name]
		if !ok || path == nil && name == "metadata" {
			continue
		}
		switch value := value.(type) {
		case nil:
			omitted := slices.Contains(f.options, "omitempty") || slices.Contains(f.options, "omitzero")
			if !omitted || reflect.PointerTo(f.Type).Implements(unmarshaler) {
				continue // an empty metav1.Time is null
			}
			subject := name
			if path == nil {
				subject = "" // as in the errors of servers
			}
			detail := fmt.Sprintf(`%s in body must be of type %s: "null"`, subject, f.jsonType())
			errs = append(errs, field.TypeInvalid(path.Child(name), "null", detail))
		case map[string]any:
			errs = append(errs, nulls(value, f.Type, path.Child(name))...)
		}
	}
	return errs
}

// Version implements Schema. The latest version is the storage version, see Codec.Add.
func (goType) Version() (served, storage bool) { return true, false }

// Subresources implements Schema.
func (t goType) Subresources() (status, scale bool) { return t.kind.HasStatus, t.kind.HasScale }

// ScalePaths implements Schema. It returns the conventional fields.
func (goType) ScalePaths() (specReplicas, statusReplicas, selector string) {
	return ".spec.replicas", ".status.replicas", ".status.selector"
}

// Names implements Schema.
func (t goType) Names() (singular string, shortNames, categories []string) {
	return strings.ToLower(t.kind.Kind), nil, nil
}

// SelectableFields implements Schema.
func (t goType) SelectableFields() []string { return t.kind.Fields }

// pruneValue removes the fields that a Go type does not have. It skips types with their own decoder.
func pruneValue(value any, t reflect.Type, path *field.Path) (unknown []string) {
	t = pointee(t)
	if reflect.PointerTo(t).Implements(unmarshaler) {
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		if t.Kind() == reflect.Map {
			for name, element := range value {
				unknown = append(unknown, pruneValue(element, t.Elem(), path.Key(name))...)
			}
			return unknown
		}
		if t.Kind() != reflect.Struct {
			return nil
		}
		fields := fieldsOf(t)
		for name, element := range value {
			child := path.Child(name)
			if f, ok := fields[name]; ok {
				unknown = append(unknown, pruneValue(element, f.Type, child)...)
				continue
			}
			unknown = append(unknown, child.String())
			delete(value, name)
		}
	case []any:
		if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
			return nil
		}
		for i, element := range value {
			unknown = append(unknown, pruneValue(element, t.Elem(), path.Index(i))...)
		}
	}
	return unknown
}
