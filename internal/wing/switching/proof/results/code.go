package results

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strconv"
)

// source is a parsed Go file.
type source struct {
	text []byte
	fset *token.FileSet
	file *ast.File
	// paths are the import paths by the names that the file has for the packages.
	paths map[string]string
}

// parse parses a Go file with a name for errors.
func parse(name string, text []byte) (*source, error) {
	s := &source{text: text, fset: token.NewFileSet(), paths: map[string]string{}}
	var err error
	if s.file, err = parser.ParseFile(s.fset, name, text, 0); err != nil {
		return nil, err
	}
	for _, spec := range s.file.Imports {
		name := path.Base(unquote(spec.Path)) // probably; otherwise, no code refers to the name
		if spec.Name != nil {
			name = spec.Name.Name
		}
		s.paths[name] = unquote(spec.Path)
	}
	return s, nil
}

func unquote(literal *ast.BasicLit) string {
	text, _ := strconv.Unquote(literal.Value) // which the parser has checked
	return text
}

// imported returns the path of the package that an expression names, or "".
func (s *source) imported(x ast.Expr) string {
	// Objects of the file are all that tells a package from a variable here.
	if name, ok := x.(*ast.Ident); ok && name.Obj == nil {
		return s.paths[name.Name]
	}
	return ""
}

// sameCode reports whether two files have the same code: the same tokens, if packages have their import paths for names. Comments and
// unused imports do not count.
func sameCode(a, b *source) bool { return slices.Equal(a.code(), b.code()) }

// code returns the tokens of a file.
func (s *source) code() []string {
	tokens := s.sideEffects()
	offset := func(pos token.Pos) int { return s.fset.Position(pos).Offset }
	packages, ends := map[int]string{}, 0
	ast.Inspect(s.file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.SelectorExpr:
			if imported := s.imported(n.X); imported != "" {
				packages[offset(n.X.Pos())] = strconv.Quote(imported)
			}
		case *ast.GenDecl:
			if n.Tok == token.IMPORT {
				ends = max(ends, offset(n.End()))
			}
		}
		return true
	})
	var scan scanner.Scanner
	file := token.NewFileSet().AddFile("", 1, len(s.text))
	scan.Init(file, s.text, nil, 0)
	inImports := false
	for {
		pos, tok, literal := scan.Scan()
		at := file.Offset(pos)
		inImports = tok == token.IMPORT || inImports && at < ends
		switch {
		case tok == token.EOF:
			return tokens
		case inImports:
		case tok == token.SEMICOLON: // written, or the end of a line
			tokens = append(tokens, ";")
		default:
			tokens = append(tokens, cmp.Or(packages[at], literal, tok.String()))
		}
	}
}

// sideEffects returns the imports that have an effect without being named.
func (s *source) sideEffects() (imports []string) {
	for _, spec := range s.file.Imports {
		if spec.Name != nil && (spec.Name.Name == "_" || spec.Name.Name == ".") {
			imports = append(imports, spec.Name.Name+" "+unquote(spec.Path))
		}
	}
	slices.Sort(imports)
	return imports
}
