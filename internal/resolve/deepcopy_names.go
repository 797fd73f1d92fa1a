package resolve

import (
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// localNames matches the names that generated code gives to local variables.
var localNames = regexp.MustCompile(`^(in|out|i|key|val|copied)[0-9]*$`)

// predeclaredNames are the predeclared identifiers that generated code uses.
var predeclaredNames = []string{"copy", "len", "make", "new", "nil"}

// fileNames gives the packages that one generated file imports their names there.
type fileNames struct {
	source *source
	byPath map[string]string
	taken  map[string]bool
}

func newFileNames(s *source) *fileNames { return &fileNames{s, map[string]string{}, map[string]bool{}} }

// qualify returns what stands before the names of a package: nothing for that of the file.
func (n *fileNames) qualify(importPath, name string) string {
	if importPath == n.source.Path {
		return ""
	}
	return n.alias(importPath, name) + "."
}

// alias returns the name of a package.
func (n *fileNames) alias(importPath, name string) string {
	if alias, known := n.byPath[importPath]; known {
		return alias
	}
	base := name
	if versionLike.MatchString(name) {
		base = model.PackageName(path.Base(path.Dir(importPath)) + name)
	}
	if localNames.MatchString(base) || token.IsKeyword(base) || types.Universe.Lookup(base) != nil {
		base += "pkg"
	}
	alias := base
	for i := 2; n.taken[alias] || n.source.declared(alias) != ""; i++ {
		alias = base + strconv.Itoa(i)
	}
	n.byPath[importPath], n.taken[alias] = alias, true
	return alias
}

// imports returns all that were named.
func (n *fileNames) imports() []model.Import {
	var imports []model.Import
	for importPath, alias := range n.byPath {
		imports = append(imports, model.Import{Alias: alias, Path: importPath})
	}
	slices.SortFunc(imports, func(a, b model.Import) int { return strings.Compare(a.Path, b.Path) })
	return imports
}

// text returns how the file refers to a type.
func (n *fileNames) text(t types.Type) (string, *problem) {
	if hidden := n.hidden(t); hidden != "" {
		return "", &problem{reason: hidden + " is not exported by its package", hint: byHandHint}
	}
	return types.TypeString(t, func(pkg *types.Package) string {
		if pkg.Path() == n.source.Path {
			return ""
		}
		return n.alias(pkg.Path(), pkg.Name())
	}), nil
}

// hidden returns the part of a type that another package does not export.
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
	case *types.Map:
		if hidden := n.hidden(t.Key()); hidden != "" {
			return hidden
		}
		return n.hidden(t.Elem())
	case interface{ Elem() types.Type }:
		return n.hidden(t.Elem())
	case *types.Struct:
		for field := range t.Fields() {
			if foreign(field) {
				return "field " + field.Name()
			}
			if hidden := n.hidden(field.Type()); hidden != "" {
				return hidden
			}
		}
	}
	return ""
}

// suffix returns what local variables' names end with, lest they hide a name of the package. It also reports names that
// hide what generated code needs.
func (n *fileNames) suffix(c *copier) string {
	for _, name := range predeclaredNames {
		if what := n.source.declared(name); what != "" {
			c.diags.AddHint(n.source.position(name), "rename it", "%s is %s of this package; generated deep copies need what Go calls so", name, what)
		}
	}
	for name := range n.source.types {
		if localNames.MatchString(name) {
			return "_"
		}
	}
	return ""
}
