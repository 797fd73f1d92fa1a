package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
)

// MetaV1 is the import path of the package that declares ObjectMeta, TypeMeta and Condition.
const MetaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1"

// IsMetaV1 reports whether a type is the named type of metav1.
func IsMetaV1(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == MetaV1
}

// Start returns the position of the package clause in the first file of the package that has one.
func (s *Package) Start() token.Position {
	for _, file := range s.Files {
		if file.Package.IsValid() {
			return s.universe.Fset.Position(file.Package)
		}
	}
	return token.Position{Filename: s.Dir}
}

// Declared describes the declaration of a name in the package, or returns "" if the package does not declare it.
func (s *Package) Declared(name string) string {
	switch {
	case s.Decls[name] != nil:
		return "a type"
	case s.Funcs[name] != nil:
		return "a function"
	case s.Values[name] != nil:
		return "a variable or constant"
	}
	return ""
}

// Position returns the position of a declaration in the package, or the package's start.
func (s *Package) Position(name string) token.Position {
	if decl := s.Decls[name]; decl != nil {
		return decl.Pos
	}
	if f := s.Funcs[name]; f != nil {
		return s.universe.Fset.Position(f.Name.Pos())
	}
	if spec := s.Values[name]; spec != nil {
		for _, ident := range spec.Names {
			if ident.Name == name {
				return s.universe.Fset.Position(ident.Pos())
			}
		}
	}
	return s.Start()
}

// DotImports yields the packages whose names files of the package use without qualifier, with the position of the import.
func (s *Package) DotImports() iter.Seq2[token.Position, *gotype.Package] {
	return func(yield func(token.Position, *gotype.Package) bool) {
		for _, file := range s.Files {
			for spec, imported := range s.universe.DotImports(file) {
				if !yield(s.universe.Fset.Position(spec.Pos()), imported) {
					return
				}
			}
		}
	}
}

// GroupVersion is the value of a package's variable of type schema.GroupVersion.
type GroupVersion struct {
	// Variable is the variable's name, or "".
	Variable string
	// Group and Version are "" if they are not set, or cannot be determined; then GroupPos or VersionPos is set.
	Group, Version       string
	GroupPos, VersionPos token.Position
	// Internal is true if the version is runtime.APIVersionInternal.
	Internal bool
}

// GroupVersion finds the package's variable of type schema.GroupVersion. It ignores register-gen's GroupVersion, whose type is
// metav1.GroupVersion.
func (s *Package) GroupVersion() GroupVersion {
	for _, candidate := range []string{"SchemeGroupVersion", "GroupVersion"} {
		spec, ok := s.Values[candidate]
		if !ok {
			continue
		}
		gv := GroupVersion{Variable: candidate}
		literal, ok := gotype.ValueOf(spec, candidate).(*ast.CompositeLit)
		if !ok {
			return gv
		}
		selector, ok := literal.Type.(*ast.SelectorExpr)
		if ok && (selector.Sel.Name != "GroupVersion" || gotype.IsIdent(selector.X, "metav1", "v1")) {
			continue
		}
		if ok {
			s.readGroupVersion(literal, &gv)
		}
		return gv
	}
	return GroupVersion{}
}

// readGroupVersion reads the fields of a literal schema.GroupVersion.
func (s *Package) readGroupVersion(literal *ast.CompositeLit, gv *GroupVersion) {
	group, version := field(literal, "Group", 0), field(literal, "Version", 1)
	gv.Group, gv.GroupPos = s.stringOf(group)
	if gv.Internal = s.isInternalVersion(version); gv.Internal {
		return
	}
	gv.Version, gv.VersionPos = s.stringOf(version)
	gv.Internal = gv.Version == "__internal" // runtime.APIVersionInternal
}

// field returns the value of a field of a composite literal, which sets all fields by name or all by their order; nil if it does not
// set this one.
func field(literal *ast.CompositeLit, name string, index int) ast.Expr {
	for i, element := range literal.Elts {
		pair, named := element.(*ast.KeyValueExpr)
		switch {
		case !named && i == index:
			return element
		case named && gotype.IsIdent(pair.Key, name):
			return pair.Value
		}
	}
	return nil
}

// isInternalVersion reports whether an expression is runtime.APIVersionInternal or a constant of this package with its value.
func (s *Package) isInternalVersion(expr ast.Expr) bool {
	if ident, ok := expr.(*ast.Ident); ok {
		expr = gotype.ValueOf(s.Values[ident.Name], ident.Name)
	}
	selector, ok := expr.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "APIVersionInternal"
}

// StringValue returns the value of the package's string constant or variable; "" if it cannot be determined.
func (s *Package) StringValue(name string) string {
	value, _ := s.stringOf(gotype.ValueOf(s.Values[name], name))
	return value
}

// stringOf evaluates an expression. If that is impossible, it returns the expression's position.
func (s *Package) stringOf(expr ast.Expr) (value string, unread token.Position) {
	value, ok := s.universe.String(s.Package, expr)
	if !ok && expr != nil {
		unread = s.universe.Fset.Position(expr.Pos())
	}
	return value, unread
}

// AddToScheme returns the name of the variable or function that adds the package's types to a scheme and returns an
// error, or "". Functions without a result belong to the install packages of internal versions.
func (s *Package) AddToScheme() string {
	for _, name := range []string{"AddToScheme", "Install"} {
		if _, ok := s.Values[name]; ok {
			return name
		}
		if f, ok := s.Funcs[name]; ok && f.Type.Results.NumFields() == 1 && f.Type.Params.NumFields() == 1 {
			return name
		}
	}
	return ""
}

// HasResource reports whether the package declares func Resource(string) schema.GroupResource.
func (s *Package) HasResource() bool {
	f, ok := s.Funcs["Resource"]
	return ok && f.Type.Params.NumFields() == 1 && f.Type.Results.NumFields() == 1
}

// DocLines returns the lines of a comment without markers.
func DocLines(doc *ast.CommentGroup) []string {
	var lines []string
	for line := range strings.Lines(doc.Text()) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "+") {
			lines = append(lines, line)
		}
	}
	return lines
}
