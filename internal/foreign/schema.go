package foreign

import (
	"iter"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/foreign/known"
)

// Schema is a schema of a CustomResourceDefinition.
type Schema = apiextensionsv1.JSONSchemaProps

// children returns the schemas of properties in the order of their names, of elements and of values, with the steps of their paths.
func children(s *Schema) iter.Seq2[*Schema, []any] {
	return func(yield func(*Schema, []any) bool) {
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if property := s.Properties[name]; !yield(&property, []any{"properties", name}) {
				return
			}
		}
		if s.Items != nil && s.Items.Schema != nil && !yield(s.Items.Schema, []any{"items"}) {
			return
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			yield(s.AdditionalProperties.Schema, []any{"additionalProperties"})
		}
	}
}

// preserves reports whether servers keep unknown fields.
func preserves(s *Schema) bool { return s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields }

// form is the form of a value in Go.
type form int

const (
	text      form = iota // string, or a defined type
	boolean               // bool
	integer               // int32 or int64
	number                // float64
	either                // intstr.IntOrString
	quantity              // resource.Quantity
	bytes64               // []byte
	moment                // metav1.Time
	scalar                // no form: the others are scalars up to here
	list                  // slice
	mapping               // map with strings as keys
	object                // struct
	anything              // runtime.RawExtension
	foundType             // type of Kubernetes
)

// formsByType has the form of each type of JSON, unless something else decides.
var formsByType = map[string]form{
	"string": text, "boolean": boolean, "integer": integer, "number": number, "array": list, "object": object, "": anything,
}

// formOf returns the form of the values of a structural schema, apart from types of Kubernetes.
func formOf(s *Schema) form {
	switch {
	case s.XIntOrString && s.Pattern == known.QuantityPattern && s.MinLength == nil && s.MaxLength == nil:
		return quantity
	case s.XIntOrString:
		return either
	case s.Type == "string" && s.Format == "byte" && len(s.Enum) == 0:
		return bytes64
	case s.Type == "string" && s.Format == "date-time" && len(s.Enum) == 0 && s.Pattern == "" && s.MinLength == nil && s.MaxLength == nil:
		return moment
	case s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.Allows && len(s.Properties) == 0:
		return mapping
	case s.Type == "object" && len(s.Properties) == 0 && (preserves(s) || s.XEmbeddedResource):
		return anything
	}
	return formsByType[s.Type]
}
