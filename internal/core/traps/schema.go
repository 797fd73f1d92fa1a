package traps

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
)

// schemaEncoding finds fields whose JSON does not fit the schema that controller-gen derives from their Go type. The schema of apply
// configurations is right.
func (c *checker) schemaEncoding() {
	for _, f := range c.fields {
		basic := c.basic(f.Type())
		isQuoted := basic != nil && basic.Info()&(types.IsNumeric|types.IsBoolean) != 0 && f.tag.Has("string")
		switch {
		case !isQuoted && !c.hasOctets(f.Type(), map[*gotype.Decl]bool{}), writesSchema(c.markers(f)):
		case isQuoted && !writesSchema(c.markersOf(f.Type())):
			c.warn(f.Pos(), "use the type string, or remove the option string",
				"%s is a string in JSON, because of its tag, but not in its schema: servers refuse it", f)
		case !isQuoted:
			c.warn(f.Pos(), "use []byte", "%s has bytes in base64 in JSON, but an array of integers in its schema: servers refuse it", f)
		}
	}
}

// writesSchema reports whether markers replace the type in the schema.
func writesSchema(markers marker.Set) bool {
	types := []string{"kubebuilder:validation:Type", "kubebuilder:validation:XIntOrString", "kubebuilder:validation:Schemaless"}
	return slices.ContainsFunc(types, markers.Has)
}

// byteType is the type byte, which differs from uint8 for controller-gen.
var byteType = types.Universe.Lookup("byte").Type()

// hasOctets reports whether a type has a slice of bytes that are not written as byte. Structs are left to their own fields.
func (c *checker) hasOctets(t types.Type, above map[*gotype.Decl]bool) bool {
	if d := c.Decl(t); d != nil {
		if above[d] {
			return false
		}
		above[d] = true
	}
	if c.Encoding(t) != gotype.Structured || writesSchema(c.markersOf(t)) {
		return false
	}
	switch u := c.Underlying(t).(type) {
	case *types.Slice:
		return c.isByte(u.Elem()) && u.Elem() != byteType || c.hasOctets(u.Elem(), above)
	case *types.Struct, *types.Interface:
		return false
	case interface{ Elem() types.Type }:
		return c.hasOctets(u.Elem(), above)
	}
	return false
}

// enum is controller-gen's marker for enumerations.
const enum = "kubebuilder:validation:Enum"

// yamlBooleans finds enumerations of strings with values that kubectl and Helm read as booleans.
func (c *checker) yamlBooleans() {
	for _, f := range c.spec.fields {
		if mentions(c.Field(f.Var).Doc, "Enum") && c.isText(f.Type()) {
			c.enumerations(f.String(), c.markers(f))
		}
	}
	for _, d := range c.spec.decls {
		if !c.isText(c.Type(d)) {
			continue
		}
		all := c.markersOf(c.Type(d))
		c.enumerations(d.Name(), all)
		if all.Has("enum") || all.Has("k8s:enum") {
			c.warnBooleans(c.Fset.Position(d.Spec.Pos()), d.Name(), c.constants(d))
		}
	}
}

// mentions reports whether a comment has a text. Looking for it costs far less than reading markers.
func mentions(comment *ast.CommentGroup, text string) bool {
	return comment != nil && slices.ContainsFunc(comment.List, func(line *ast.Comment) bool { return strings.Contains(line.Text, text) })
}

// isText reports whether the values of a type, or of its elements, are strings in JSON.
func (c *checker) isText(t types.Type) bool {
	for range 10 { // deeper types are cycles
		elements, ok := c.Underlying(t).(interface{ Elem() types.Type })
		if !ok || c.Encoding(t) != gotype.Structured {
			break
		}
		t = elements.Elem()
	}
	basic, ok := c.Underlying(t).(*types.Basic)
	return c.Encoding(t) == gotype.Text || ok && basic.Info()&types.IsString != 0
}

// enumerations reports values of the markers of a declaration.
func (c *checker) enumerations(name string, all marker.Set) {
	for _, m := range slices.Concat(all.All(enum), all.All("kubebuilder:validation:items:Enum")) {
		definition := markers.Must(markers.MakeDefinition(m.Name, markers.DescribesField, crdmarkers.Enum(nil)))
		parsed, _ := definition.Parse("+" + m.Name + "=" + m.Value) // controller-gen reports mistakes
		values, _ := parsed.(crdmarkers.Enum)
		c.warnBooleans(m.Pos, name, values)
	}
}

// constants returns the constants of a type, which programs other than controller-gen take for its enumeration.
func (c *checker) constants(d *gotype.Decl) (values []any) {
	var names []string
	for name, spec := range d.Package.Values {
		if gotype.IsIdent(spec.Type, d.Name()) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if value := c.Constant(d.Package, name); value != nil && value.Kind() == constant.String {
			values = append(values, constant.StringVal(value))
		}
	}
	return values
}

// warnBooleans reports an enumeration if it has such values.
func (c *checker) warnBooleans(pos token.Position, name string, values []any) {
	var booleans []string
	for _, value := range values {
		if text, ok := value.(string); ok && isBoolean(text) {
			booleans = append(booleans, text)
		}
	}
	if len(booleans) > 0 {
		c.found.Warn(pos, "choose other words, such as Enabled, and quote the values in manifests until then",
			"values of %s that kubectl and Helm read as booleans: %s", name, strings.Join(booleans, ", "))
	}
}

// isBoolean reports whether a text is a boolean in YAML as kubectl reads it: YAML 1.1.
func isBoolean(text string) bool {
	var value any
	if len(text) <= len("false") { // others are no booleans, and reading them takes time
		_ = yaml.Unmarshal([]byte(text), &value) // what cannot be read is not a boolean
	}
	_, is := value.(bool)
	return is
}
