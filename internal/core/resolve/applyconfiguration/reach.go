package applyconfiguration

import (
	"go/ast"
	"go/types"
	"maps"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// visit adds a type and the serialized types that it consists of to those reachable from a kind.
func (p *planner) visit(t types.Type) {
	t = types.Unalias(t)
	if p.seen[t] {
		return
	}
	p.seen[t] = true
	underlying := p.index.universe.Underlying(t)
	u, ok := underlying.(*types.Struct)
	for i := 0; ok && i < u.NumFields(); i++ {
		_, _, tagged := gotype.JSONTag(u.Tag(i))
		if _, ok := p.index.universe.ReadFieldTag(u.Field(i), u.Tag(i)); ok || tagged {
			p.visit(u.Field(i).Type())
		}
	}
	if !ok {
		for part := range gotype.Parts(underlying) {
			p.visit(part)
		}
	}
}

// hasWritten reports whether a type is a struct in which code-generator's apply configurations include at least one field.
func (x *index) hasWritten(t types.Type) bool {
	structType, ok := x.universe.Underlying(t).(*types.Struct)
	if !ok {
		return false
	}
	for i := range structType.NumFields() {
		if x.written(structType.Tag(i)) && structType.Field(i).Name() != "_" {
			return true
		}
	}
	return false
}

// index knows which types have an apply configuration, and where.
type index struct {
	universe *gotype.Universe
	// release is the client-go release that they are generated for.
	release model.Target
	// external maps types to the packages that already have their apply configurations.
	external map[model.Type]string
	// viaJSON and fields are the answers of needsJSON and fieldsOf.
	viaJSON map[types.Type]bool
	fields  map[listed][]field
	// generated are the packages to be generated, by the declaration of the type.
	generated map[*gotype.Decl]*model.ApplyPackage
}

func newIndex(universe *gotype.Universe, release model.Target, external map[model.Type]string) *index {
	x := &index{
		universe: universe, release: release, external: map[model.Type]string{}, viaJSON: map[types.Type]bool{},
		fields: map[listed][]field{}, generated: map[*gotype.Decl]*model.ApplyPackage{},
	}
	for _, name := range builtinExternals {
		x.external[model.Type{Package: source.MetaV1, Name: name}] = clientGo + "/meta/v1"
	}
	maps.Copy(x.external, external)
	return x
}

// doc returns a comment without markers, and without blank lines at its end if the release drops them.
func (x *index) doc(group *ast.CommentGroup) []string {
	lines := source.DocLines(group)
	for x.release.TrimsComments() && len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// find returns the package of a named type's apply configuration and reports whether it exists. Pointers are followed.
func (x *index) find(t types.Type) (name string, where model.Import, ok bool) {
	named, isNamed := gotype.Pointee(t).(*types.Named)
	if !isNamed || named.Obj().Pkg() == nil {
		return "", model.Import{}, false
	}
	ref := model.Type{Package: named.Obj().Pkg().Path(), Name: named.Obj().Name()}
	if pkg := x.generated[x.universe.Decl(named)]; pkg != nil {
		return ref.Name + "ApplyConfiguration", model.Import{Path: pkg.Folder, Apply: true}, true
	}
	if external, known := x.external[ref]; known {
		return ref.Name + "ApplyConfiguration", model.Import{Path: external}, true
	}
	return "", model.Import{}, false
}
