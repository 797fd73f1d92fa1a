package render

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
)

// gofmt prints like the command of that name. go/format would too, but prints, parses and prints again every file that
// has a block of imports, in case these are not sorted; ours are sorted here.
var gofmt = printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}

// tidy formats a Go file and drops the imports that it does not use, and those that it has twice. Functions that are
// formatted already are left as they are: printing them is what takes longest.
func tidy(src []byte, funcsFormatted bool) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	used := qualifiers(file)
	for _, spec := range append([]*ast.ImportSpec{}, file.Imports...) {
		name, importPath := importName(spec)
		if !used[name] && name != "_" {
			alias := ""
			if spec.Name != nil {
				alias = spec.Name.Name
			}
			astutil.DeleteNamedImport(fset, file, alias, importPath)
		}
	}
	ast.SortImports(fset, file)
	var b bytes.Buffer
	b.Grow(len(src) + len(src)/8)
	if funcsFormatted {
		err = printDecls(&b, fset, file, src)
	} else {
		err = gofmt.Fprint(&b, fset, file)
	}
	return b.Bytes(), err
}

// printDecls prints a file whose comments all belong to the package clause and the declarations.
func printDecls(b *bytes.Buffer, fset *token.FileSet, file *ast.File, src []byte) error {
	offset := func(pos token.Pos) int { return fset.Position(pos).Offset }
	b.Write(src[:offset(file.Name.End())])
	b.WriteByte('\n')
	for _, decl := range file.Decls {
		b.WriteByte('\n')
		if f, ok := decl.(*ast.FuncDecl); ok {
			start := f.Pos()
			if f.Doc != nil {
				start = f.Doc.Pos()
			}
			b.Write(src[offset(start):offset(f.End())])
		} else if err := gofmt.Fprint(b, fset, &printer.CommentedNode{Node: decl, Comments: file.Comments}); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	return nil
}

// qualifiers returns the identifiers that stand before a dot, which is where the names of packages stand.
func qualifiers(file *ast.File) map[string]bool {
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if ident, ok := selector.X.(*ast.Ident); ok {
				used[ident.Name] = true
			}
		}
		return true
	})
	return used
}

// importName returns the name and path of an import. Templates import under an explicit name unless the name is the
// last element of the path.
func importName(spec *ast.ImportSpec) (name, importPath string) {
	importPath, _ = strconv.Unquote(spec.Path.Value)
	if spec.Name != nil {
		return spec.Name.Name, importPath
	}
	return path.Base(importPath), importPath
}
