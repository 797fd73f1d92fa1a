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

	"golang.org/x/tools/go/ast/astutil"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
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

// edited returns the text with all edits: with the imports that it needs, without imports that nothing uses any more, and formatted if
// the file was.
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

// fixImports adds and removes imports. The text after them stays unchanged.
func (p *planner) fixImports(f *file, text []byte) ([]byte, error) {
	syntax, err := parser.ParseFile(p.fset, f.name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	after := &file{name: f.name, text: text, fset: p.fset, syntax: syntax}
	p.check(f.name, []*file{after})
	used, stillUsed, changed := f.used(), after.used(), false
	isImport := func(decl ast.Decl) bool {
		d, ok := decl.(*ast.GenDecl)
		return ok && d.Tok == token.IMPORT
	}
	last := ast.Node(syntax.Name)
	for _, decl := range syntax.Decls {
		if isImport(decl) {
			last = decl
		}
	}
	_, end := after.lines(after.offset(last.Pos()), after.offset(last.End()))
	for _, spec := range slices.Clone(syntax.Imports) {
		if path, _ := strconv.Unquote(spec.Path.Value); used[path] && !stillUsed[path] {
			name := ""
			if spec.Name != nil {
				name = spec.Name.Name
			}
			changed = astutil.DeleteNamedImport(p.fset, syntax, name, path) || changed
		}
	}
	if f.runtime != "" && f.imported(runtimePath, "runtime") == "" {
		name := f.runtime
		if name == "runtime" {
			name = ""
		}
		changed = astutil.AddNamedImport(p.fset, syntax, name, runtimePath) || changed
	}
	if !changed {
		return text, nil
	}
	header := *syntax
	header.Decls = slices.DeleteFunc(header.Decls, func(decl ast.Decl) bool { return !isImport(decl) })
	header.Comments = slices.DeleteFunc(header.Comments, func(c *ast.CommentGroup) bool { return after.offset(c.Pos()) >= end })
	var edited bytes.Buffer
	if err := format.Node(&edited, p.fset, &header); err != nil {
		return nil, err
	}
	return append(edited.Bytes(), text[end:]...), nil
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
