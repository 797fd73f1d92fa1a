package render

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
)

// gofmt prints like the command of that name. So does go/format, but it prints, parses and prints again each file with a block of imports,
// in case these are not sorted. Here, they are.
var gofmt = printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}

// tidy formats a Go file and drops unused and duplicate imports. The text from start on comes from the template. Functions, and other
// declarations without alignment, are neither printed nor parsed if they are already formatted, because that takes longest.
func tidy(src []byte, start int, formatted bool) ([]byte, error) {
	used := map[string]bool{}
	rest, cuts := src, []cut(nil)
	if formatted {
		rest, cuts = cutFormatted(src, start, used)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", rest, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil && cuts != nil {
		return tidy(src, start, false) // for positions in the whole file
	}
	if err != nil {
		return nil, err
	}
	imports := endOfImports(file)
	for n := range ast.Preorder(file) { // identifiers before dots include the names of packages
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if ident, ok := selector.X.(*ast.Ident); ok {
				used[ident.Name] = true
			}
		}
	}
	for _, spec := range slices.Clone(file.Imports) {
		importPath, _ := strconv.Unquote(spec.Path.Value)
		name, alias := path.Base(importPath), "" // templates name the other imports
		if spec.Name != nil {
			name, alias = spec.Name.Name, spec.Name.Name
		}
		if !used[name] && name != "_" {
			astutil.DeleteNamedImport(fset, file, alias, importPath)
		}
	}
	ast.SortImports(fset, file)
	var b bytes.Buffer
	b.Grow(len(src) + len(src)/8)
	if formatted {
		err = printDecls(&b, fset, file, rest, cuts, imports)
	} else {
		err = gofmt.Fprint(&b, fset, file)
	}
	return b.Bytes(), err
}

// printDecls prints a file with the cuts and the comments between declarations. The imports end at the given position.
func printDecls(b *bytes.Buffer, fset *token.FileSet, file *ast.File, src []byte, cuts []cut, imports token.Pos) error {
	paragraph := func(text []byte) {
		if len(text) > 0 {
			b.WriteByte('\n')
			b.Write(text)
			b.WriteByte('\n')
		}
	}
	// between prints the cuts and comments between two declarations.
	between := func(start, end int) {
		for len(cuts) > 0 && cuts[0].at <= end {
			paragraph(bytes.TrimSpace(src[start:cuts[0].at]))
			paragraph(cuts[0].text)
			start, cuts = cuts[0].at, cuts[1:]
		}
		paragraph(bytes.TrimSpace(src[start:end]))
	}
	if err := printHead(b, fset, file); err != nil {
		return err
	}
	tokens := fset.File(file.Package)
	last := tokens.Offset(imports)
	for _, decl := range file.Decls {
		start, end := tokens.Offset(startOf(decl)), tokens.Offset(decl.End())
		if decl.Pos() > imports {
			between(last, start)
			last = end
		}
		b.WriteByte('\n')
		if err := gofmt.Fprint(b, fset, &printer.CommentedNode{Node: decl, Comments: file.Comments}); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	between(last, len(src))
	return nil
}

// printHead prints a file up to its package clause. Build constraints may have to move.
func printHead(b *bytes.Buffer, fset *token.FileSet, file *ast.File) error {
	head := ast.File{Doc: file.Doc, Package: file.Package, Name: file.Name}
	for _, comment := range file.Comments {
		if comment.Pos() < file.Package {
			head.Comments = append(head.Comments, comment)
		}
	}
	var printed bytes.Buffer
	err := gofmt.Fprint(&printed, fset, &head)
	b.Write(bytes.TrimRight(printed.Bytes(), "\n"))
	b.WriteByte('\n')
	return err
}

// endOfImports returns the end of the last import or, without imports, of the package clause.
func endOfImports(file *ast.File) token.Pos {
	end := file.Name.End()
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			end = d.End()
		}
	}
	return end
}

// startOf returns the start of a declaration or of its comment.
func startOf(decl ast.Decl) token.Pos {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Doc != nil {
			return d.Doc.Pos()
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			return d.Doc.Pos()
		}
	}
	return decl.Pos()
}
