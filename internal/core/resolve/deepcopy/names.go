package deepcopy

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

var (
	// isLocal reports whether generated deep copies have a local variable with this name.
	isLocal = func(name string) bool { return slices.Contains(model.CopyLocals, name) }
	// isUsed reports whether generated deep copies use a name from outside the package.
	isUsed = goname.Templates("deepcopy/*")
)

// fileNames assigns the names within one generated file.
type fileNames struct {
	source  *source.Package
	scope   *goname.Scope
	imports *goname.Imports
}

func newFileNames(s *source.Package) *fileNames {
	scope := goname.NewScope(isLocal, goname.Predeclared, func(name string) bool { return s.Declared(name) != "" })
	return &fileNames{s, scope, goname.NewImports(scope)}
}

// of returns a name of a package, as the file refers to it.
func (n *fileNames) of(importPath, name string) string {
	if importPath == n.source.Path {
		return name
	}
	return n.alias(importPath) + "." + name
}

// alias returns the import alias of a package. As in code-generator, it is the shortest free end of the import path, without slashes and
// punctuation; that of the package of the file is not free.
func (n *fileNames) alias(importPath string) string {
	var candidates []string
	elements := strings.Split(importPath, "/")
	for i := range elements {
		name := punctuation.Replace(strings.Join(elements[len(elements)-1-i:], ""))
		if token.IsIdentifier(name) && name != path.Base(n.source.Path) {
			candidates = append(candidates, name)
		}
	}
	return n.imports.Alias(importPath, append(candidates, goname.Package(path.Base(importPath))+"pkg")...)
}

var punctuation = strings.NewReplacer("_", "", ".", "", "-", "")

// list returns the imports of the file.
func (n *fileNames) list() []model.Import {
	var imports []model.Import
	n.imports.Each(func(importPath, alias string) {
		imports = append(imports, model.Import{Alias: alias, Path: importPath})
	})
	return imports
}

// text formats a type for the file.
func (n *fileNames) text(t types.Type) (string, *problem) {
	if hidden := n.hidden(t); hidden != "" {
		return "", &problem{reason: fmt.Errorf("%s is not exported by its package", hidden), hint: byHandHint}
	}
	return types.TypeString(resolved(t), func(pkg *types.Package) string {
		if pkg.Path() == n.source.Path {
			return ""
		}
		return n.alias(pkg.Path())
	}), nil
}

// resolved returns a type without aliases, as code-generator writes it. Those of the standard library stay, because a later release may
// turn a type into one: json.RawMessage is jsontext.Value since Go 1.27, which earlier releases do not have.
func resolved(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Alias:
		if pkg := t.Obj().Pkg(); pkg != nil && strings.Contains(pkg.Path(), ".") {
			return resolved(t.Rhs())
		}
	case *types.Pointer:
		return types.NewPointer(resolved(t.Elem()))
	case *types.Slice:
		return types.NewSlice(resolved(t.Elem()))
	case *types.Array:
		return types.NewArray(resolved(t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(resolved(t.Key()), resolved(t.Elem()))
	}
	return t
}

// hidden returns the part of a type that another package does not export, or "".
func (n *fileNames) hidden(t types.Type) string {
	foreign := func(obj types.Object) bool {
		return obj.Pkg() != nil && obj.Pkg().Path() != n.source.Path && !obj.Exported()
	}
	switch t := t.(type) {
	case *types.Alias:
		if foreign(t.Obj()) {
			return t.String()
		}
	case *types.Named:
		if foreign(t.Obj()) {
			return t.String()
		}
		for arg := range t.TypeArgs().Types() {
			if hidden := n.hidden(arg); hidden != "" {
				return hidden
			}
		}
	case *types.Struct:
		for field := range t.Fields() {
			if foreign(field) {
				return "field " + field.Name()
			}
		}
	}
	for part := range gotype.Parts(t) {
		if hidden := n.hidden(part); hidden != "" {
			return hidden
		}
	}
	return ""
}

// checkHiding reports names of the package that shadow predeclared identifiers used by generated deep copies.
func (n *fileNames) checkHiding(diags *diag.List) {
	for _, name := range types.Universe.Names() {
		if what := n.source.Declared(name); what != "" && (isUsed(name) || slices.Contains(model.CopyBuiltins, name)) {
			_, noun, _ := strings.Cut(what, " ")
			diags.AddHint(n.source.Position(name), "rename it",
				"%s %s shadows the predeclared identifier, which generated deep copies use", noun, name)
		}
	}
}
