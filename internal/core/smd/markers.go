package smd

import (
	"cmp"
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
)

// nowhere is a file set for callers that need no positions.
var nowhere = token.NewFileSet()

// markers returns the values of the markers in a comment, by name. They are needed several times.
func (b *builder) markers(comment *ast.CommentGroup) map[string][]string {
	values, known := b.scanned[comment]
	if known {
		return values
	}
	for _, m := range marker.Scan(nowhere, comment) {
		if values == nil { // most fields have none
			values = map[string][]string{}
		}
		values[m.Name] = append(values[m.Name], m.Value)
	}
	b.scanned[comment] = values
	return values
}

// first returns the first value of the first name that exists.
func first(markers map[string][]string, names ...string) (string, bool) {
	for _, name := range names {
		if values := markers[name]; len(values) > 0 {
			return values[0], true
		}
	}
	return "", false
}

// mapRelationship returns how the entries of a map, or the fields of a struct, merge.
func mapRelationship(markers map[string][]string) schema.ElementRelationship {
	value, _ := first(markers, "mapType", "structType")
	switch value {
	case "atomic":
		return schema.Atomic
	case "granular":
		return schema.Separable
	}
	return ""
}

// listRelationship returns how the elements of a list merge: as a set, by keys, or atomically.
func listRelationship(markers map[string][]string) (schema.ElementRelationship, []string) {
	if listType, ok := first(markers, "listType", "k8s:listType"); ok {
		switch listType {
		case "set":
			return schema.Associative, nil
		case "map":
			keys := markers["listMapKey"]
			if len(keys) == 0 {
				keys = markers["k8s:listMapKey"] // of declarative validation
			}
			return schema.Associative, slices.Clone(keys)
		}
		return schema.Atomic, nil
	}
	if strategy, ok := first(markers, "patchStrategy"); ok && slices.Contains(strings.Split(strategy, ","), "merge") {
		if key, ok := first(markers, "patchMergeKey"); ok {
			return schema.Associative, []string{key}
		}
		return schema.Associative, nil
	}
	return schema.Atomic, nil
}

// unions returns the unions of a struct: the union of all its fields from the marker +union, the unions of inlined structs, and the union
// of the fields with +unionDeprecated.
func (b *builder) unions(structType *types.Struct, markers map[string][]string, within ...*gotype.Decl) []schema.Union {
	var unions []schema.Union
	if _, whole := markers["union"]; whole {
		unions = append(unions, b.union(structType, func(map[string][]string) bool { return true }))
	}
	for i := range structType.NumFields() {
		v := structType.Field(i)
		tag, ok := b.universe.ReadFieldTag(v, structType.Tag(i))
		inner, isStruct := b.universe.Underlying(gotype.Pointee(v.Type())).(*types.Struct)
		decl := b.universe.Decl(gotype.Pointee(v.Type()))
		if !ok || !tag.Inline || !isStruct || slices.Contains(within, decl) {
			continue
		}
		unions = append(unions, b.unions(inner, b.markers(decl.Doc), append(within, decl)...)...)
	}
	deprecated := b.union(structType, func(markers map[string][]string) bool { _, is := markers["unionDeprecated"]; return is })
	if len(deprecated.Fields) > 0 {
		unions = append(unions, deprecated)
	}
	return unions
}

// union returns the union of the struct's own fields for which member is true.
func (b *builder) union(structType *types.Struct, member func(map[string][]string) bool) schema.Union {
	union := schema.Union{Fields: []schema.UnionField{}}
	for i := range structType.NumFields() {
		v := structType.Field(i)
		tag, ok := b.universe.ReadFieldTag(v, structType.Tag(i))
		if !ok || v.Embedded() {
			continue
		}
		name := cmp.Or(tag.Name, v.Name())
		markers := b.markers(b.universe.Field(v).Doc)
		if _, is := markers["unionDiscriminator"]; is {
			union.Discriminator = &name
		} else if member(markers) {
			union.Fields = append(union.Fields, schema.UnionField{FieldName: name, DiscriminatorValue: v.Name()})
		}
	}
	slices.SortFunc(union.Fields, func(x, y schema.UnionField) int { return strings.Compare(x.FieldName, y.FieldName) })
	return union
}

// constantRef is a default that is a constant, of the field's package or of another.
var constantRef = lazy.Regexp(`^ref\(([^"]+)\)$`)

// defaultOf returns the server's default for a missing field: the marker +default on the field or on its type, or the zero value
// of a field that is always serialized.
func (b *builder) defaultOf(v *types.Var, omitEmpty bool, markers map[string][]string) any {
	if text, _ := first(markers, "default"); text != "" {
		return b.parseDefault(text, v.Pkg().Path())
	}
	if decl := b.universe.Decl(gotype.Pointee(v.Type())); decl != nil {
		if text, _ := first(b.markers(decl.Doc), "default"); text != "" {
			return b.parseDefault(text, decl.Package.Path)
		}
	}
	return b.zero(v.Type(), omitEmpty)
}

func (b *builder) parseDefault(text, pkg string) any {
	if match := constantRef().FindStringSubmatch(text); match != nil {
		name := match[1]
		if dot := strings.LastIndex(name, "."); dot >= 0 {
			pkg, name = name[:dot], name[dot+1:]
		}
		return b.constant(pkg, name)
	}
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return nil
	}
	return value
}

// constant returns the value of a constant that is declared as a literal.
func (b *builder) constant(pkg, name string) any {
	p := b.universe.Package(pkg)
	if p == nil {
		return nil
	}
	switch e := gotype.ValueOf(p.Values[name], name).(type) {
	case *ast.BasicLit:
		return constant.Val(constant.MakeFromLiteral(e.Value, e.Kind, 0))
	case *ast.Ident:
		if value, err := strconv.ParseBool(e.Name); err == nil {
			return value
		}
	}
	return nil
}

// zero returns the zero value of a type whose fields are always serialized. It returns nil for other types, and for those with their
// own encoding, whose zero value is unknown.
func (b *builder) zero(t types.Type, omitEmpty bool) any {
	t = types.Unalias(t)
	if decl := b.universe.Decl(t); decl != nil {
		if _, custom := decl.Method("UnmarshalJSON"); custom || b.universe.Encoding(t) != gotype.Structured || b.universe.IsJSONNumber(t) {
			return nil
		}
	}
	switch u := b.universe.Underlying(t).(type) {
	case *types.Struct:
		if u.NumFields() == 1 && u.Field(0).Embedded() {
			return b.zero(u.Field(0).Type(), omitEmpty)
		}
		return map[string]any{}
	case *types.Basic:
		switch {
		case omitEmpty:
			return nil
		case u.Info()&types.IsBoolean != 0:
			return false
		case u.Info()&types.IsString != 0:
			return ""
		case u.Info()&types.IsNumeric != 0:
			return 0
		}
	}
	return nil
}

// returned reads the strings that a method returns: one literal, or a slice of literals. Types declare their OpenAPI type in this way.
func returned(m gotype.Method) ([]string, bool) {
	if m.Body == nil || len(m.Body.List) != 1 {
		return nil, false
	}
	statement, ok := m.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(statement.Results) != 1 {
		return nil, false
	}
	elements := []ast.Expr{statement.Results[0]}
	switch e := statement.Results[0].(type) {
	case *ast.CompositeLit:
		elements = e.Elts
	case *ast.Ident:
		return nil, e.Name == "nil"
	}
	var values []string
	for _, element := range elements {
		literal, ok := element.(*ast.BasicLit)
		if !ok {
			return nil, false
		}
		value, err := strconv.Unquote(literal.Value)
		if err != nil {
			return nil, false
		}
		values = append(values, value)
	}
	return values, true
}
