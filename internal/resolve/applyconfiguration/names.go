package applyconfiguration

import (
	"go/types"
	"path"

	"github.com/informer-gen-lite/informer-gen-lite/internal/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// typeNames writes Go types as the files of one package of apply configurations refer to them. It assigns the aliases of
// the imports that this takes.
type typeNames struct {
	index    *index
	reporter reporter
	pkg      *model.ApplyPackage
	scope    *goname.Scope
	imports  []model.Import
}

func newTypeNames(x *index, r reporter, pkg *model.ApplyPackage) *typeNames {
	return &typeNames{index: x, reporter: r, pkg: pkg, scope: goname.NewScope(goname.Templates("applyconfiguration/type.*"), goname.Predeclared)}
}

// alias returns the alias of an import.
func (n *typeNames) alias(to model.Import) string {
	for _, known := range n.imports {
		if known.Path == to.Path && known.Apply == to.Apply {
			return known.Alias
		}
	}
	base := goname.ForImport(to.Path, path.Base(to.Path))
	if to.Apply || to.Path != n.pkg.Source && n.index.isExternal(to.Path) {
		base += "ac"
	}
	to.Alias = n.scope.Free(base)
	n.imports = append(n.imports, to)
	return to.Alias
}

// of returns the Go type itself.
func (n *typeNames) of(t types.Type) string {
	return types.TypeString(n.nameable(t), func(p *types.Package) string { return n.alias(model.Import{Path: p.Path()}) })
}

// nameable replaces types that are not exported by their underlying types, and reports types that cannot be resolved.
func (n *typeNames) nameable(t types.Type) types.Type {
	switch u := types.Unalias(t).(type) {
	case *gotype.Missing:
		n.reporter.report(u)
		return u
	case *types.Named:
		if u.Obj().Pkg() != nil && !u.Obj().Exported() {
			return n.nameable(n.index.universe.Underlying(u))
		}
		return u
	case *types.Pointer:
		return types.NewPointer(n.nameable(u.Elem()))
	case *types.Slice:
		return types.NewSlice(n.nameable(u.Elem()))
	case *types.Array:
		return types.NewArray(n.nameable(u.Elem()), u.Len())
	case *types.Map:
		return types.NewMap(n.nameable(u.Key()), n.nameable(u.Elem()))
	case *types.Chan:
		return types.NewChan(u.Dir(), n.nameable(u.Elem()))
	case *types.Signature:
		for v := range u.Params().Variables() {
			n.nameable(v.Type())
		}
		for v := range u.Results().Variables() {
			n.nameable(v.Type())
		}
		return u
	case *types.Struct:
		for v := range u.Fields() {
			n.nameable(v.Type())
		}
		return u
	case *types.Interface:
		for method := range u.Methods() {
			n.nameable(method.Type())
		}
		return u
	default:
		return u
	}
}

// applied returns the type of a field in an apply configuration: the apply configuration of a struct or of a pointer to
// one, slices and maps of apply configurations, and otherwise the type itself.
func (n *typeNames) applied(t types.Type) string {
	if name, where, ok := n.index.find(t); ok {
		if where.Apply && where.Path == n.pkg.Folder {
			return name
		}
		return n.alias(where) + "." + name
	}
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return n.applied(u.Elem())
	case *types.Slice:
		if _, _, ok := n.index.find(u.Elem()); ok {
			return "[]" + n.applied(u.Elem())
		}
	case *types.Map:
		_, pointer := types.Unalias(u.Elem()).(*types.Pointer)
		if _, _, ok := n.index.find(u.Elem()); ok && !pointer {
			return "map[" + n.of(u.Key()) + "]" + n.applied(u.Elem())
		}
	}
	return n.of(t)
}
