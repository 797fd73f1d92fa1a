// Package smd derives the structured-merge-diff schema of Go types, which tells server-side apply how lists and maps merge.
//
// It reads types, json tags and markers, and applies the rules by which Kubernetes derives OpenAPI definitions from types
// (k8s.io/kube-openapi/pkg/generators) and schemas from definitions (k8s.io/kube-openapi/pkg/schemaconv). Without the
// intermediate OpenAPI document, no second program has to run first.
package smd

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	"k8s.io/kube-openapi/pkg/util"
	"sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
)

// Schema returns the schema, in YAML, of the given types and of all types that they refer to. It also returns types that cannot
// be resolved; the schema allows any value for them.
func Schema(universe *gotype.Universe, roots []*gotype.Decl) (yaml string, missing []*gotype.Missing) {
	b := newBuilder(universe)
	for _, root := range roots {
		b.define(root)
	}
	result := schema.Schema{Types: make([]schema.TypeDef, 0, len(b.atoms)+2)}
	for decl, atom := range b.atoms {
		result.Types = append(result.Types, schema.TypeDef{Name: Name(decl), Atom: atom})
	}
	result.Types = append(result.Types, schema.TypeDef{Name: untypedAtomic, Atom: atomic()},
		schema.TypeDef{Name: untypedDeduced, Atom: deduced()})
	return text(&result), b.missing
}

func byName(x, y schema.StructField) int { return cmp.Compare(x.Name, y.Name) }

// Name returns the name of a type in schemas: the name of the OpenAPI definition that API servers publish for it, as
// runtime.Scheme.ToOpenAPIDefinitionName does.
func Name(decl *gotype.Decl) string {
	if m, ok := decl.Method("OpenAPIModelName"); ok {
		if name, ok := returned(m); ok && len(name) == 1 {
			return name[0]
		}
		if pkg := modelPackage(decl.Package); pkg != "" {
			return pkg + "." + decl.Name()
		}
	}
	return util.ToRESTFriendlyName(decl.Package.Path + "." + decl.Name())
}

// modelPackage returns the value of the marker +k8s:openapi-model-package of a package.
func modelPackage(p *gotype.Package) string {
	for _, file := range p.Files {
		for _, group := range file.Comments {
			if group.Pos() < file.Package {
				if m, ok := marker.Scan(nowhere, group).Get("k8s:openapi-model-package"); ok {
					return m.Value
				}
			}
		}
	}
	return ""
}

// The names of the types for unknown values: atomic, and merged according to the actual value.
const (
	untypedAtomic  = "__untyped_atomic_"
	untypedDeduced = "__untyped_deduced_"
)

func atomic() schema.Atom {
	element := named(untypedAtomic)
	return schema.Atom{
		Scalar: new(schema.Scalar("untyped")),
		List:   &schema.List{ElementType: element, ElementRelationship: schema.Atomic},
		Map:    &schema.Map{ElementType: element, ElementRelationship: schema.Atomic},
	}
}

func deduced() schema.Atom {
	atom := atomic()
	atom.Map = &schema.Map{ElementType: named(untypedDeduced), ElementRelationship: schema.Separable}
	return atom
}

func named(name string) schema.TypeRef { return schema.TypeRef{NamedType: &name} }

func inlined(atom schema.Atom) schema.TypeRef { return schema.TypeRef{Inlined: atom} }

// maxDepth is the maximum nesting of types in a definition. Nested levels are indented, so the text grows with the square of the depth.
const maxDepth = 200

type builder struct {
	universe *gotype.Universe
	atoms    map[*gotype.Decl]schema.Atom
	scanned  map[*ast.CommentGroup]map[string][]string
	missing  []*gotype.Missing
	within   within
}

// within is the position of the builder within one definition.
type within struct {
	// pos is the position of the field, depth the number of open types.
	pos   token.Pos
	depth int
	// open are the named types around the current type.
	open map[string]bool
}

// define adds the definition of a struct.
func (b *builder) define(decl *gotype.Decl) {
	if _, known := b.atoms[decl]; known {
		return
	}
	b.atoms[decl] = schema.Atom{} // for types that contain themselves
	b.atoms[decl] = b.definition(decl)
}

func (b *builder) definition(decl *gotype.Decl) schema.Atom {
	if decl.Package.Path == "k8s.io/apimachinery/pkg/api/resource" && decl.Name() == "Quantity" {
		return schema.Atom{Scalar: new(schema.Scalar("untyped"))} // a number or a string
	}
	if atom, ok := declared(decl); ok {
		return atom
	}
	named := b.universe.Type(decl)
	if atom, ok := b.encoded(named); ok {
		return atom
	}
	structType, ok := b.universe.Underlying(named).(*types.Struct)
	if !ok {
		return deduced()
	}
	outer := b.within
	defer func() { b.within = outer }()
	b.within = within{open: map[string]bool{}}
	markers := b.markers(decl.Doc)
	result := &schema.Map{
		Fields: b.fields(structType), ElementRelationship: mapRelationship(markers), Unions: b.unions(structType, markers),
	}
	if len(result.Fields) == 0 {
		result.ElementType = inlined(deduced())
	}
	return schema.Atom{Map: result}
}

// declared returns the type and format that a type declares with the methods OpenAPISchemaType and OpenAPISchemaFormat.
func declared(decl *gotype.Decl) (schema.Atom, bool) {
	ofType, hasType := decl.Method("OpenAPISchemaType")
	ofFormat, hasFormat := decl.Method("OpenAPISchemaFormat")
	if !hasType || !hasFormat {
		return schema.Atom{}, false
	}
	typeNames, _ := returned(ofType)
	format, _ := returned(ofFormat)
	if len(typeNames) != 1 || len(format) > 1 {
		return deduced(), true
	}
	return primitive(typeNames[0], strings.Join(format, "")), true
}

// encodedAsObjects are types with a method MarshalJSON that returns an object.
var encodedAsObjects = []string{"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1", "k8s.io/apimachinery/pkg/runtime.RawExtension"}

// encoded returns the atom of a type that is not encoded as its Go type says: it has a method MarshalJSON or MarshalText. A type that
// declares its OpenAPI type, or is known to encode itself as an object, is not such a type.
func (b *builder) encoded(t types.Type) (schema.Atom, bool) {
	decl := b.universe.Decl(t)
	if decl == nil {
		return schema.Atom{}, false
	}
	if _, ok := declared(decl); ok || slices.Contains(encodedAsObjects, decl.Package.Path+"."+decl.Name()) {
		return schema.Atom{}, false
	}
	switch encoding := b.universe.Encoding(t); {
	case encoding == gotype.Text:
		return primitive("string", ""), true
	case encoding == gotype.Custom:
		return deduced(), true
	case b.universe.IsJSONNumber(t):
		return primitive("number", ""), true
	}
	return schema.Atom{}, false
}

// primitive returns the atom of an OpenAPI type.
func primitive(typeName, format string) schema.Atom {
	switch {
	case typeName == "integer", typeName == "number":
		return schema.Atom{Scalar: new(schema.Numeric)}
	case typeName == "boolean":
		return schema.Atom{Scalar: new(schema.Boolean)}
	case typeName == "string" && (format == "" || format == "byte"):
		return schema.Atom{Scalar: new(schema.String)}
	}
	return schema.Atom{Scalar: new(schema.Scalar("untyped"))}
}

// fields returns the fields of a struct in JSON.
func (b *builder) fields(structType *types.Struct) []schema.StructField {
	var fields []schema.StructField
	inJSON, _ := b.universe.JSONFields(structType)
	for _, f := range inJSON {
		v := f.Var()
		markers := b.markers(b.universe.Field(v).Doc)
		field := schema.StructField{Name: f.Name}
		if f.Quoted {
			field.Type = inlined(primitive("string", ""))
		} else {
			b.within.pos = v.Pos()
			field.Type = b.ref(v.Type(), markers)
			field.Default = b.defaultOf(v, f.Tag.Has("omitempty"), markers)
		}
		fields = append(fields, field)
	}
	return fields
}

// enter opens a type; leave closes it. It reports types that cannot be written because they are infinite or too deep.
func (b *builder) enter(t types.Type) (leave func(), ok bool) {
	key := ""
	if _, named := t.(*types.Named); named {
		key = t.String()
	}
	switch {
	case b.within.open[key]:
		spec := b.universe.Decl(t).Spec
		b.missing = append(b.missing,
			&gotype.Missing{Reason: fmt.Sprintf("type %s contains itself, which its schema cannot express", spec.Name), Pos: spec.Pos()})
		return nil, false
	case b.within.depth == maxDepth:
		b.missing = append(b.missing,
			&gotype.Missing{Reason: fmt.Sprintf("the type is nested more than %d levels deep", maxDepth), Pos: b.within.pos})
		return nil, false
	}
	b.within.depth++
	if key != "" {
		b.within.open[key] = true
	}
	return func() {
		b.within.depth--
		delete(b.within.open, key)
	}, true
}

// ref returns the reference of a field or an element to its type. The markers belong to the field; elements have none.
func (b *builder) ref(t types.Type, markers map[string][]string) schema.TypeRef {
	t = gotype.Pointee(t)
	if decl := b.universe.Decl(t); decl != nil {
		if decl.Package.Path == "time" && decl.Name() == "Time" {
			return inlined(primitive("string", "date-time"))
		}
		if decl.Package.Path == "k8s.io/apimachinery/pkg/runtime" && decl.Name() == "RawExtension" {
			b.define(decl)
			return named(untypedAtomic)
		}
	}
	if atom, ok := b.encoded(t); ok {
		return inlined(atom)
	}
	leave, ok := b.enter(t)
	if !ok {
		return inlined(deduced())
	}
	defer leave()
	switch u := b.universe.Underlying(t).(type) {
	case *types.Basic:
		return inlined(basic(u))
	case *types.Pointer:
		return b.ref(u, markers)
	case *types.Slice:
		element, ok := b.universe.Underlying(u.Elem()).(*types.Basic)
		if ok && element.Kind() == types.Byte && b.universe.Encoding(u.Elem()) == gotype.Structured { // encoded in base64
			return inlined(primitive("string", "byte"))
		}
		return b.list(u.Elem(), markers)
	case *types.Array:
		return b.list(u.Elem(), markers)
	case *types.Map:
		return inlined(schema.Atom{Map: &schema.Map{ElementType: b.ref(u.Elem(), nil), ElementRelationship: mapRelationship(markers)}})
	case *types.Struct:
		return b.structRef(t, u, markers)
	case *gotype.Missing:
		b.missing = append(b.missing, u)
	}
	return inlined(deduced())
}

func (b *builder) structRef(t types.Type, structType *types.Struct, markers map[string][]string) schema.TypeRef {
	decl := b.universe.Decl(t)
	if decl == nil || decl.Spec.TypeParams != nil {
		fields := b.fields(structType) // an anonymous struct
		slices.SortFunc(fields, byName)
		return inlined(schema.Atom{Map: &schema.Map{Fields: fields, ElementRelationship: mapRelationship(markers)}})
	}
	b.define(decl)
	ref := named(Name(decl))
	if relationship := mapRelationship(markers); relationship != "" {
		ref.ElementRelationship = &relationship
	}
	return ref
}

func (b *builder) list(element types.Type, markers map[string][]string) schema.TypeRef {
	relationship, keys := listRelationship(markers)
	return inlined(schema.Atom{List: &schema.List{ElementType: b.ref(element, nil), ElementRelationship: relationship, Keys: keys}})
}

func basic(t *types.Basic) schema.Atom {
	switch {
	case t.Info()&types.IsBoolean != 0:
		return primitive("boolean", "")
	case t.Info()&types.IsString != 0:
		return primitive("string", "")
	case t.Info()&types.IsNumeric != 0:
		return primitive("integer", "")
	}
	return deduced()
}

// text returns a schema in YAML, in the layout of code-generator: types and fields are sorted by name, with the general types at the end,
// and lists are not indented.
func text(s *schema.Schema) string {
	slices.SortFunc(s.Types, func(x, y schema.TypeDef) int {
		if general := isGeneral(x.Name); general != isGeneral(y.Name) {
			return map[bool]int{true: 1, false: -1}[general]
		}
		return cmp.Compare(x.Name, y.Name)
	})
	b := bytes.NewBufferString("types:\n")
	for _, t := range s.Types {
		if t.Map != nil {
			slices.SortFunc(t.Fields, byName)
		}
		// One type at a time: for all of k8s.io/api, the tree that the library makes first takes 40 MiB. Plain data can be encoded.
		encoded, _ := yaml.Dump([]schema.TypeDef{t}, yaml.WithV3Defaults(), yaml.WithIndent(2), yaml.WithCompactSeqIndent())
		b.Write(encoded)
	}
	return b.String()
}

// isGeneral reports whether a type stands for all types without a definition.
func isGeneral(name string) bool { return strings.HasPrefix(name, "__untyped_") }
