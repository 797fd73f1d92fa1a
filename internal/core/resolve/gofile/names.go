// Package gofile has what one generated file in an API package depends on: its name, and the names in it.
package gofile

import (
	"go/token"
	"go/types"
	"path"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// Names assigns the names within one generated file.
type Names struct {
	// Scope has the names of the package, the names of the file, and the names to avoid.
	Scope   *goname.Scope
	source  *source.Package
	imports *goname.Imports
}

// NewNames returns the names of a file in a package. Imports do not get the names of its local variables.
func NewNames(s *source.Package, local goname.Avoid) *Names {
	scope := goname.NewScope(local, goname.Predeclared, func(name string) bool { return s.Declared(name) != "" })
	return &Names{scope, s, goname.NewImports(scope)}
}

// Of returns a name of a package, as the file refers to it.
func (n *Names) Of(importPath, name string) string {
	if importPath == n.source.Path {
		return name
	}
	return n.Alias(importPath) + "." + name
}

// Alias returns the import alias of a package. As in code-generator, it is the shortest free end of the import path, without slashes and
// punctuation. The name of the file's own package is not free.
func (n *Names) Alias(importPath string) string {
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

// List returns the imports of the file: first the standard library.
func (n *Names) List() []model.Import {
	var standard, others []model.Import
	n.imports.Each(func(importPath, alias string) {
		if module.Standard(importPath) {
			standard = append(standard, model.Import{Alias: alias, Path: importPath})
		} else {
			others = append(others, model.Import{Alias: alias, Path: importPath})
		}
	})
	if len(others) > 0 {
		others[0].Gap = len(standard) > 0
	}
	return append(standard, others...)
}

// Text formats a type for the file. It returns the part of the type that another package does not export, if there is any.
func (n *Names) Text(t types.Type) (text, hidden string) {
	if hidden := n.Hidden(t); hidden != "" {
		return "", hidden
	}
	return types.TypeString(resolved(t), func(pkg *types.Package) string {
		if pkg.Path() == n.source.Path {
			return ""
		}
		return n.Alias(pkg.Path())
	}), ""
}

// resolved returns a type without aliases, as code-generator writes it. Aliases of the standard library stay, because a later
// release may turn a type into one: json.RawMessage is jsontext.Value since Go 1.27, which earlier releases do not have.
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

// Hidden returns the part of a type that another package does not export, or "".
func (n *Names) Hidden(t types.Type) string {
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
			if hidden := n.Hidden(arg); hidden != "" {
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
		if hidden := n.Hidden(part); hidden != "" {
			return hidden
		}
	}
	return ""
}
