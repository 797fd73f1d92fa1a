package gotype

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
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

	// header is the first line of a method in a generated file, from which Pointer and Type are read when they are needed: most types
	// do not have the requested methods.
	header string
}

// MethodNames returns the names of the methods of a type that files other than the named ones declare. It ignores embedded types.
// The named files are about to be regenerated, whatever their state.
func (d *Decl) MethodNames(except ...string) []string {
	d.Package.readHeaders()
	var names []string
	for _, m := range d.Package.methods[d.Name()] {
		if !m.isIn(except) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Method returns the method of a type with this name, if files other than the named ones declare it; see MethodNames.
func (d *Decl) Method(name string, except ...string) (Method, bool) {
	d.Package.readHeaders()
	for _, m := range d.Package.methods[d.Name()] {
		if m.Name == name && !m.isIn(except) && (m.header == "" || m.parseHeader()) {
			return *m, true
		}
	}
	return Method{}, false
}

// isIn reports whether one of the named files declares the method.
func (m *Method) isIn(files []string) bool {
	return len(files) > 0 && slices.Contains(files, filepath.Base(m.File.Name))
}

// newMethod returns a method and the name of its type; "" if the receiver is invalid.
func newMethod(file *load.File, d *ast.FuncDecl) (m *Method, receiver string) {
	m = &Method{Name: d.Name.Name, Type: d.Type, Body: d.Body, File: file, Pos: d.Name.Pos()}
	if len(d.Recv.List) == 1 {
		_, m.Pointer = ast.Unparen(d.Recv.List[0].Type).(*ast.StarExpr)
		receiver = EmbeddedName(d.Recv.List[0].Type)
	}
	return m, receiver
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
			p.methods[base] = append(p.methods[base], &Method{Name: name, File: file, header: line})
		}
	}
}

// parseHeader completes a method whose header is known. It returns false if the header is not that of a method.
func (m *Method) parseHeader() bool {
	text := "package p;" + m.header
	if strings.HasSuffix(text, "{") {
		text += "}"
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return false
	}
	d, ok := file.Decls[0].(*ast.FuncDecl)
	if !ok || d.Recv == nil {
		return false
	}
	parsed, _ := newMethod(m.File, d)
	m.Pointer, m.Type, m.header = parsed.Pointer, parsed.Type, "" // body and position belong to another file set
	return true
}
