package known

import (
	"go/types"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
)

// Form is what a schema says about the JSON of its values.
type Form string

// The forms.
const (
	// Object has properties. Bare is an object without, for which the schema leaves open what it has.
	Object Form = "object"
	Bare   Form = "object without properties"
	// Map is a map with values of a schema; Quantities has quantities.
	Map        Form = "map"
	Quantities Form = "map of quantities"

	Array       Form = "array"
	String      Form = "string"
	DateTime    Form = "string of format date-time"
	Bytes       Form = "string of format byte"
	Boolean     Form = "boolean"
	Number      Form = "number"
	Integer     Form = "integer"
	Long        Form = "integer of format int64"
	IntOrString Form = "integer or string"
	Quantity    Form = "integer or string with the pattern of quantities"
	// Anything has fields that the schema does not tell.
	Anything Form = "anything"
)

// QuantityPattern is the pattern that controller-gen writes for quantities.
const QuantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`

// formOf returns the form of a schema.
func formOf(schema *apiextensionsv1.JSONSchemaProps) Form {
	if schema.XPreserveUnknownFields != nil && *schema.XPreserveUnknownFields {
		return Anything
	}
	if schema.XIntOrString || schema.Format == "int-or-string" {
		if schema.Pattern == QuantityPattern {
			return Quantity
		}
		return IntOrString
	}
	switch form := Form(schema.Type); {
	case schema.Type == "object":
		return objectForm(schema)
	case form == Array && schema.Items != nil && schema.Items.Schema != nil, form == Boolean, form == Number:
		return form
	case form == String && schema.Format == "date-time":
		return DateTime
	case form == String && schema.Format == "byte":
		return Bytes
	case form == Integer && schema.Format == "int64":
		return Long
	case form == String, form == Integer:
		return form
	}
	return Anything
}

func objectForm(schema *apiextensionsv1.JSONSchemaProps) Form {
	switch others := schema.AdditionalProperties; {
	case len(schema.Properties) > 0:
		return Object
	case others == nil:
		return Bare
	case others.Schema == nil:
		return Anything
	case formOf(others.Schema) == Quantity:
		return Quantities
	}
	return Map
}

// encoded are the forms of types with JSON of their own.
var encoded = map[string][]Form{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       {DateTime},
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  {DateTime},
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":   {String},
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   {Bare, Anything},
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    {Bare, Object, Map, Quantities, Anything},
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   {Quantity}, // it decodes no other string
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": {IntOrString},
}

// comparison compares a schema with a Go type.
type comparison struct {
	universe *gotype.Universe
	// lacking are the property paths that only the type has.
	lacking []string
}

// fits reports whether a type has all properties of the schema at a path.
func (c *comparison) fits(path string, schema *apiextensionsv1.JSONSchemaProps, t types.Type) bool {
	t = gotype.Pointee(t)
	form := formOf(schema)
	if c.universe.Encoding(t) != gotype.Structured {
		return slices.Contains(c.encoded(t), form)
	}
	switch t := c.universe.Underlying(t).(type) {
	case *types.Basic:
		return slices.Contains(formsOf(t), form)
	case *types.Slice:
		if elem, ok := c.universe.Underlying(t.Elem()).(*types.Basic); ok && elem.Kind() == types.Byte {
			return form == Bytes
		}
		return form == Array && c.fits(path+"[]", schema.Items.Schema, t.Elem())
	case *types.Map:
		return form == Bare && c.bare(path) ||
			(form == Map || form == Quantities) && c.fits(path+"[]", schema.AdditionalProperties.Schema, t.Elem())
	case *types.Struct:
		return form == Bare && (t.NumFields() == 0 || c.bare(path)) || form == Object && c.fieldsFit(path, schema, t)
	}
	return false
}

// bare notes that servers drop all properties of an object at a path, and returns true.
func (c *comparison) bare(path string) bool {
	c.lacking = append(c.lacking, strings.TrimPrefix(path+"."+All, "."))
	return true
}

// fieldsFit reports whether a struct has all properties of a schema.
func (c *comparison) fieldsFit(path string, schema *apiextensionsv1.JSONSchemaProps, t *types.Struct) bool {
	fields, _ := c.universe.JSONFields(t)
	both := 0
	for _, field := range fields {
		below := strings.TrimPrefix(path+"."+field.Name, ".")
		property, ok := schema.Properties[field.Name]
		if c.always(field) && !slices.Contains(schema.Required, field.Name) {
			return false // the type would invent the property
		}
		if !ok {
			c.lacking = append(c.lacking, below)
			continue
		}
		if !c.fits(below, &property, field.Var().Type()) {
			return false
		}
		both++
	}
	return both == len(schema.Properties)
}

// always reports whether the JSON of a struct always has a value for a field, which the schema may refuse. Null does not count, because
// servers drop it, nor do empty objects.
func (c *comparison) always(field gotype.JSONField) bool {
	if field.Tag.Has("omitempty") || field.Tag.Has("omitzero") {
		return false
	}
	t := field.Var().Type()
	_, isBasic := c.universe.Underlying(t).(*types.Basic)
	forms := c.encoded(t)
	return isBasic || slices.ContainsFunc(forms, func(f Form) bool { return f == String || f == IntOrString || f == Quantity })
}

// encoded returns the forms of a type with JSON of its own, if the table has it.
func (c *comparison) encoded(t types.Type) []Form {
	decl := c.universe.Decl(t)
	if decl == nil {
		return nil
	}
	return encoded[decl.Package.Path+"."+decl.Name()]
}

// formsOf returns the forms of a basic type.
func formsOf(t *types.Basic) []Form {
	switch {
	case t.Info()&types.IsBoolean != 0:
		return []Form{Boolean}
	case t.Info()&types.IsString != 0:
		return []Form{String, DateTime}
	case t.Info()&types.IsFloat != 0:
		return []Form{Number}
	case t.Kind() == types.Int64 || t.Kind() == types.Int:
		return []Form{Integer, Long}
	case t.Info()&types.IsInteger != 0:
		return []Form{Integer}
	}
	return nil
}
