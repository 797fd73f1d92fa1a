package deepcopy

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

var (
	// isLocal reports whether generated deep copies have a local variable with this name.
	isLocal = goname.Numbered(model.CopyLocals...)
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

// qualifier returns the prefix for names of a package: "" for the package of the file.
func (n *fileNames) qualifier(importPath, name string) string {
	if importPath == n.source.Path {
		return ""
	}
	return n.alias(importPath, name) + "."
}

// alias returns the import alias of a package.
func (n *fileNames) alias(importPath, name string) string {
	base := name
	if goname.IsVersion(name) {
		base = goname.ForImport(importPath, name)
	}
	return n.imports.Alias(importPath, goname.Unless(base, base+"pkg", isLocal, goname.Predeclared))
}

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
	return types.TypeString(t, func(pkg *types.Package) string {
		if pkg.Path() == n.source.Path {
			return ""
		}
		return n.alias(pkg.Path(), pkg.Name())
	}), nil
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
