package shape

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
)

// Markers returns the markers in the comment of a field: the comment that ends on the line above, even if that is the end of a line.
func (w *World) Markers(m *Member) marker.Set {
	if set, known := w.markers[m.Var]; known {
		return set
	}
	var set marker.Set
	if pkg := w.declaring(m.Var.Pkg()); pkg != nil {
		set = marker.Scan(w.Fset, w.CommentEnding(pkg, m.Var.Pos(), 1))
	}
	w.markers[m.Var] = set
	return set
}

func (w *World) declaring(pkg *types.Package) *gotype.Package {
	if pkg == nil {
		return nil
	}
	return w.Package(pkg.Path())
}

// Closest returns the markers in the comment of a declared type.
func (t *Type) Closest() marker.Set {
	closest, _ := t.comments()
	return marker.Scan(t.world.Fset, closest)
}

// Detached returns the markers in the second comment above a declared type, with an empty line between the comments.
func (t *Type) Detached() marker.Set {
	_, detached := t.comments()
	return marker.Scan(t.world.Fset, detached)
}

func (t *Type) comments() (closest, detached *ast.CommentGroup) {
	decl := t.world.Decl(t.GoType)
	if decl == nil || !t.world.Requested[t.Package] {
		return nil, nil
	}
	return t.world.Comments(decl.Package, decl.Spec.Name.Pos())
}

// Comments returns the comment of a declaration at a position, and the second comment above it, with an empty line in between.
func (w *World) Comments(pkg *gotype.Package, pos token.Pos) (closest, detached *ast.CommentGroup) {
	closest = w.CommentEnding(pkg, pos, 1)
	if closest == nil {
		return nil, w.CommentEnding(pkg, pos, 2)
	}
	return closest, w.CommentEnding(pkg, closest.Pos(), 2)
}
