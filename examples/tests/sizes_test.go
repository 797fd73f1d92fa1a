package tests

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// codeLines returns the lines of a file that have code, besides comments.
func codeLines(t *testing.T, path string) map[int]bool {
	t.Helper()
	source, err := os.ReadFile(filepath.FromSlash(path))
	require.NoError(t, err)
	files, lines := token.NewFileSet(), map[int]bool{}
	file := files.AddFile(path, -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	for {
		position, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return lines
		case kind == token.SEMICOLON && text == "\n": // inserted: the line has been counted
		default:
			lines[file.Line(position)] = true
		}
	}
}

// TestGlueIsThin limits the code that is generated around the library: what does not know types belongs in the library.
func TestGlueIsThin(t *testing.T) {
	server := strictfake.NewServer()
	fake.NewStrictClientsetFor(server)
	stored, watched, groups := len(server.Kinds()), len(resources), 2
	require.Greater(t, stored, watched)
	for path, limit := range map[string]int{
		"../generated/controllers/fleet/v1/region.go":                        70,
		"../generated/controllers/fleet/v1/workload.go":                      70 + 3*10 + 3*20, // three owned kinds and three references
		"../generated/clientset/versioned/fake/strict_generated.go":          40 + 3*stored,
		"../generated/informers/externalversions/runtime.go":                 120 + 6*watched + 5*groups,
		"../kubebuilder/pkg/generated/informers/externalversions/runtime.go": 120 + 6 + 5,
		"../pods/main.go": 60,
	} {
		lines := len(codeLines(t, path))
		assert.LessOrEqual(t, lines, limit, path)
		t.Logf("%s: %d lines of code, at most %d", path, lines, limit)
	}
}

// TestLookupsAreThin limits the code of look-ups, which have the library's package lister in common.
func TestLookupsAreThin(t *testing.T) {
	const path = "../kubebuilder/pkg/generated/listers/api/v1/guestbook.go"
	code, files := codeLines(t, path), token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	indexes, lines := 0, 0
	for _, declaration := range file.Decls {
		uses := false
		ast.Inspect(declaration, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if name, ok := selector.X.(*ast.Ident); ok && name.Name == "lister" {
				uses = true
				if selector.Sel.Name == "NewIndex" {
					indexes++
				}
			}
			return true
		})
		if !uses {
			continue
		}
		for line := files.Position(declaration.Pos()).Line; line <= files.Position(declaration.End()).Line; line++ {
			if code[line] {
				lines++
			}
		}
	}
	assert.Equal(t, 4, indexes)
	assert.LessOrEqual(t, lines, 8*indexes)
	t.Logf("%d lines of code for %d look-ups", lines, indexes)
}
