package applyconfiguration

import (
	"fmt"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// typeNames formats Go types for the files of one package of apply configurations, and assigns the import aliases for them.
type typeNames struct {
	index    *index
	reporter reporter
	pkg      *model.ApplyPackage
	imports  *goname.Imports
	// open are the unexported types being replaced.
	open map[string]bool
}

// inType are the identifiers of the files of one type.
var inType = goname.Templates("applyconfiguration/type.*")

// belowRoot starts the keys of folders below the root of the apply configurations. No import path starts like that.
const belowRoot = "./"

// alias returns the alias of an import.
func (n *typeNames) alias(to model.Import) string {
	key, base := to.Path, goname.ForImport(to.Path, path.Base(to.Path))
	if to.Apply {
		key = belowRoot + to.Path
	}
	if to.Apply || to.Path != n.pkg.Source && slices.Contains(slices.Collect(maps.Values(n.index.external)), to.Path) {
		base += "ac"
	}
	return n.imports.Alias(key, base)
}

// list returns the imports of the package's files.
func (n *typeNames) list() []model.Import {
	var imports []model.Import
	n.imports.Each(func(key, alias string) {
		importPath, apply := strings.CutPrefix(key, belowRoot)
		imports = append(imports, model.Import{Alias: alias, Path: importPath, Apply: apply})
	})
	return imports
}

// of returns the Go type itself.
func (n *typeNames) of(t types.Type) string {
	return types.TypeString(n.nameable(t), func(p *types.Package) string { return n.alias(model.Import{Path: p.Path()}) })
}

// nameable replaces unexported types by their underlying types, and reports types that cannot be resolved.
func (n *typeNames) nameable(t types.Type) types.Type {
	if n.index.universe.Moved(t) {
		return t
	}
	t = types.Unalias(t)
	if missing := n.index.universe.Missing(t); missing != nil {
		n.reporter.report(missing)
		return t
	}
	switch u := t.(type) {
	case *types.Named:
		if u.Obj().Pkg() != nil && !u.Obj().Exported() {
			return n.unexported(u)
		}
		return n.instance(u)
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
	case *types.Struct:
		return n.structType(u)
	case *types.Interface:
		for method := range u.Methods() {
			n.nameable(method.Type())
		}
	}
	return t
}

// instance replaces unexported types in the arguments of a generic type, if these still satisfy the constraints then.
func (n *typeNames) instance(t *types.Named) types.Type {
	originals := slices.Collect(t.TypeArgs().Types())
	var args []types.Type
	first := -1 // of the unexported arguments
	for i, arg := range originals {
		args = append(args, n.nameable(arg))
		if first < 0 && !types.Identical(arg, args[i]) {
			first = i
		}
	}
	if first < 0 {
		return t
	}
	if !n.satisfied(n.index.universe.Decl(t), originals, args) {
		argument := types.TypeString(originals[first], func(*types.Package) string { return "" })
		n.reporter.unexported("the type argument "+argument+" of "+t.Obj().Name(), t.Obj().Pos())
	}
	if instance, err := types.Instantiate(nil, t.Origin(), args, false); err == nil {
		return instance
	}
	return t
}

// satisfied reports whether type arguments are known to satisfy the constraints of a generic type that the originals satisfy.
func (n *typeNames) satisfied(generic *gotype.Decl, originals, args []types.Type) bool {
	u := n.index.universe
	for i, arg := range args {
		bound := u.Bound(generic, i, args...)
		isOriginal := types.Identical(arg, originals[i]) && fmt.Sprint(bound) == fmt.Sprint(u.Bound(generic, i, originals...))
		if !isOriginal && !u.Satisfies(arg, bound) {
			return false
		}
	}
	return true
}

// structType replaces unexported types in the fields of a struct. Embedded ones have no name that would remain.
func (n *typeNames) structType(t *types.Struct) types.Type {
	var fields []*types.Var
	var tags []string
	for i := range t.NumFields() {
		field := t.Field(i)
		if field.Embedded() && !field.Exported() {
			n.reporter.unexported("the embedded type "+field.Name(), field.Pos())
			continue
		}
		fields = append(fields, types.NewField(field.Pos(), field.Pkg(), field.Name(), n.nameable(field.Type()), field.Embedded()))
		tags = append(tags, t.Tag(i))
	}
	return types.NewStruct(fields, tags)
}

func (n *typeNames) unexported(t *types.Named) types.Type {
	key := t.String()
	if n.open[key] {
		n.reporter.unexported("type "+t.Obj().Name()+" contains itself and", t.Obj().Pos())
		return t
	}
	underlying := n.index.universe.Underlying(t)
	if n.index.universe.Encoding(t) != n.index.universe.Encoding(underlying) {
		n.reporter.unexported("type "+t.Obj().Name()+" encodes itself and", t.Obj().Pos())
		return t
	}
	n.open[key] = true
	defer delete(n.open, key)
	return n.nameable(underlying)
}

// applied returns the type of a field in an apply configuration: the apply configuration of a struct or of a pointer to
// one, slices and maps of apply configurations instead of structs, and otherwise the type itself.
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
		if n.hasApplied(u.Elem()) {
			return "[]" + n.applied(u.Elem())
		}
	case *types.Map:
		if n.hasApplied(u.Elem()) {
			return "map[" + n.of(u.Key()) + "]" + n.applied(u.Elem())
		}
	}
	return n.of(t)
}

// hasApplied reports whether the elements of a slice or map become apply configurations. As in code-generator, pointers
// remain pointers to Go types.
func (n *typeNames) hasApplied(element types.Type) bool {
	_, pointer := types.Unalias(element).(*types.Pointer)
	_, _, ok := n.index.find(element)
	return ok && !pointer
}
