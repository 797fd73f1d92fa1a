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
	b.defined = true
	for _, root := range roots {
		b.define(root.Decl)
	}
	t := table{names: b.shortNames(), rows: map[string]string{}}
	for decl, atom := range b.atoms {
		if name := t.names[Name(decl)]; name != "" {
			t.add(name, atom.Map.Fields)
		}
	}
	var lines []string
	for _, root := range roots {
		if name := t.names[Name(root.Decl)]; name != "" {
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

// freeForm are markers of fields and types for which controller-gen does not describe what the Go type says.
var freeForm = []string{
	"kubebuilder:pruning:PreserveUnknownFields", "kubebuilder:validation:XPreserveUnknownFields", "kubebuilder:validation:Schemaless",
	"kubebuilder:validation:EmbeddedResource", "kubebuilder:validation:XEmbeddedResource", "kubebuilder:validation:Type",
}

// isFreeForm reports whether definitions have no fields for a type: markers say so, or it is metadata, which has none by default.
func (b *builder) isFreeForm(t types.Type, markers map[string][]string) bool {
	if !b.defined {
		return false
	}
	_, is := first(markers, freeForm...)
	decl := b.universe.Decl(t)
	if is || decl == nil {
		return is
	}
	_, is = first(b.markers(decl.Doc), freeForm...)
	return is || decl.Package.Path == "k8s.io/apimachinery/pkg/apis/meta/v1" && decl.Name() == "ObjectMeta"
}

// shortNames returns unique names of the types that have fields, by their names in schemas.
func (b *builder) shortNames() map[string]string {
	short := func(decl *gotype.Decl) string {
		return path.Base(path.Dir(decl.Package.Path)) + "/" + path.Base(decl.Package.Path) + "." + decl.Name()
	}
	same, names := map[string]int{}, map[string]string{}
	for decl := range b.atoms {
		same[short(decl)]++
	}
	for decl, atom := range b.atoms {
		name := short(decl)
		if same[name] > 1 {
			name = decl.Package.Path + "." + decl.Name()
		}
		if atom.Map != nil && len(atom.Map.Fields) > 0 {
			names[Name(decl)] = name
		}
	}
	return names
}

// table has the rows of types by their names.
type table struct{ names, rows map[string]string }

// add adds the row of a type. Names that no definition has are left out.
func (t table) add(name string, fields []schema.StructField) {
	var row strings.Builder
	for _, f := range slices.SortedFunc(slices.Values(fields), byName) {
		if strings.ContainsAny(f.Name, " =:") {
			continue
		}
		row.WriteString(" " + f.Name)
		if of := t.typeOf(f.Type, name+"."+f.Name); of != "" {
			row.WriteString("=" + of)
		}
	}
	t.rows[name] = row.String()
}

// typeOf returns the type of a field as rows name it, or "" if it has no fields. Anonymous structs get a row with the name of the field.
func (t table) typeOf(ref schema.TypeRef, field string) string {
	if ref.NamedType != nil {
		return t.names[*ref.NamedType]
	}
	prefix, element := "", schema.TypeRef{}
	switch atom := ref.Inlined; {
	case atom.Scalar != nil: // or any value
		return ""
	case atom.List != nil:
		prefix, element = "[]", atom.List.ElementType
	case atom.Map != nil && len(atom.Map.Fields) > 0:
		t.add(field, atom.Map.Fields)
		return field
	case atom.Map != nil:
		prefix, element = "{}", atom.Map.ElementType
	}
	if of := t.typeOf(element, field); of != "" {
		return prefix + of
	}
	return ""
}
