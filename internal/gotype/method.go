package gotype

import (
	"bytes"
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

// Methods returns the methods of a type that files other than the named ones declare. It ignores embedded types. The names are
// those of files that are about to be regenerated, whatever their state.
func (d *Decl) Methods(except ...string) []Method {
	return slices.DeleteFunc(slices.Clone(d.methods("")), func(m Method) bool { return m.in(except) })
}

// Method returns the method of a type with this name, as Methods does.
func (d *Decl) Method(name string, except ...string) (Method, bool) {
	for _, m := range d.methods(name) {
		if m.Name == name && !m.in(except) {
			return m, true
		}
	}
	return Method{}, false
}

// methods returns the known methods of a type, including all with this name. Without a name, it returns all methods.
func (d *Decl) methods(name string) []Method {
	d.Package.readUnparsed()
	d.Package.parseHeaders(d.Name(), name)
	return d.Package.methods[d.Name()]
}

// in reports whether a file with one of the names declares the method.
func (m Method) in(files []string) bool {
	return slices.ContainsFunc(files, func(name string) bool { return filepath.Base(m.File.Name) == name })
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

// readUnparsed finds the methods in generated files that are not fully parsed, such as the deep copies of a dependency. These
// files are gofmt'ed, so each method begins a line.
func (p *Package) readUnparsed() {
	if p.headersRead {
		return
	}
	p.headersRead = true
	for _, file := range p.Unparsed {
		src, err := file.Read()
		if err != nil {
			continue // the file is being replaced, so its methods may change
		}
		for line := range bytes.Lines(src) {
			if rest, method := bytes.CutPrefix(line, []byte("func (")); method {
				receiver, _, _ := bytes.Cut(rest, []byte(")"))
				receiver, _, _ = bytes.Cut(receiver, []byte("["))
				base := string(receiver[bytes.LastIndexAny(receiver, " *")+1:])
				_, signature, _ := strings.Cut(string(rest), ") ")
				name, _, _ := strings.Cut(signature, "(")
				p.headers[base] = append(p.headers[base], header{file, name, string(line)})
			}
		}
	}
}

// header is the first line of a method.
type header struct {
	file       *load.File
	name, line string
}

// parseHeaders converts the headers of a type's methods with this name to methods; without a name, all of them. It is lazy
// because most types do not have the requested methods.
func (p *Package) parseHeaders(receiver, name string) {
	p.headers[receiver] = slices.DeleteFunc(p.headers[receiver], func(h header) bool {
		if name != "" && name != h.name {
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
	text := "package p;" + strings.TrimSpace(h.line)
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
