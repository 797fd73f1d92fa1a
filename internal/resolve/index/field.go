package index

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// parameterName returns the name of the only parameter of a function, followed by a space, or "".
func parameterName(function *ast.FuncType) string {
	if len(function.Params.List) == 1 && len(function.Params.List[0].Names) == 1 {
		return function.Params.List[0].Names[0].Name + " "
	}
	return ""
}

// setField resolves a path of JSON names.
func (r *reader) setField(path string, pos token.Position) bool {
	path = strings.TrimPrefix(path, ".")
	r.index.Name = path
	t := r.universe.Type(r.decl.Decl)
	offset := 0
	for name := range strings.SplitSeq(path, ".") {
		at := pos
		at.Column += offset
		offset += len(name) + 1
		var underlying types.Type
		t, underlying = r.into(t)
		structType, ok := underlying.(*types.Struct)
		if missing, unknown := underlying.(*gotype.Missing); unknown {
			r.diags.Add(at, "cannot index field %s: %w", r.index.Name, missing)
			return false
		}
		switch {
		case !ok:
			r.diags.Add(at, "%s has no fields", typeName(t))
			return false
		case r.universe.Encoding(t) != gotype.Structured:
			r.diags.AddHint(at, "use func=<Name>", "%s has no JSON fields: it has its own JSON form", typeName(t))
			return false
		}
		found := fieldsOf(r.universe, structType)
		field, ok := found[name]
		if !ok {
			r.diags.AddHint(at, marker.DidYouMean(name, slices.Sorted(maps.Keys(found)), ""), "%s has no JSON field %s", typeName(t), name)
			return false
		}
		if field.unreachable != "" {
			r.diags.AddHint(at, "use func=<Name>", "listers cannot reach field %s: %s is not exported", r.index.Name, field.unreachable)
			return false
		}
		r.index.Path = append(r.index.Path, field.steps...)
		r.index.Method = "By" + field.steps[len(field.steps)-1].Field
		t = field.t
	}
	return r.setValue(t, pos)
}

// into adds the steps through pointers and slices. It returns the element type and its underlying type.
func (r *reader) into(t types.Type) (types.Type, types.Type) {
	for {
		switch u := r.universe.Underlying(t).(type) {
		case *types.Pointer:
			r.index.Path = append(r.index.Path, model.IndexStep{Into: model.IntoPointer})
			t = u.Elem()
		case *types.Slice:
			r.index.Path = append(r.index.Path, model.IndexStep{Into: model.IntoSlice})
			t = u.Elem()
		default:
			return t, u
		}
	}
}

const indexable = "index a string, boolean or integer, a pointer to or slice of these, or a map[string]string; for others, use func=<Name>"

// setValue checks that values of type t can be indexed.
func (r *reader) setValue(t types.Type, pos token.Position) bool {
	t, underlying := r.into(t)
	switch u := underlying.(type) {
	case *types.Map:
		if r.isString(u.Key()) && r.isString(u.Elem()) {
			r.index.Path = append(r.index.Path, model.IndexStep{Into: model.IntoMap})
			return true
		}
	case *types.Basic:
		return r.setBasic(t, u, pos)
	case *gotype.Missing:
		r.diags.Add(pos, "cannot index field %s: %w", r.index.Name, u)
		return false
	}
	return r.cannot(pos, t)
}

func (r *reader) isString(t types.Type) bool {
	basic, ok := r.universe.Underlying(t).(*types.Basic)
	return ok && basic.Kind() == types.String
}

func (r *reader) setBasic(t types.Type, basic *types.Basic, pos token.Position) bool {
	if basic.Info()&(types.IsString|types.IsBoolean|types.IsInteger) == 0 {
		return r.cannot(pos, t)
	}
	r.index.Value = basic.Name()
	if decl := r.universe.Decl(t); decl != nil && decl.Package == r.decl.Package && token.IsExported(decl.Name()) {
		r.index.Value, r.index.Local = decl.Name(), true
	}
	return true
}

func (r *reader) cannot(pos token.Position, t types.Type) bool {
	r.diags.AddHint(pos, indexable, "field %s of type %s cannot be indexed", r.index.Name, typeName(t))
	return false
}

func typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// jsonField is the Go path and the type of a JSON field.
type jsonField struct {
	steps []model.IndexStep
	t     types.Type
	// unreachable is the unexported embedded type that listers cannot get past, if there is one.
	unreachable string
}

// fieldsOf returns the fields of a struct by their JSON names. Listers are in another package, where fields of unexported embedded
// structs are selected as promoted fields.
func fieldsOf(universe *gotype.Universe, structType *types.Struct) map[string]jsonField {
	fields := map[string]jsonField{}
	inJSON, _ := universe.JSONFields(structType)
	for _, f := range inJSON {
		field := jsonField{t: f.Var().Type()}
		for i, v := range f.Path {
			_, pointer := universe.Underlying(v.Type()).(*types.Pointer)
			switch last := i == len(f.Path)-1; {
			case v.Exported() && pointer && !last:
				field.steps = append(field.steps, model.IndexStep{Field: v.Name()}, model.IndexStep{Into: model.IntoPointer})
			case v.Exported():
				field.steps = append(field.steps, model.IndexStep{Field: v.Name()})
			case pointer, last:
				field.unreachable = v.Name()
			}
		}
		fields[f.Name] = field
	}
	return fields
}
