// Package fieldpath follows the paths of JSON names in markers through Go types.
package fieldpath

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/spelling"
)

// Follower follows one path, step by step, for code in another package.
type Follower struct {
	Universe *gotype.Universe
	Diags    *diag.List
	// Text is the path as it is written. Otherwise is the hint about fields that exist, but that generated code cannot select.
	Text, Otherwise string
	// Path are the steps so far.
	Path model.Path
}

// Into adds the steps through pointers and, if lists is set, through slices. It returns the element type and its underlying type.
func (f *Follower) Into(t types.Type, lists bool) (types.Type, types.Type) {
	for {
		switch u := f.Universe.Underlying(t).(type) {
		case *types.Pointer:
			f.add(model.Step{Into: model.IntoPointer})
			t = u.Elem()
		case *types.Slice:
			if !lists {
				return t, u
			}
			f.add(model.Step{Into: model.IntoSlice})
			t = u.Elem()
		default:
			return t, u
		}
	}
}

func (f *Follower) add(steps ...model.Step) { f.Path = append(f.Path, steps...) }

// Field adds the steps from a struct to the field with a JSON name. It returns the type of the field, or reports at pos that there is no
// such field.
func (f *Follower) Field(t types.Type, name string, pos token.Position) (types.Type, bool) {
	underlying := f.Universe.Underlying(t)
	structType, ok := underlying.(*types.Struct)
	switch {
	case f.Missing(underlying, pos):
		return nil, false
	case !ok:
		f.Diags.Add(pos, "%s has no fields", TypeName(t))
		return nil, false
	case f.Universe.Encoding(t) != gotype.Structured:
		f.Diags.AddHint(pos, f.Otherwise, "%s has no JSON fields: it has its own JSON form", TypeName(t))
		return nil, false
	}
	found := FieldsOf(f.Universe, structType)
	field, ok := found[name]
	switch {
	case !ok:
		f.Diags.AddHint(pos, spelling.DidYouMean(name, slices.Sorted(maps.Keys(found)), ""), "%s has no JSON field %s", TypeName(t), name)
		return nil, false
	case field.Unreachable != "":
		f.Diags.AddHint(pos, f.Otherwise, "generated code cannot reach field %s: %s is not exported", f.Text, field.Unreachable)
		return nil, false
	}
	f.add(field.Steps...)
	return field.Type, true
}

// Missing reports an underlying type that cannot be resolved.
func (f *Follower) Missing(underlying types.Type, pos token.Position) bool {
	missing, unknown := underlying.(*gotype.Missing)
	if unknown {
		f.Diags.Add(pos, "cannot resolve field %s: %w", f.Text, missing)
	}
	return unknown
}

// TypeName returns a type with package names, for messages.
func TypeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// Field is the Go path and the type of a JSON field.
type Field struct {
	Steps model.Path
	Type  types.Type
	// Unreachable is the unexported embedded type that code in another package cannot get past; "" for fields that it can select.
	Unreachable string
}

// FieldsOf returns the fields of a struct by their JSON names. In other packages, fields of unexported embedded structs are selected as
// promoted fields.
func FieldsOf(universe *gotype.Universe, structType *types.Struct) map[string]Field {
	fields := map[string]Field{}
	inJSON, _ := universe.JSONFields(structType)
	for _, f := range inJSON {
		field := Field{Type: f.Var().Type()}
		for i, v := range f.Path {
			_, pointer := universe.Underlying(v.Type()).(*types.Pointer)
			switch last := i == len(f.Path)-1; {
			case v.Exported() && pointer && !last:
				field.Steps = append(field.Steps, model.Step{Field: v.Name()}, model.Step{Into: model.IntoPointer})
			case v.Exported():
				field.Steps = append(field.Steps, model.Step{Field: v.Name()})
			case pointer, last:
				field.Unreachable = v.Name()
			}
		}
		fields[f.Name] = field
	}
	return fields
}
