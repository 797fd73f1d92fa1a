package source

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
)

// Objects returns the sorted names of the types that are declared like API objects: types that embed TypeMeta, and types with
// clients together with their lists. Unexported types, generic types and aliases are not objects.
func (s *Package) Objects() []string {
	var names []string
	for _, name := range s.TypeNames {
		decl := s.Decls[name]
		eligible := token.IsExported(name) && decl.Spec.TypeParams == nil && !decl.Spec.Assign.IsValid()
		item := s.Decls[strings.TrimSuffix(name, "List")]
		client := decl.Markers.Has(marker.GenClient) || item != nil && item.Markers.Has(marker.GenClient)
		if eligible && (client || s.typeMeta(decl) != nil) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// typeMeta returns the field with which a struct embeds TypeMeta. It follows the names of other types in the package.
func (s *Package) typeMeta(decl *Type) *ast.Field {
	for range 100 { // longer chains are cycles
		switch expr := ast.Unparen(decl.Spec.Type).(type) {
		case *ast.StructType:
			return embedded(expr, "TypeMeta")
		case *ast.Ident:
			if decl = s.Decls[expr.Name]; decl == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// embedded returns the field with which a struct embeds a type with this name, or nil.
func embedded(structType *ast.StructType, name string) *ast.Field {
	i := slices.IndexFunc(structType.Fields.List, func(f *ast.Field) bool {
		return len(f.Names) == 0 && gotype.EmbeddedName(f.Type) == name
	})
	if i < 0 {
		return nil
	}
	return structType.Fields.List[i]
}

// hasJSON reports whether a field has a json tag.
func hasJSON(field *ast.Field) bool {
	return field.Tag != nil && strings.Contains(field.Tag.Value, "json")
}

// Internal reports whether all types with +genclient belong to an internal version, which is never serialized: the package uses
// runtime.APIVersionInternal, or their ObjectMeta has no json tag.
func (s *Package) Internal() bool {
	clientTypes := s.ClientTypes()
	return len(clientTypes) > 0 && (s.GroupVersion().Internal || !slices.ContainsFunc(clientTypes, func(name string) bool {
		structType := s.reader.Object(s.Decls[name].Decl).Struct
		if structType == nil {
			return true
		}
		meta := embedded(structType, "ObjectMeta")
		return meta == nil || hasJSON(meta)
	}))
}

// InternalObjects reports whether the package's objects belong to an internal version: the package uses
// runtime.APIVersionInternal, or none of their TypeMetas has a json tag.
func (s *Package) InternalObjects() bool {
	var typeMetas []*ast.Field
	for _, name := range s.Objects() {
		if field := s.typeMeta(s.Decls[name]); field != nil {
			typeMetas = append(typeMetas, field)
		}
	}
	return s.GroupVersion().Internal || len(typeMetas) > 0 && !slices.ContainsFunc(typeMetas, hasJSON)
}
