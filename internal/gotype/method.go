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

// Method is a method that a type is declared with.
type Method struct {
	Name string
	// Pointer tells whether the receiver is a pointer.
	Pointer bool
	Type    *ast.FuncType
	// Body is nil in generated files, which are not parsed whole.
	Body *ast.BlockStmt
	File *load.File
	// Pos is where the method's name stands; token.NoPos in generated files.
	Pos token.Pos
}

// Methods returns the methods that a file other than the named ones declares for a type; embedded types are not looked
// into. The names are those of files that are to be generated anew, in whatever state they are.
func (d *Decl) Methods(except ...string) []Method {
	p := d.Package
	p.readUnparsed()
	p.parseHeaders(d.Name())
	return slices.DeleteFunc(slices.Clone(p.methods[d.Name()]), func(m Method) bool {
		return slices.Contains(except, filepath.Base(m.File.Name))
	})
}

// Method returns the method of a type with a name, as Methods does.
func (d *Decl) Method(name string, except ...string) (Method, bool) {
	methods := d.Methods(except...)
	i := slices.IndexFunc(methods, func(m Method) bool { return m.Name == name })
	if i < 0 {
		return Method{}, false
	}
	return methods[i], true
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

// readUnparsed finds the methods in the generated files that were not worth parsing whole: the deep copies of a
// dependency, for one. These files are gofmt'ed, so each method begins a line.
func (p *Package) readUnparsed() {
	if p.headersRead {
		return
	}
	p.headersRead = true
	for _, file := range p.Unparsed {
		src, err := file.Read()
		if err != nil {
			continue // it was there when the package was loaded, so it is being replaced: its methods come or go
		}
		for line := range bytes.Lines(src) {
			if rest, method := bytes.CutPrefix(line, []byte("func (")); method {
				receiver, _, _ := bytes.Cut(rest, []byte(")"))
				receiver, _, _ = bytes.Cut(receiver, []byte("["))
				name := string(receiver[bytes.LastIndexAny(receiver, " *")+1:])
				p.headers[name] = append(p.headers[name], header{file, string(line)})
			}
		}
	}
}

// header is the first line of a method.
type header struct {
	file *load.File
	line string
}

// parseHeaders turns the headers of a type's methods into methods.
func (p *Package) parseHeaders(receiver string) {
	for _, h := range p.headers[receiver] {
		text := "package p;" + strings.TrimSpace(h.line)
		if strings.HasSuffix(text, "{") {
			text += "}"
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
		if err != nil || len(file.Decls) != 1 {
			continue
		}
		if d, ok := file.Decls[0].(*ast.FuncDecl); ok {
			if m, _, ok := newMethod(h.file, d); ok {
				m.Pos, m.Body = token.NoPos, nil // a position counts in another file set
				p.methods[receiver] = append(p.methods[receiver], m)
			}
		}
	}
	delete(p.headers, receiver)
}
