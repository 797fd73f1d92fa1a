package resolve

import (
	"go/ast"
	"path"
	"strconv"
)

// structOf returns the struct that a declaration stands for, following the names of other types, be they of other
// packages: type Gateway v1.Gateway has the fields of that. It is nil if the type is no struct, or cannot be found.
func (r *resolver) structOf(s *source, decl *typeDecl) *ast.StructType {
	for range 100 { // longer chains are circles
		switch expr := ast.Unparen(decl.spec.Type).(type) {
		case *ast.StructType:
			return expr
		case *ast.Ident:
			decl = s.types[expr.Name]
		case *ast.SelectorExpr:
			qualifier, ok := expr.X.(*ast.Ident)
			if !ok {
				return nil
			}
			if s = r.imported(decl, qualifier.Name); s == nil {
				return nil
			}
			decl = s.types[expr.Sel.Name]
		default:
			return nil
		}
		if decl == nil {
			return nil
		}
	}
	return nil
}

// imported returns the package that a declaration's file knows by a name.
func (r *resolver) imported(decl *typeDecl, name string) *source {
	var candidates []string
	for _, spec := range decl.imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil:
		case spec.Name != nil && spec.Name.Name == name:
			return r.find(importPath)
		case spec.Name == nil && path.Base(importPath) == name:
			candidates = append([]string{importPath}, candidates...)
		case spec.Name == nil:
			candidates = append(candidates, importPath)
		}
	}
	// An import without a name is known by that of its package, which is mostly, but not always, the end of its path.
	for _, importPath := range candidates {
		if s := r.find(importPath); s != nil && s.Name == name {
			return s
		}
	}
	return nil
}

// find returns a package by its import path, loading it if need be. It is nil if it cannot be loaded.
func (r *resolver) find(importPath string) *source {
	s, ok := r.found[importPath]
	if !ok {
		if pkg, err := r.loaded.Find(r.ctx, importPath); err == nil && pkg != nil {
			s = newSource(r.loaded.Fset, pkg)
		}
		r.found[importPath] = s
	}
	return s
}
