package foreign

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/manifest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/known"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/structural"
)

// node is a value in the schema of a kind.
type node struct {
	schema *Schema
	form   form
	// names lead to the value: the kind, then properties. Elements of lists and values of maps have the names of what holds them.
	names []string
	// element is the node of the elements of a list or the values of a map; fields are the properties in the order of their names.
	element *node
	fields  []*field
	// found is the type of Kubernetes, if the form is foundType.
	found known.Found
	// shape is the declaration of the type; nil if the type has no name of its own.
	shape *shape
	// sum identifies the type: nodes with the same sum share a declaration.
	sum sum

	definition manifest.Definition
	path       []any
}

// sum identifies equal types.
type sum [sha256.Size]byte

// field is a property of an object.
type field struct {
	node *node
	// property is the name in JSON, name the Go name.
	property, name string
	required       bool
}

// shape is a type that the package declares, with the nodes that have it.
type shape struct {
	name  string
	nodes []*node
}

// tree has the nodes of the kinds in one version of a group.
type tree struct {
	recognize func(names []string, s *Schema) (known.Found, bool)
	shapes    map[sum]*shape
	warnings  warnings
}

// build builds the node of a schema below a parent, which is a property or, with an empty name, an element.
func (t *tree) build(parent *node, property string, s *Schema, steps []any) *node {
	s = completed(s)
	n := &node{
		schema: s, form: formOf(s), names: parent.names, definition: parent.definition, path: slices.Concat(parent.path, steps),
	}
	if property != "" {
		n.names = append(slices.Clip(n.names), property)
	}
	var below []any
	found, ok := t.recognize(n.names, s)
	if parent.schema.XEmbeddedResource && property == "metadata" {
		found, ok = known.Found{Type: model.Type{Package: metav1, Name: objectMeta}}, true // which servers keep
	}
	if ok && n.form > scalar {
		n.form, n.found = foundType, found
		below = []any{found, n.unmarked()} // both are in comments
	}
	switch n.form {
	case list, mapping:
		for child, steps := range structural.Children(s) {
			n.element = t.build(n, "", child, steps)
			below = append(below, n.element.sum, inherent(child))
		}
	case object:
		t.addFields(n)
		for _, f := range n.fields {
			below = append(below, f.property, f.node.sum, inherent(f.node.schema), f.node.schema.Description)
		}
	default:
	}
	n.sum = sumOf(n.form, shallow(s), below)
	if n.form == object || n.form == text && len(s.Enum) > 0 || property == "" && n.needsName(parent) {
		if t.shapes[n.sum] == nil { // otherwise it has the declared type of equal nodes
			t.shapes[n.sum] = &shape{}
		}
		n.shape = t.shapes[n.sum]
		n.shape.nodes = append(n.shape.nodes, n)
	}
	if property != "" {
		parent = nil
	}
	t.warnings.check(n, parent)
	return n
}

// completed returns the schema of an embedded resource with the properties that every resource has. Servers add them, too.
func completed(s *Schema) *Schema {
	if !s.XEmbeddedResource || len(s.Properties) == 0 {
		return s
	}
	all := *s
	all.Properties = map[string]Schema{"apiVersion": {Type: "string"}, "kind": {Type: "string"}, "metadata": {Type: "object"}}
	maps.Copy(all.Properties, s.Properties)
	return &all
}

// addFields adds the fields of an object.
func (t *tree) addFields(n *node) {
	avoid := []goname.Avoid{func(name string) bool { return slices.Contains(methods, name) }, n.setters()}
	if len(n.names) == 1 {
		avoid = append(avoid, isInherited)
	}
	scope := goname.NewScope(avoid...)
	for child, steps := range structural.Children(n.schema) {
		property, _ := steps[len(steps)-1].(string)
		if steps[0] != "properties" || len(n.names) == 1 && slices.Contains(metadata, property) {
			continue
		}
		f := &field{
			node: t.build(n, property, child, steps), property: property, required: slices.Contains(n.schema.Required, property),
		}
		wanted := exported(property)
		if f.name = scope.Free(wanted); f.name != wanted || !token.IsIdentifier(property) && !token.IsKeyword(property) {
			t.warnings.add(f.node, "", "property %q has the Go name %s", property, f.name)
		}
		n.fields = append(n.fields, f)
	}
}

// metadata are the properties of every kind.
var metadata = []string{"apiVersion", "kind", "metadata"}

// methods are the methods of generated types.
var methods = []string{"DeepCopy", "DeepCopyInto", "DeepCopyObject"}

// isInherited reports whether every kind has a field or a method of this name that a field must not hide.
func isInherited(name string) bool {
	_, inObject := reflect.TypeFor[*meta.ObjectMeta]().MethodByName(name)
	_, inType := reflect.TypeFor[*meta.TypeMeta]().MethodByName(name)
	setter, isSetter := strings.CutPrefix(name, "With")
	_, hasField := reflect.TypeFor[meta.ObjectMeta]().FieldByName(setter)
	return inObject || inType || name == "TypeMeta" || name == "ObjectMeta" || isSetter && hasField
}

// setters returns an Avoid for the methods of the apply configuration of an object.
func (n *node) setters() goname.Avoid {
	all := map[string]bool{}
	for property := range n.schema.Properties {
		all["With"+exported(property)] = true
	}
	return func(name string) bool { return all[name] }
}

// inherent returns what distinguishes the uses of a type.
func inherent(s *Schema) any { return []any{s.Default, s.Nullable, s.Example, s.Title} }

// shallow returns a schema without the parts that have nodes, and without what distinguishes its uses.
func shallow(s *Schema) Schema {
	only := *s
	only.Properties, only.Items, only.AdditionalProperties = nil, nil, nil
	only.Default, only.Nullable, only.Example, only.Title, only.Description = nil, false, nil, "", ""
	return only
}

func sumOf(parts ...any) sum {
	encoded, err := json.Marshal(parts)
	if err != nil {
		encoded = fmt.Append(nil, parts...) // defaults were JSON in the source
	}
	return sha256.Sum256(encoded)
}

// needsName reports whether the type of an element needs a name, because no marker of the list or map describes it. A name would take the
// methods from types of Kubernetes, and controller-tools cannot describe a named []byte.
func (n *node) needsName(holder *node) bool {
	if slices.Contains([]form{foundType, anything, either, quantity, moment, bytes64}, n.form) {
		return false
	}
	if holder.form == list && n.form != list && n.form != mapping {
		return slices.ContainsFunc(n.markers(), func(m string) bool { return !strings.HasPrefix(m, validationMarker) })
	}
	return len(n.allMarkers()) > 0
}

// Schema is a schema of a CustomResourceDefinition.
type Schema = apiextensionsv1.JSONSchemaProps

// form is the kind of Go type that a schema becomes.
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
