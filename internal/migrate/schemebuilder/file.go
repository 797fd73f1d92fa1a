package schemebuilder

import (
	"bytes"
	"cmp"
	"errors"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// file is a parsed Go file.
type file struct {
	name   string
	text   []byte
	fset   *token.FileSet
	syntax *ast.File
	info   *types.Info
	edits  []edit
	// runtime is the name by which edits refer to package runtime of apimachinery; "" if none does.
	runtime string
}

// edit replaces a range of bytes.
type edit struct {
	from, to int
	text     string
}

// parse returns a file; nil if it cannot be parsed, which is reported, or read.
func (p *planner) parse(name string) *file {
	if f, ok := p.files[name]; ok {
		return f
	}
	text, err := regular.ReadFile(name)
	if err != nil {
		return nil
	}
	syntax, err := parser.ParseFile(p.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if list, ok := errors.AsType[scanner.ErrorList](err); ok {
		for _, e := range list {
			p.diags.Add(e.Pos, "%s", e.Msg)
		}
		return nil
	}
	f := &file{name: name, text: text, fset: p.fset, syntax: syntax}
	p.files[name] = f
	return f
}

// offset returns the offset of a position.
func (f *file) offset(pos token.Pos) int { return f.fset.Position(pos).Offset }

// source returns the text of a node.
func (f *file) source(n ast.Node) string { return string(f.text[f.offset(n.Pos()):f.offset(n.End())]) }

// lines returns the range of whole lines from one position to another, if only blanks and a comment are next to them on the lines.
func (f *file) lines(from, to int) (start, end int) {
	start = bytes.LastIndexByte(f.text[:from], '\n') + 1
	if len(bytes.TrimSpace(f.text[start:from])) > 0 {
		return from, to
	}
	end = len(f.text)
	if i := bytes.IndexByte(f.text[to:], '\n'); i >= 0 {
		end = to + i + 1
	}
	if rest := bytes.TrimSpace(f.text[to:end]); len(rest) > 0 && !bytes.HasPrefix(rest, []byte("//")) {
		return from, to
	}
	return start, end
}

// imported returns the name by which the file imports a package; "" if it does not.
func (f *file) imported(path, byDefault string) string {
	for _, spec := range f.syntax.Imports {
		if spec.Path.Value == strconv.Quote(path) {
			if spec.Name == nil {
				return byDefault
			}
			return spec.Name.Name
		}
	}
	return ""
}

// runtimeName returns the name by which edits of the file refer to package runtime of apimachinery.
func (f *file) runtimeName() string {
	if name := f.imported(runtimePath, "runtime"); name != "" {
		return name
	}
	if f.imported("runtime", "runtime") != "" {
		return "apiruntime"
	}
	return "runtime"
}

// edited returns the text with all edits: with the imports that it needs, without those that nothing uses any more, and formatted if the
// file was.
func (p *planner) edited(f *file) ([]byte, error) {
	formatted, err := format.Source(f.text)
	wasFormatted := err == nil && bytes.Equal(formatted, f.text)
	text, err := p.fixImports(f, apply(f.text, f.edits))
	if err != nil || !wasFormatted {
		return text, err
	}
	return format.Source(text)
}

// apply returns a text with edits, which do not overlap.
func apply(text []byte, edits []edit) (edited []byte) {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	last := 0
	for _, e := range slices.Compact(edits) {
		edited = append(append(edited, text[last:e.from]...), e.text...)
		last = e.to
	}
	return append(edited, text[last:]...)
}

// fixImports adds and removes lines of imports.
func (p *planner) fixImports(f *file, text []byte) ([]byte, error) {
	syntax, err := parser.ParseFile(p.fset, f.name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	after := &file{name: f.name, text: text, fset: p.fset, syntax: syntax}
	p.check(f.name, []*file{after})
	used, stillUsed := f.used(), after.used()
	isUnused := func(spec ast.Spec) bool {
		path, _ := strconv.Unquote(spec.(*ast.ImportSpec).Path.Value)
		return used[path] && !stillUsed[path]
	}
	var edits []edit
	for _, d := range after.imports() {
		var unused []edit
		for _, spec := range d.Specs {
			if isUnused(spec) {
				unused = append(unused, after.removed(spec, spec.(*ast.ImportSpec).Doc))
			}
		}
		if len(unused) == len(d.Specs) {
			unused = []edit{after.removed(d, d.Doc)}
		}
		edits = append(edits, unused...)
	}
	if f.runtime != "" && f.imported(runtimePath, "runtime") == "" {
		edits = append(edits, after.added(f.runtime, runtimePath, isUnused)...)
	}
	return apply(text, edits), nil
}

// used returns the import paths of the packages that the file refers to.
func (f *file) used() map[string]bool {
	paths := map[string]bool{}
	for id, object := range f.info.Uses {
		if pkg, ok := object.(*types.PkgName); ok && f.syntax.FileStart <= id.Pos() && id.Pos() < f.syntax.FileEnd {
			paths[pkg.Imported().Path()] = true
		}
	}
	return paths
}

// removed is the removal of a declaration with its documentation.
func (f *file) removed(n ast.Node, doc *ast.CommentGroup) edit {
	from := n.Pos()
	if doc != nil {
		from = doc.Pos()
	}
	start, end := f.lines(f.offset(from), f.offset(n.End()))
	return edit{from: start, to: end}
}

// imports returns the declarations of imports.
func (f *file) imports() (decls []*ast.GenDecl) {
	for _, decl := range f.syntax.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			decls = append(decls, d)
		}
	}
	return decls
}

// added is the addition of an import: above the import whose path has the most in common with it or, if no path has, at the end.
func (f *file) added(name, path string, isUnused func(ast.Spec) bool) []edit {
	spec := strconv.Quote(path)
	if name != "runtime" {
		spec = name + " " + spec
	}
	var last *ast.GenDecl
	above, most := 0, 0
	for _, d := range f.imports() {
		for _, s := range slices.DeleteFunc(slices.Clone(d.Specs), isUnused) {
			last = d
			if common := commonPrefix(strings.Trim(s.(*ast.ImportSpec).Path.Value, "`\""), path); common > most && d.Lparen.IsValid() {
				above, most = f.offset(s.Pos()), common
			}
		}
	}
	switch {
	case most > 0:
		return []edit{{above, above, spec + "\n\t"}}
	case last == nil:
		at := f.offset(f.syntax.Name.End())
		return []edit{{at, at, "\n\nimport " + spec}}
	case last.Lparen.IsValid():
		at := f.offset(last.Rparen)
		return []edit{{at, at, "\n\t" + spec + "\n"}}
	}
	from, to := f.offset(last.Specs[0].Pos()), f.offset(last.End())
	return []edit{{from, from, "(\n\t"}, {to, to, "\n\n\t" + spec + "\n)"}}
}

func commonPrefix(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// importsBelow reports whether a Go file imports a package of a module.
func importsBelow(text []byte, module string) bool {
	syntax, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	return err == nil && slices.ContainsFunc(syntax.Imports, func(spec *ast.ImportSpec) bool {
		path, _ := strconv.Unquote(spec.Path.Value)
		return path == module || strings.HasPrefix(path, module+"/")
	})
}
