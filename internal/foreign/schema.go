package foreign

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/foreign/known"
	"github.com/informer-gen-lite/informer-gen-lite/internal/foreign/structural"
)

// Schema is a schema of a CustomResourceDefinition.
type Schema = apiextensionsv1.JSONSchemaProps

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
	case s.Type == "object" && len(s.Properties) == 0 && (structural.Preserves(s) || s.XEmbeddedResource):
		return anything
	}
	return formsByType[s.Type]
}
