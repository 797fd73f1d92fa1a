package schemebuilder

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

// builder is the scheme.Builder of a package, with the edits that take it out.
type builder struct {
	planner *planner
	pkg     *Package
	// object is the variable.
	object types.Object
	// isGenerated is true if a generated registration declares the variable, so that it is no longer controller-runtime's.
	isGenerated bool
	// version is the expression for the group and version in files of the package.
	version string

	edits   []fileEdit
	changes []Change
	// specs counts the removed variables of declarations.
	specs map[*ast.GenDecl]int
	// left are the uses that a runtime.SchemeBuilder cannot have.
	left diag.List
}

// fileEdit is an edit of a file. Its text may refer to package runtime of apimachinery by a name.
type fileEdit struct {
	file *file
	edit
	runtime string
}

// find returns the builder of a package, with the edits of its declaration, or nil.
func (p *planner) find(pkg *Package, own []*file) *builder {
	b := &builder{planner: p, pkg: pkg, version: versionName, specs: map[*ast.GenDecl]int{}}
	for f, d := range variables(own) {
		for _, spec := range d.Specs {
			s := spec.(*ast.ValueSpec)
			if literal := f.builderOf(s); literal != nil {
				b.declaration(f, d, s, literal)
			}
		}
	}
	if b.object != nil {
		b.adder(own)
		return b
	}
	if b.object = declared(own, builderName); b.object == nil || !pkg.Generated {
		return nil
	}
	b.isGenerated = true
	if declared(own, "GroupVersion") != nil {
		b.version = "GroupVersion"
	}
	return b
}

// variables are the declarations of variables at package level.
func variables(own []*file) iter.Seq2[*file, *ast.GenDecl] {
	return func(yield func(*file, *ast.GenDecl) bool) {
		for _, f := range own {
			for _, decl := range f.syntax.Decls {
				if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.VAR && !yield(f, d) {
					return
				}
			}
		}
	}
}

// builderOf returns the literal of a scheme.Builder that a variable is declared with; nil if it is not.
func (f *file) builderOf(s *ast.ValueSpec) *ast.CompositeLit {
	if len(s.Names) != 1 || len(s.Values) != 1 {
		return nil
	}
	value := s.Values[0]
	if address, ok := value.(*ast.UnaryExpr); ok && address.Op == token.AND {
		value = address.X
	}
	literal, ok := value.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	typ, ok := literal.Type.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	for path, name := range map[string]string{schemePath: "Builder", Module: builderName} {
		if f.importedBy(typ.X) == path && typ.Sel.Name == name {
			return literal
		}
	}
	return nil
}

// importedBy returns the import path of the package that an identifier refers to; "" if it refers to something else.
func (f *file) importedBy(x ast.Expr) string {
	if id, ok := x.(*ast.Ident); ok {
		if pkg, ok := f.info.Uses[id].(*types.PkgName); ok {
			return pkg.Imported().Path()
		}
	}
	return ""
}

// declaration plans the removal of a builder's declaration.
func (b *builder) declaration(f *file, d *ast.GenDecl, s *ast.ValueSpec, literal *ast.CompositeLit) {
	name := s.Names[0]
	first := b.object == nil
	b.object, b.pkg.Pos = f.info.Defs[name], f.fset.Position(name.Pos())
	switch version := versionIn(f, literal); {
	case !first:
		b.leave(f, name.Pos(), "it is the second one of its package")
	case name.Name != builderName:
		b.leave(f, name.Pos(), "it is not called "+builderName)
	case version == nil:
		b.leave(f, literal.Pos(), "it is not declared with its GroupVersion alone")
	default:
		if id, ok := version.(*ast.Ident); ok {
			b.version = id.Name
		}
		b.remove(f, d, s)
	}
}

// versionIn returns the group and version in the literal of a builder; nil if there is something else in it.
func versionIn(f *file, literal *ast.CompositeLit) ast.Expr {
	if len(literal.Elts) == 1 {
		if field, ok := literal.Elts[0].(*ast.KeyValueExpr); ok && f.source(field.Key) == "GroupVersion" {
			return field.Value
		}
	}
	return nil
}

// adder removes the variable AddToScheme of the builder, which is generated too. A function that does more stays; then a marker asks for
// the registration.
func (b *builder) adder(own []*file) {
	for f, d := range variables(own) {
		for _, spec := range d.Specs {
			s := spec.(*ast.ValueSpec)
			if len(s.Names) != 1 || len(s.Values) != 1 || s.Names[0].Name != adderName {
				continue
			}
			if sel, ok := s.Values[0].(*ast.SelectorExpr); ok && sel.Sel.Name == adderName && b.isBuilder(f, sel.X) {
				b.remove(f, d, s)
				if declared(own, "Install") != nil {
					b.request(own)
				}
				return
			}
		}
	}
	if declared(own, adderName) != nil || declared(own, "Install") != nil {
		b.request(own)
	}
}

// request adds a marker that asks for the registration in spite of handwritten functions.
func (b *builder) request(own []*file) {
	for _, f := range own {
		if strings.Contains(string(f.text), "+k8s:register-gen") {
			return
		}
	}
	for _, f := range own {
		if f.syntax.Doc == nil || f.name != b.pkg.Pos.Filename {
			continue
		}
		at := f.offset(f.syntax.Doc.End())
		b.edit(f, at, at, "\n// +k8s:register-gen=package")
		b.change(f, f.syntax.Doc.Pos(), "a marker asks for the registration, because handwritten functions add it to schemes")
	}
}

// declared returns what files declare by a name at package level; nil for nothing.
func declared(own []*file, name string) types.Object {
	for _, f := range own {
		for id, object := range f.info.Defs {
			if id.Name == name && object != nil && object.Pkg() != nil && object.Parent() == object.Pkg().Scope() {
				return object
			}
		}
	}
	return nil
}

// isBuilder reports whether an expression is the builder: by its name in a file of the package, with a qualifier in others.
func (b *builder) isBuilder(f *file, expr ast.Expr) bool {
	if sel, ok := expr.(*ast.SelectorExpr); ok {
		return sel.Sel.Name == builderName && f.importedBy(sel.X) == b.pkg.Path
	}
	id, ok := expr.(*ast.Ident)
	return ok && f.info.Uses[id] == b.object
}

// remove plans the removal of a variable, and of its declaration if that has no other one.
func (b *builder) remove(f *file, d *ast.GenDecl, s *ast.ValueSpec) {
	b.change(f, s.Names[0].Pos(), "%s is generated", s.Names[0].Name)
	e := f.removed(s, s.Doc)
	if b.specs[d]++; b.specs[d] == len(d.Specs) {
		e = f.removed(d, d.Doc)
		b.drop(f, e)
	}
	b.edits = append(b.edits, fileEdit{file: f, edit: e})
}

// drop drops the edits within another one.
func (b *builder) drop(f *file, e edit) {
	b.edits = slices.DeleteFunc(b.edits, func(in fileEdit) bool { return in.file == f && e.from <= in.from && in.to <= e.to })
}

// edit plans an edit.
func (b *builder) edit(f *file, from, to int, text string) {
	b.edits = append(b.edits, fileEdit{file: f, edit: edit{from, to, text}})
}

// change describes an edit.
func (b *builder) change(f *file, pos token.Pos, format string, args ...any) {
	at := f.fset.Position(pos)
	if !b.pkg.Pos.IsValid() {
		b.pkg.Pos = at
	}
	b.changes = append(b.changes, Change{at, fmt.Sprintf(format, args...)})
}

// leave reports why the package cannot change.
func (b *builder) leave(f *file, pos token.Pos, why string) {
	isKnown := func(d diag.Diagnostic) bool { return d.Pos.Filename == f.name && strings.HasSuffix(d.Message, why) }
	if !slices.ContainsFunc(b.left, isKnown) { // once for each file
		b.left = append(b.left, b.pkg.Stays(f.fset.Position(pos), "change this, and run the command again", why))
	}
}

// typeName returns the type of the same package in an argument that registers it, such as &Robot{} or new(Robot); "" for another argument.
func typeName(arg ast.Expr) string {
	var typ ast.Expr
	switch a := arg.(type) {
	case *ast.UnaryExpr:
		if literal, ok := a.X.(*ast.CompositeLit); ok && a.Op == token.AND {
			typ = literal.Type
		}
	case *ast.CallExpr:
		if id, ok := a.Fun.(*ast.Ident); ok && id.Name == "new" && len(a.Args) == 1 {
			typ = a.Args[0]
		}
	}
	if id, ok := typ.(*ast.Ident); ok && ast.IsExported(id.Name) {
		return id.Name
	}
	return ""
}
