package smd

import (
	"go/ast"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
)

// Root is a kind whose fields are tabulated. Resource is its name in tables, such as "fleet.example.com/v1/robots".
type Root struct {
	Resource, Kind string
	Decl           *gotype.Decl
}

// Fields returns the fields that definitions of the given kinds describe, as lines of text. First, each kind has a line with its resource,
// its kind and its type; then each type has one with its fields in JSON:
//
//	fleet.example.com/v1/robots Robot fleet/v1.Robot
//	fleet/v1.Robot: apiVersion kind metadata spec=fleet/v1.RobotSpec
//	fleet/v1.RobotSpec: joints=[]fleet/v1.Joint labels name
//
// The parts of a field without a type are not described: it is a scalar, or free-form.
func Fields(universe *gotype.Universe, roots []Root) string {
	b := newBuilder(universe)
	for _, root := range roots {
		b.define(root.Decl)
	}
	t := table{builder: b, decls: map[string]*gotype.Decl{}, names: b.shortNames(), rows: map[string]string{}}
	for decl := range b.atoms {
		t.decls[Name(decl)] = decl
	}
	var lines []string
	for _, root := range roots {
		if name := t.typeOf(named(Name(root.Decl)), ""); name != "" {
			lines = append(lines, root.Resource+" "+root.Kind+" "+name+"\n")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.rows)) {
		lines = append(lines, name+":"+t.rows[name]+"\n")
	}
	return strings.Join(lines, "")
}

func newBuilder(universe *gotype.Universe) *builder {
	return &builder{universe: universe, atoms: map[*gotype.Decl]schema.Atom{}, scanned: map[*ast.CommentGroup]map[string][]string{}}
}

// shortNames returns unique names of the types.
func (b *builder) shortNames() map[*gotype.Decl]string {
	same, names := map[string]int{}, map[*gotype.Decl]string{}
	for decl := range b.atoms {
		names[decl] = path.Base(path.Dir(decl.Package.Path)) + "/" + path.Base(decl.Package.Path) + "." + decl.Name()
		same[names[decl]]++
	}
	for decl, name := range names {
		if same[name] > 1 {
			names[decl] = decl.Package.Path + "." + decl.Name()
		}
	}
	return names
}

// table has the rows of types by their names.
type table struct {
	builder *builder
	// decls are by their names in schemas.
	decls map[string]*gotype.Decl
	names map[*gotype.Decl]string
	rows  map[string]string
}

// typeOf returns the type of a field as rows name it, or "" if it has no fields. Anonymous structs get a row with the name of the field.
func (t table) typeOf(ref schema.TypeRef, field string) string {
	if ref.NamedType != nil {
		return t.declared(t.decls[*ref.NamedType])
	}
	prefix, element := "", schema.TypeRef{}
	switch atom := ref.Inlined; {
	case atom.Scalar != nil: // or any value
		return ""
	case atom.List != nil:
		prefix, element = "[]", atom.List.ElementType
	case atom.Map != nil && len(atom.Fields) > 0:
		t.add(field, atom.Fields, nil)
		return field
	case atom.Map != nil:
		prefix, element = "{}", atom.Map.ElementType
	}
	if of := t.typeOf(element, field); of != "" {
		return prefix + of
	}
	return ""
}

// declared returns the name of a type, or "" if definitions describe no fields of it: it has none, a marker says so, or it is metadata.
func (t table) declared(decl *gotype.Decl) string {
	atom, name := t.builder.atoms[decl], t.names[decl]
	if atom.Map == nil || len(atom.Fields) == 0 || t.isFreeForm(decl.Doc) ||
		decl.Package.Path == "k8s.io/apimachinery/pkg/apis/meta/v1" && decl.Name() == "ObjectMeta" {
		return ""
	}
	if _, known := t.rows[name]; known {
		return name
	}
	var free []string
	universe := t.builder.universe
	if structType, ok := universe.Underlying(universe.Type(decl)).(*types.Struct); ok {
		fields, _ := universe.JSONFields(structType)
		for _, f := range fields {
			if t.isFreeForm(universe.Field(f.Var()).Doc) {
				free = append(free, f.Name)
			}
		}
	}
	t.add(name, atom.Fields, free)
	return name
}

// freeForm are markers of fields and types that controller-gen does not describe by their Go type.
var freeForm = []string{
	"kubebuilder:pruning:PreserveUnknownFields", "kubebuilder:validation:XPreserveUnknownFields", "kubebuilder:validation:Schemaless",
	"kubebuilder:validation:EmbeddedResource", "kubebuilder:validation:XEmbeddedResource", "kubebuilder:validation:Type",
}

// isFreeForm reports whether a comment has such a marker.
func (t table) isFreeForm(comment *ast.CommentGroup) bool {
	_, is := first(t.builder.markers(comment), freeForm...)
	return is
}

// add adds the row of a type, with the types of all fields that are not free-form. Names that no definition has are left out.
func (t table) add(name string, fields []schema.StructField, free []string) {
	t.rows[name] = "" // for types that contain themselves
	var row strings.Builder
	for _, f := range slices.SortedFunc(slices.Values(fields), byName) {
		if strings.ContainsAny(f.Name, " =:") {
			continue
		}
		row.WriteString(" " + f.Name)
		if slices.Contains(free, f.Name) {
			continue
		}
		if of := t.typeOf(f.Type, name+"."+f.Name); of != "" {
			row.WriteString("=" + of)
		}
	}
	t.rows[name] = row.String()
}
