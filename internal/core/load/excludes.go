package load

import (
	"go/build/constraint"
	"strconv"
)

// Imports returns the import paths in the parsed files.
func (p *Package) Imports() (importPaths []string) {
	for _, file := range p.Files {
		for _, spec := range file.Imports {
			importPath, _ := strconv.Unquote(spec.Path.Value)
			importPaths = append(importPaths, importPath)
		}
	}
	return importPaths
}

// Excludes reports whether the build constraints exclude the file if a tag is set, as in generated files.
func (f *File) Excludes(tag string) bool {
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			return false
		}
		for _, comment := range group.List {
			if expr, err := constraint.Parse(comment.Text); err == nil && excludes(expr, tag) {
				return true
			}
		}
	}
	return false
}

// excludes reports whether an expression is never true with a tag.
func excludes(expr constraint.Expr, tag string) bool {
	switch e := expr.(type) {
	case *constraint.NotExpr:
		without, ok := e.X.(*constraint.TagExpr)
		return ok && without.Tag == tag
	case *constraint.AndExpr:
		return excludes(e.X, tag) || excludes(e.Y, tag)
	case *constraint.OrExpr:
		return excludes(e.X, tag) && excludes(e.Y, tag)
	}
	return false
}
