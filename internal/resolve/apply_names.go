package resolve

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// typeNames writes Go types as the files of one package of apply configurations refer to them, and collects the
// imports that this takes.
type typeNames struct {
	a       *applyResolver
	pkg     *model.ApplyPackage
	imports []model.Import
}

func newTypeNames(a *applyResolver, pkg *model.ApplyPackage) *typeNames {
	return &typeNames{a: a, pkg: pkg}
}

// alias returns the name of an import, of which there is one for each package.
func (n *typeNames) alias(to model.Import) string {
	i := slices.IndexFunc(n.imports, func(known model.Import) bool { return known.Path == to.Path && known.Apply == to.Apply })
	if i >= 0 {
		return n.imports[i].Alias
	}
	base := path.Base(to.Path)
	if versionLike.MatchString(base) {
		base = path.Base(path.Dir(to.Path)) + base
	}
	base = model.PackageName(base)
	if to.Apply || to.Path != n.pkg.Source && n.a.isExternal(to.Path) {
		base += "ac"
	}
	to.Alias = base
	for number := 2; n.taken(to.Alias); number++ {
		to.Alias = fmt.Sprint(base, number)
	}
	n.imports = append(n.imports, to)
	return to.Alias
}

// inBuilders are the names that the files of apply configurations give to imports, parameters and variables.
var inBuilders = []string{
	"b", "entries", "err", "fieldManager", "internal", "key", "managedfields", "name", "namespace", "object", "subresource",
	"value", "values",
}

// taken tells whether an import cannot have a name.
func (n *typeNames) taken(name string) bool {
	return slices.Contains(inBuilders, name) || token.IsKeyword(name) || types.Universe.Lookup(name) != nil ||
		slices.ContainsFunc(n.imports, func(known model.Import) bool { return known.Alias == name })
}

func (a *applyResolver) isExternal(importPath string) bool {
	for _, external := range a.external {
		if external == importPath {
			return true
		}
	}
	return false
}

// of returns the Go type itself.
func (n *typeNames) of(t types.Type) string {
	return types.TypeString(n.nameable(t), func(p *types.Package) string { return n.alias(model.Import{Path: p.Path()}) })
}

// nameable replaces types that only their own package can name by what is behind them, and reports those that cannot be
// made out.
func (n *typeNames) nameable(t types.Type) types.Type {
	switch u := types.Unalias(t).(type) {
	case *gotype.Missing:
		n.a.report(u)
		return u
	case *types.Named:
		if u.Obj().Pkg() != nil && !u.Obj().Exported() {
			return n.nameable(n.a.universe.Underlying(u))
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

// applied returns the type that stands for another in an apply configuration: the apply configuration of a struct or of
// what a pointer leads to, slices and maps of apply configurations, and otherwise the type itself.
func (n *typeNames) applied(t types.Type) string {
	if name, where, ok := n.a.applied(t); ok {
		if where.Apply && where.Path == n.pkg.Folder {
			return name
		}
		return n.alias(where) + "." + name
	}
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return n.applied(u.Elem())
	case *types.Slice:
		if _, _, ok := n.a.applied(u.Elem()); ok {
			return "[]" + n.applied(u.Elem())
		}
	case *types.Map:
		_, pointer := types.Unalias(u.Elem()).(*types.Pointer)
		if _, _, ok := n.a.applied(u.Elem()); ok && !pointer {
			return "map[" + n.of(u.Key()) + "]" + n.applied(u.Elem())
		}
	}
	return n.of(t)
}
