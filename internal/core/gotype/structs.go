package gotype

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"
)

// Pointee returns a type without its pointers. Aliases are resolved.
func Pointee(t types.Type) types.Type {
	t = types.Unalias(t)
	for pointer, ok := t.(*types.Pointer); ok; pointer, ok = t.(*types.Pointer) {
		t = types.Unalias(pointer.Elem())
	}
	return t
}

// Parts yields the types that values of an underlying type consist of: those of fields, keys and elements.
func Parts(underlying types.Type) iter.Seq[types.Type] {
	return func(yield func(types.Type) bool) {
		switch u := underlying.(type) {
		case *types.Struct:
			for field := range u.Fields() {
				if !yield(field.Type()) {
					return
				}
			}
		case *types.Map:
			_ = yield(u.Key()) && yield(u.Elem())
		case interface{ Elem() types.Type }:
			yield(u.Elem())
		}
	}
}

// FieldOf returns the field with this name that a struct declares itself. It returns nil for other types and names.
func (u *Universe) FieldOf(t types.Type, name string) *types.Var {
	structType, ok := u.Underlying(t).(*types.Struct)
	if !ok {
		return nil
	}
	for field := range structType.Fields() {
		if field.Name() == name {
			return field
		}
	}
	return nil
}

// Promotes reports whether a struct has a field with this name, its own or that of an embedded struct. If an embedded type cannot be
// resolved, it may have the field. Embedded fields that are called as one of the others are not searched.
func (u *Universe) Promotes(t types.Type, name string, others ...string) bool {
	field, unknown := u.Promoted(t, name, others...)
	return field != nil || unknown
}

// Promoted returns the field that Promotes finds, or unknown if an embedded type cannot be resolved.
func (u *Universe) Promoted(t types.Type, name string, others ...string) (found *types.Var, unknown bool) {
	level, seen := []types.Type{t}, map[types.Type]bool{}
	for len(level) > 0 {
		var next []types.Type
		for _, t := range level {
			switch structType := u.Underlying(Pointee(t)).(type) {
			case *Missing:
				return nil, true
			case *types.Struct:
				for field := range structType.Fields() {
					if field.Name() == name {
						return field, false
					}
					if field.Embedded() && !seen[field.Type()] && !slices.Contains(others, field.Name()) {
						seen[field.Type()] = true
						next = append(next, field.Type())
					}
				}
			}
		}
		level = next
	}
	return nil, false
}

// EmbedsOther reports whether a struct embeds types other than those with the given names.
func EmbedsOther(structType *ast.StructType, names ...string) bool {
	return slices.ContainsFunc(structType.Fields.List, func(f *ast.Field) bool {
		return len(f.Names) == 0 && !slices.Contains(names, EmbeddedName(f.Type))
	})
}

// FieldNames returns the names of the fields of a struct, including embedded fields.
func FieldNames(structType *ast.StructType) map[string]bool {
	names := map[string]bool{}
	for _, field := range structType.Fields.List {
		for _, name := range field.Names {
			names[name.Name] = true
		}
		if len(field.Names) == 0 {
			names[EmbeddedName(field.Type)] = true
		}
	}
	return names
}

// IsIdent reports whether an expression is one of the given identifiers.
func IsIdent(expr ast.Expr, names ...string) bool {
	ident, ok := expr.(*ast.Ident)
	return ok && slices.Contains(names, ident.Name)
}
