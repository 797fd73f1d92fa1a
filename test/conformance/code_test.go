package conformance

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// changed are numbers of lines of code that we remove from upstream's, and add to it.
type changed struct{ removed, added int }

// measured is what a comparison of code has found.
type measured struct {
	files, equal, lines int
	changed
}

func (m *measured) add(other measured) {
	m.files, m.equal, m.lines = m.files+other.files, m.equal+other.equal, m.lines+other.lines
	m.removed, m.added = m.removed+other.removed, m.added+other.added
}

func (m *measured) String() string {
	return fmt.Sprintf("%d of %d files equal, -%d +%d of %d lines", m.equal, m.files, m.removed, m.added, m.lines)
}

// identity begins the line of an informer with the resource of its metrics. Up to v0.37, code-generator appends an s to any kind: ingresss.
const identity = " gvr := "

// compareCode compares the code of generated files, and returns the differences of files that differ in more than an identity.
func (r release) compareCode(t *testing.T, theirs, ours map[string]string) (measured, map[string]changed) {
	t.Helper()
	assert.Equal(t, slices.Sorted(maps.Keys(theirs)), slices.Sorted(maps.Keys(ours)), "files")
	all, different := measured{}, map[string]changed{}
	for name, content := range theirs {
		was, is := codeOf(t, name, content), codeOf(t, name, ours[name])
		one := measured{files: 1, lines: len(was), changed: difference(was, is)}
		isIdentity := func(line string) bool {
			return strings.HasPrefix(line, identity) && r.name < model.NewestTarget.String()
		}
		switch {
		case one.changed == changed{}:
			one.equal = 1
		case difference(slices.DeleteFunc(was, isIdentity), slices.DeleteFunc(is, isIdentity)) != changed{}:
			different[name] = one.changed
		}
		all.add(one)
	}
	return all, different
}

// generatedIn returns the generated Go files below some folders of a directory.
func generatedIn(t *testing.T, dir string, folders ...string) map[string]string {
	t.Helper()
	files, err := scratch.GoFiles(dir, folders...)
	require.NoError(t, err)
	maps.DeleteFunc(files, func(_, content string) bool { return !generatedFile.MatchString(content) })
	return files
}

// codeOf returns the lines of code of a Go file without comments and blank lines, with the tokens separated by spaces. An imported package
// has its path instead of a name. No text is a file without code.
func codeOf(t *testing.T, name, content string) []string {
	t.Helper()
	if content == "" {
		return nil
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, name, content, 0)
	require.NoError(t, err)
	paths := pathsOf(t, fset, parsed)
	var lines []string
	last := 0
	file := token.NewFileSet().AddFile("", 1, len(content))
	var s scanner.Scanner
	s.Init(file, []byte(content), nil, 0)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			sortImports(lines)
			return lines
		}
		if literal == "" {
			literal = tok.String()
		}
		imported, named := paths[file.Offset(pos)]
		if tok == token.SEMICOLON && literal == "\n" || named && imported == "" {
			continue
		}
		if named {
			literal = imported
		}
		if line := file.Line(pos); line != last {
			lines, last = append(lines, ""), line
		}
		lines[len(lines)-1] += " " + literal
	}
}

// sortImports sorts the imports, whose order follows from their names.
func sortImports(lines []string) {
	if begin := slices.Index(lines, " import ("); begin >= 0 {
		slices.Sort(lines[begin+1 : begin+slices.Index(lines[begin:], " )")])
	}
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// pathsOf returns what replaces identifiers, by their offsets: the path of a package that is meant, or nothing for its name in an import.
func pathsOf(t *testing.T, fset *token.FileSet, file *ast.File) map[int]string {
	t.Helper()
	paths, byName := map[int]string{}, map[string]string{}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		name := path.Base(imported)
		if majorVersion.MatchString(name) {
			name = path.Base(path.Dir(imported))
		}
		if spec.Name != nil {
			name = spec.Name.Name
			paths[fset.Position(spec.Name.Pos()).Offset] = ""
		}
		byName[name] = imported
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			// Objects of one file are all that tells a package from a variable here.
			if ident, ok := selector.X.(*ast.Ident); ok && ident.Obj == nil && byName[ident.Name] != "" {
				paths[fset.Position(ident.Pos()).Offset] = byName[ident.Name]
			}
		}
		return true
	})
	return paths
}

// difference returns how many lines are only in a, and only in b.
func difference(a, b []string) changed {
	common := make([]int, len(b)+1) // of what is before a line of a, and each prefix of b
	for _, line := range a {
		diagonal := 0
		for i := range b {
			above := common[i+1]
			if line == b[i] {
				common[i+1] = diagonal + 1
			} else {
				common[i+1] = max(above, common[i])
			}
			diagonal = above
		}
	}
	return changed{len(a) - common[len(b)], len(b) - common[len(b)]}
}

func TestCodeOf(t *testing.T) {
	const one = "// A comment.\npackage a\n\nimport b \"example.com/b/v1\"\n\nvar x = b.Y // another\n"
	const other = "package a\nimport (\n\tv1 \"example.com/b/v1\"\n)\nvar  x = v1.Y\n"
	assert.Equal(t, []string{" package a", ` import "example.com/b/v1"`, " var x = example.com/b/v1 . Y"}, codeOf(t, "a.go", one))
	assert.Equal(t, changed{1, 3}, difference(codeOf(t, "a.go", one), codeOf(t, "b.go", other)), "the form of the import")
	local := strings.Replace(one, "var x = b.Y", "func f(b struct{ Y int }) int { return b.Y }", 1)
	assert.Contains(t, codeOf(t, "a.go", local), " func f ( b struct { Y int } ) int { return b . Y }", "a variable of the same name")
	assert.Empty(t, codeOf(t, filepath.Join("a", "b.go"), ""))
}
