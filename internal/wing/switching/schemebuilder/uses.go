package schemebuilder

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// usesOf plans the edits of all uses in a file that imports the package.
func (b *builder) usesOf(f *file) {
	alias, version := f.imported(b.pkg.Path, b.pkg.Name), b.version
	if !ast.IsExported(version) {
		version = versionName
	}
	b.plan(uses{builder: b, file: f, version: alias + "." + version})
	if alias == "." {
		b.leave(f, f.syntax.Name.Pos(), "this file imports the package with a dot")
	}
}

// plan plans the edits of all uses in a file.
func (b *builder) plan(u uses) {
	ast.PreorderStack(u.file.syntax, nil, func(n ast.Node, within []ast.Node) bool {
		if expr, ok := n.(ast.Expr); ok && b.isBuilder(u.file, expr) {
			u.use(expr, within)
		}
		return true
	})
	u.removeEmpty()
}

// uses are the uses of a builder in one file.
type uses struct {
	builder *builder
	file    *file
	// version is the expression for the group and version.
	version string
	// own is true in the package of the builder.
	own bool
	// removed are the statements that the edits remove.
	removed []ast.Stmt
}

// use plans the edit of one use within other nodes, or reports that it cannot be edited.
func (u *uses) use(expr ast.Expr, within []ast.Node) {
	b, f, last := u.builder, u.file, len(within)-1
	sel, ok := within[last].(*ast.SelectorExpr)
	switch {
	case !ok || sel.X != expr:
		u.leave(expr, "its value is used here")
		return
	case sel.Sel.Name == adderName:
		return
	case ast.IsGenerated(f.syntax) && !b.isGenerated:
		u.leave(expr, "this file is generated, so its generator must change")
		return
	case !u.own && b.planner.config.Follows != nil && !b.planner.config.Follows(f.name, b.pkg):
		u.leave(expr, "this module builds with another version of the package")
		return
	}
	switch name := sel.Sel.Name; {
	case name == "Register":
		u.register(sel, within[:last])
	case b.isGenerated:
	case name == "GroupVersion":
		b.edit(f, f.offset(sel.Pos()), f.offset(sel.End()), u.version)
		b.change(f, sel.Pos(), "%s.GroupVersion is %s", f.source(expr), u.version)
	case name == builderName:
		b.edit(f, f.offset(expr.End()), f.offset(sel.End()), "")
		b.change(f, sel.Pos(), "%s is a runtime.SchemeBuilder itself", f.source(expr))
	default:
		u.leave(sel.Sel, "a runtime.SchemeBuilder has no "+name)
	}
}

// register plans the edit of a call that registers objects.
func (u *uses) register(sel *ast.SelectorExpr, within []ast.Node) {
	b, f, last := u.builder, u.file, len(within)-1
	call, ok := within[last].(*ast.CallExpr)
	if !ok || call.Fun != ast.Expr(sel) {
		u.leave(sel.Sel, "Register is not called here")
		return
	}
	if b.isGenerated && (!hasObjects(call) || ast.IsGenerated(f.syntax)) {
		return // functions, or an error of the compiler in the output of another generator
	}
	stmt, ok := within[last-1].(*ast.ExprStmt)
	if !ok {
		u.leave(sel.Sel, "the result of Register is used here")
		return
	}
	var byHand, names []string
	for _, arg := range call.Args {
		name := ""
		if u.own && !call.Ellipsis.IsValid() {
			name = typeName(arg)
		}
		if name == "" || slices.Contains(b.pkg.ByHand, name) {
			byHand = append(byHand, f.source(arg))
		} else {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		b.pkg.Registered = append(b.pkg.Registered, names...)
		b.change(f, call.Pos(), "generated code registers %s", strings.Join(names, ", "))
	}
	if len(byHand) == 0 {
		start, end := f.lines(f.offset(stmt.Pos()), f.offset(stmt.End()))
		b.edit(f, start, end, "")
		u.removed = append(u.removed, stmt)
		return
	}
	list := strings.Join(byHand, ", ")
	if call.Ellipsis.IsValid() {
		list += "..."
	}
	s, runtime := free(call), f.runtimeName()
	const function = "func(%[1]s *%[2]s.Scheme) error {\n\t\t%[1]s.AddKnownTypes(%[3]s, %[4]s)\n\t\treturn nil\n\t}"
	text := fmt.Sprintf(function, s, runtime, u.version, list)
	b.edits = append(b.edits, fileEdit{f, edit{f.offset(call.Lparen) + 1, f.offset(call.Rparen), text}, runtime})
	b.change(f, call.Pos(), "a function registers %s", list)
}

// leave reports a use, unless the package has had no scheme.Builder before.
func (u *uses) leave(expr ast.Expr, why string) {
	if !u.builder.isGenerated {
		u.builder.leave(u.file, expr.Pos(), why)
	}
}

// hasObjects reports whether a call has an argument that a scheme.Builder takes.
func hasObjects(call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		address, ok := arg.(*ast.UnaryExpr)
		if !ok || address.Op != token.AND {
			return false
		}
		_, ok = address.X.(*ast.CompositeLit)
		return ok
	})
}

// free returns a name for a scheme that the arguments of a call do not use.
func free(call *ast.CallExpr) string {
	name := "s"
	ast.Inspect(call, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			name = "knownTypes"
		}
		return true
	})
	return name
}

// removeEmpty plans the removal of init functions that have nothing left, not even a comment.
func (u *uses) removeEmpty() {
	b, f := u.builder, u.file
	for _, decl := range f.syntax.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Recv != nil || d.Name.Name != "init" || d.Body == nil || len(d.Body.List) == 0 {
			continue
		}
		stays := func(s ast.Stmt) bool { return !slices.Contains(u.removed, s) }
		if slices.ContainsFunc(d.Body.List, stays) || u.commented(d.Body) {
			continue
		}
		e := f.removed(d, d.Doc)
		b.drop(f, e)
		b.edits = append(b.edits, fileEdit{file: f, edit: e})
	}
}

// commented reports whether a body has a comment outside of removed statements.
func (u *uses) commented(body *ast.BlockStmt) bool {
	f := u.file
	return slices.ContainsFunc(f.syntax.Comments, func(c *ast.CommentGroup) bool {
		if c.Pos() < body.Pos() || c.End() > body.End() {
			return false
		}
		return !slices.ContainsFunc(u.removed, func(s ast.Stmt) bool {
			start, end := f.lines(f.offset(s.Pos()), f.offset(s.End()))
			return start <= f.offset(c.Pos()) && f.offset(c.End()) <= end
		})
	})
}
