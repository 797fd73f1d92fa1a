package gotype

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"sort"
)

// CommentEnding returns the comment that ends a number of lines above a position in the package, or nil. So gengo finds the comment of a
// declaration, whatever stands between: the comment at the end of a line belongs to what begins on the next line, too.
func (u *Universe) CommentEnding(pkg *Package, pos token.Pos, lines int) *ast.CommentGroup {
	file := pkg.fileOf(pos)
	if file == nil {
		return nil
	}
	after := sort.Search(len(file.Comments), func(i int) bool { return file.Comments[i].End() > pos })
	if after == 0 {
		return nil
	}
	closest := file.Comments[after-1]
	if u.Fset.Position(closest.End()).Line != u.Fset.Position(pos).Line-lines {
		return nil
	}
	return closest
}

// Signature returns the signature of a function of the package.
func (u *Universe) Signature(pkg *Package, f *ast.FuncDecl) *types.Signature {
	s := scope{pkg: pkg, file: pkg.fileOf(f.Pos())}
	if s.file == nil {
		return types.NewSignatureType(nil, nil, nil, nil, nil, false)
	}
	return u.signature(s, f.Type)
}

// File returns the syntax of the file with a declaration of the package, or nil.
func (p *Package) File(pos token.Pos) *ast.File {
	if file := p.fileOf(pos); file != nil {
		return file.File
	}
	return nil
}

// Constant evaluates a constant or variable of a package, as String does: to a text, an integer, or an unknown value.
func (u *Universe) Constant(pkg *Package, name string) constant.Value {
	return u.declared(pkg, name, 0)
}

// Expect loads packages that are about to be needed, concurrently. Package reports their errors.
func (u *Universe) Expect(importPaths []string) { _ = u.Loaded.Load(u.ctx, importPaths...) }
