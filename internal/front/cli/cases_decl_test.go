package cli

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// declaration returns the text of a top-level declaration of a Go file, with its comment. Methods are named Type.Method.
func declaration(t *testing.T, file, name string) string {
	t.Helper()
	src, err := os.ReadFile(file)
	require.NoError(t, err)
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, src, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	var found bytes.Buffer
	for _, decl := range parsed.Decls {
		start, declared := declares(decl)
		if declared[name] {
			fmt.Fprintf(&found, "%s\n", src[fset.Position(start).Offset:fset.Position(decl.End()).Offset])
		}
	}
	require.NotEmpty(t, found.String(), "%s does not declare %s", file, name)
	return found.String()
}

// declares returns the position where a declaration begins, including its comment, and the names that it declares.
func declares(decl ast.Decl) (start token.Pos, names map[string]bool) {
	start, names = decl.Pos(), map[string]bool{}
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		names[receiver(decl)+decl.Name.Name] = true
		if decl.Doc != nil {
			start = decl.Doc.Pos()
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names[spec.Name.Name] = true
			case *ast.ValueSpec:
				names[spec.Names[0].Name] = true
			}
		}
		if decl.Doc != nil {
			start = decl.Doc.Pos()
		}
	}
	return start, names
}

func receiver(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return ""
	}
	receiverType := decl.Recv.List[0].Type
	if star, ok := receiverType.(*ast.StarExpr); ok {
		receiverType = star.X
	}
	if ident, ok := receiverType.(*ast.Ident); ok {
		return ident.Name + "."
	}
	return ""
}
