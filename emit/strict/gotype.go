package strict

import (
	"encoding/json"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// goType is the schema that the Go type of a kind stands for.
type goType struct {
	server *Server
	Kind
}

var _ Schema = goType{}

// Prune implements Schema.
func (t goType) Prune(object map[string]any) (unknown []string) {
	typed, err := t.server.config.Scheme.New(t.GroupVersionKind)
	if err != nil {
		return nil
	}
	return pruneValue(object, reflect.TypeOf(typed), nil)
}

// Default implements Schema. A Go type does not tell defaults.
func (goType) Default(map[string]any) {}

// Validate implements Schema. An object that its type cannot hold is not valid.
func (t goType) Validate(object, _ map[string]any, _ string) field.ErrorList {
	typed, err := t.server.config.Scheme.New(t.GroupVersionKind)
	if err == nil {
		err = runtime.DefaultUnstructuredConverter.FromUnstructured(object, typed)
	}
	if err != nil {
		return field.ErrorList{field.Invalid(nil, "", err.Error())}
	}
	var errs field.ErrorList
	fields := map[string]reflect.Type{}
	collectFields(reflect.TypeOf(typed).Elem(), fields)
	for name, value := range object {
		if of, ok := fields[name]; ok && value == nil && of.Kind() == reflect.Struct {
			errs = append(errs, field.TypeInvalid(field.NewPath(name), "null", ` in body must be of type object: "null"`))
		}
	}
	return errs
}

// Subresources implements Schema.
func (t goType) Subresources() (status, scale bool) { return t.HasStatus, t.HasScale }

// ScalePaths implements Schema. It returns the usual fields.
func (goType) ScalePaths() (specReplicas, statusReplicas, selector string) {
	return ".spec.replicas", ".status.replicas", ".status.selector"
}

// SelectableFields implements Schema.
func (t goType) SelectableFields() []string { return t.Fields }

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// pruneValue removes the fields that a Go type does not have. Types that decode themselves are left alone.
func pruneValue(value any, t reflect.Type, path *field.Path) (unknown []string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
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
		fields := map[string]reflect.Type{}
		collectFields(t, fields)
		for name, element := range value {
			child := path.Child(name)
			if of, ok := fields[name]; ok {
				unknown = append(unknown, pruneValue(element, of, child)...)
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

// collectFields adds the fields of a struct, by their names in JSON.
func collectFields(t reflect.Type, fields map[string]reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		inline := name == "" && (f.Anonymous || strings.Contains(options, "inline"))
		switch {
		case inline:
			of := f.Type
			for of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			if of.Kind() == reflect.Struct {
				collectFields(of, fields)
			}
		case name == "-" || !f.IsExported():
		case name == "":
			fields[f.Name] = f.Type
		default:
			fields[name] = f.Type
		}
	}
}
