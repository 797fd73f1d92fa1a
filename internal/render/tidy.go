package render

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
)

// tidy formats a Go file and drops the imports that it does not use, and those that it has twice. It also returns the
// names that the file declares in its package.
func tidy(src []byte) (content []byte, declares []string, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	used := qualifiers(file)
	for _, spec := range append([]*ast.ImportSpec{}, file.Imports...) {
		name, importPath := importName(spec)
		if !used[name] {
			alias := ""
			if spec.Name != nil {
				alias = spec.Name.Name
			}
			astutil.DeleteNamedImport(fset, file, alias, importPath)
		}
	}
	ast.SortImports(fset, file)
	var b bytes.Buffer
	if err := format.Node(&b, fset, file); err != nil {
		return nil, nil, err
	}
	return b.Bytes(), declared(file), nil
}

func declared(file *ast.File) []string {
	var names []string
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						if name.Name != "_" {
							names = append(names, name.Name)
						}
					}
				}
			}
		}
	}
	return names
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
