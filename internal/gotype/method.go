package gotype

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
)

// Method is a declared method of a type.
type Method struct {
	Name string
	// Pointer reports whether the receiver is a pointer.
	Pointer bool
	Type    *ast.FuncType
	// Body is nil in generated files, which are not fully parsed.
	Body *ast.BlockStmt
	File *load.File
	// Pos is the position of the method's name; token.NoPos in generated files.
	Pos token.Pos
}

// MethodNames returns the names of the methods of a type that files other than the named ones declare. It ignores embedded types.
// The named files are about to be regenerated, whatever their state.
func (d *Decl) MethodNames(except ...string) []string {
	d.Package.readHeaders()
	var names []string
	for _, m := range d.Package.methods[d.Name()] {
		if !isIn(m.File, except) {
			names = append(names, m.Name)
		}
	}
	for _, h := range d.Package.headers[d.Name()] {
		if !isIn(h.file, except) {
			names = append(names, h.name)
		}
	}
	return names
}

// Method returns the method of a type with this name, if files other than the named ones declare it; see MethodNames.
func (d *Decl) Method(name string, except ...string) (Method, bool) {
	d.Package.readHeaders()
	d.Package.parseHeaders(d.Name(), name, except)
	for _, m := range d.Package.methods[d.Name()] {
		if m.Name == name && !isIn(m.File, except) {
			return m, true
		}
	}
	return Method{}, false
}

// isIn reports whether a file has one of the names.
func isIn(file *load.File, names []string) bool {
	return slices.Contains(names, filepath.Base(file.Name))
}

func newMethod(file *load.File, d *ast.FuncDecl) (m Method, receiver string, ok bool) {
	if len(d.Recv.List) != 1 {
		return Method{}, "", false
	}
	base := ast.Unparen(d.Recv.List[0].Type)
	star, pointer := base.(*ast.StarExpr)
	if pointer {
		base = ast.Unparen(star.X)
	}
	switch generic := base.(type) {
	case *ast.IndexExpr:
		base = generic.X
	case *ast.IndexListExpr:
		base = generic.X
	}
	ident, ok := base.(*ast.Ident)
	if !ok {
		return Method{}, "", false
	}
	return Method{Name: d.Name.Name, Pointer: pointer, Type: d.Type, Body: d.Body, File: file, Pos: d.Name.Pos()}, ident.Name, true
}

// readHeaders finds the methods in generated files that are not fully parsed, such as the deep copies of a dependency.
func (p *Package) readHeaders() {
	if p.headersRead {
		return
	}
	p.headersRead = true
	for _, file := range p.Unparsed {
		for _, line := range file.Methods {
			rest := strings.TrimPrefix(line, "func (")
			receiver, signature, _ := strings.Cut(rest, ") ")
			receiver, _, _ = strings.Cut(receiver, "[")
			base := receiver[strings.LastIndexAny(receiver, " *")+1:]
			name, _, _ := strings.Cut(signature, "(")
			p.headers[base] = append(p.headers[base], header{file, name, line})
		}
	}
}

// header is the first line of a method.
type header struct {
	file       *load.File
	name, line string
}

// parseHeaders converts the headers of a type's methods with this name to methods, except for those in files with certain names. It
// is lazy because most types do not have the requested methods.
func (p *Package) parseHeaders(receiver, name string, except []string) {
	if len(p.headers[receiver]) == 0 {
		return
	}
	p.headers[receiver] = slices.DeleteFunc(p.headers[receiver], func(h header) bool {
		if name != h.name || isIn(h.file, except) {
			return false
		}
		if m, ok := h.parse(); ok {
			p.methods[receiver] = append(p.methods[receiver], m)
		}
		return true
	})
}

// parse returns the method that a header begins.
func (h header) parse() (Method, bool) {
	text := "package p;" + h.line
	if strings.HasSuffix(text, "{") {
		text += "}"
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return Method{}, false
	}
	d, ok := file.Decls[0].(*ast.FuncDecl)
	if !ok {
		return Method{}, false
	}
	m, _, ok := newMethod(h.file, d)
	m.Pos, m.Body = token.NoPos, nil // positions belong to another file set
	return m, ok
}
