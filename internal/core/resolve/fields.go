package resolve

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// Field is a field of a struct.
type Field struct {
	// Name is the Go name, JSON the name in JSON; "" for fields that are inlined or not serialized.
	Name, JSON string
	// Type is the Go type with import paths for package names or, if it cannot be resolved, as written.
	Type                       string
	Embedded, Inline, Optional bool
	Doc                        []string
	Markers                    marker.Set
	Pos                        token.Position
	// Fields are the fields of the struct that the type is, points to, or has as elements, if a package of the run declares the struct.
	Fields []Field
}

// Fields returns the fields of a kind's type. The model has no use for them, so they are only read on demand.
func (r Result) Fields(kind *model.Kind) []Field {
	reader := fieldReader{universe: r.universe, open: map[*gotype.Decl]bool{}}
	return reader.below(r.universe.Type(r.Kinds[kind].Source.Types[kind.Name]))
}

// Markers returns all markers of a kind's type, including markers of other programs.
func (r Result) Markers(kind *model.Kind) marker.Set {
	return r.Kinds[kind].Source.Decls[kind.Name].Scanned
}

// fieldReader reads the fields of structs.
type fieldReader struct {
	universe *gotype.Universe
	// open are the declarations of the enclosing structs.
	open map[*gotype.Decl]bool
}

// below returns the fields of the struct that a type leads to, unless it is declared outside of the run or encloses itself.
func (r fieldReader) below(t types.Type) []Field {
	t = types.Unalias(t)
	if container, ok := t.(interface{ Elem() types.Type }); ok {
		return r.below(container.Elem())
	}
	if decl := r.universe.Decl(t); decl != nil {
		if r.open[decl] || !slices.Contains(r.universe.Roots, decl.Package) {
			return nil
		}
		r.open[decl] = true
		defer delete(r.open, decl)
	}
	switch u := r.universe.Underlying(t).(type) {
	case *types.Struct:
		return r.fields(u)
	case interface{ Elem() types.Type }: // a named slice or map
		return r.below(u.Elem())
	}
	return nil
}

// fields returns the fields that may be serialized.
func (r fieldReader) fields(structType *types.Struct) []Field {
	var fields []Field
	for i := range structType.NumFields() {
		v := structType.Field(i)
		if !v.Exported() && !v.Embedded() {
			continue
		}
		syntax := r.universe.Field(v)
		f := Field{
			Name: v.Name(), Type: typeText(r.universe, v.Type(), syntax.Type), Embedded: v.Embedded(), Doc: source.DocLines(syntax.Doc),
			Markers: marker.Scan(r.universe.Fset, syntax.Doc), Pos: r.universe.Fset.Position(v.Pos()), Fields: r.below(v.Type()),
		}
		tag, serialized := r.universe.ReadFieldTag(v, structType.Tag(i))
		switch {
		case !serialized:
		case tag.Inline:
			f.Inline = true
		default:
			f.JSON = cmp.Or(tag.Name, v.Name())
		}
		f.Optional = optional(f.Markers, strings.Split(tag.Options, ","))
		fields = append(fields, f)
	}
	return fields
}

// optional reports whether a field may be omitted. As for controller-gen, markers come before the options of the json tag.
func optional(markers marker.Set, options []string) bool {
	for _, name := range []string{
		"kubebuilder:validation:Optional", "kubebuilder:validation:Required", "optional", "k8s:optional", "required", "k8s:required",
	} {
		if markers.Has(name) {
			return strings.HasSuffix(strings.ToLower(name), "optional")
		}
	}
	return slices.Contains(options, "omitempty") || slices.Contains(options, "omitzero")
}

// typeText returns a type with import paths, or as written.
func typeText(universe *gotype.Universe, t types.Type, written ast.Expr) string {
	if !resolved(universe, t) {
		return types.ExprString(written)
	}
	return types.TypeString(t, nil)
}

// resolved reports whether all parts of a type are known.
func resolved(universe *gotype.Universe, t types.Type) bool {
	if universe.Missing(t) != nil {
		return false
	}
	switch t := t.(type) {
	case *types.Map:
		return resolved(universe, t.Key()) && resolved(universe, t.Elem())
	case interface{ Elem() types.Type }:
		return resolved(universe, t.Elem())
	case *types.Named:
		return !slices.ContainsFunc(slices.Collect(t.TypeArgs().Types()), func(arg types.Type) bool { return !resolved(universe, arg) })
	}
	return true
}
