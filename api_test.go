package informergen_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPublicTypesArePlain fails if a signature or a field that users see names a type of an internal package.
func TestPublicTypesArePlain(t *testing.T) {
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	seen := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		hidden := map[string]bool{}
		for _, spec := range file.Imports {
			if importPath, _ := strconv.Unquote(spec.Path.Value); strings.Contains(importPath, "/internal/") {
				hidden[path.Base(importPath)] = true
			}
		}
		for what, node := range publicNodes(file) {
			seen++
			ast.Inspect(node, func(n ast.Node) bool {
				if selector, ok := n.(*ast.SelectorExpr); ok {
					if pkg, ok := selector.X.(*ast.Ident); ok {
						assert.False(t, hidden[pkg.Name], "%s: %s names %s.%s", name, what, pkg.Name, selector.Sel.Name)
					}
				}
				return true
			})
		}
	}
	assert.Greater(t, seen, 20)
}

// publicNodes returns the types in exported signatures and fields of a file, by what they belong to.
func publicNodes(file *ast.File) map[string]ast.Node {
	nodes := map[string]ast.Node{}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() {
				nodes[d.Name.Name] = d.Type
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				s, ok := spec.(*ast.TypeSpec)
				if !ok || !s.Name.IsExported() {
					continue
				}
				structType, ok := s.Type.(*ast.StructType)
				if !ok {
					nodes[s.Name.Name] = s.Type
					continue
				}
				for _, field := range structType.Fields.List {
					for _, name := range field.Names {
						if name.IsExported() {
							nodes[s.Name.Name+"."+name.Name] = field.Type
						}
					}
				}
			}
		}
	}
	return nodes
}
