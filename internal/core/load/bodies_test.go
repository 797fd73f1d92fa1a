package load

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/printer"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWithoutBodies(t *testing.T) {
	const long = "\n\tx := 1\n\tif x > 0 {\n\t\tx++\n\t}\n\treturn x\n}\n"
	for name, test := range map[string]struct{ src, want string }{
		"long function": {
			"package p\n\nfunc f() int {" + long + "\ntype T int\n",
			"package p\n\nfunc f() int {\n\n\n\n\n\n}\n\ntype T int\n",
		},
		"method":            {"package p\n\nfunc (t T) f() int {" + long, "package p\n\nfunc (t T) f() int {\n\n\n\n\n\n}\n"},
		"short function":    {"package p\n\nfunc f() int {\n\t// Why.\n\treturn g(\n\t\t1,\n\t)\n}\n", ""},
		"one line":          {"package p\n\nfunc f() { a(); b() }\n", ""},
		"not gofmt'ed":      {"package p\n\nfunc f() {\n\ta()\n\tb()\n\t}\n\ntype T int\n\nfunc g() {\n}\n", ""},
		"spaces":            {"package p\n\nfunc f() {\n  a()\n  b()\n}\n", ""},
		"label":             {"package p\n\nfunc f() {\n\ta()\nLoop:\n\tb()\n}\n", ""},
		"marker":            {"package p\n\nfunc f() {\n\ta()\n\t// +marker\n\tb()\n}\n", ""},
		"raw string":        {"package p\n\nfunc f() {\n\ta := `\nx`\n\tb(a)\n}\n", ""},
		"type in signature": {"package p\n\nfunc f() interface {\n\tA()\n\tB()\n} {\n\treturn nil\n}\n", ""},
		"backquote":         {"package p\n\nvar a = `\nfunc f() {\n\ta(`\n\nvar (\n\tb int\n\tc = `)\n}\n`\n)\n", ""},
		"signature in rows": {"package p\n\nfunc f(\n\ta int,\n) {\n\ta()\n\tb()\n}\n", ""},
		"comment":           {"package p\n\n/*\nfunc f() {\n\ta()\n\tb()\n}\n*/\ntype T int\n", ""},
		"license":           {"/*\nLicense\n*/\n\npackage p\n\nfunc f() {\n\ta()\n\tb()\n}", "/*\nLicense\n*/\n\npackage p\n\nfunc f() {\n\n\n}"},
		"cut off in a line": {"package p\n\nfunc f() {\n\ta()\n\t", ""},
		"cut off":           {"package p\n\nfunc f() {\n\ta()\n\tb()\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			want := test.want
			if want == "" {
				want = test.src
			}
			assert.Equal(t, want, string(WithoutBodies(slices.Clip([]byte(test.src)))))
		})
	}
}

// TestDependenciesAreParsedLikeOtherFiles compares the declarations of the standard library; of every tenth file with -short.
func TestDependenciesAreParsedLikeOtherFiles(t *testing.T) {
	fileStep := 1
	if testing.Short() {
		fileStep = 10
	}
	found, compared := 0, 0
	src := filepath.Join(build.Default.GOROOT, "src")
	require.NoError(t, filepath.WalkDir(src, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "cmd"):
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		if found++; found%fileStep != 0 {
			return nil
		}
		compared++
		require.Equal(t, declarations(t, name, false), declarations(t, name, true), name)
		return nil
	}))
	assert.Greater(t, compared, 2000/fileStep)
}

// declarations prints a file, with the positions of its declarations, but without functions that do more than return a value and
// without strings that contain functions.
func declarations(t *testing.T, name string, inDependency bool) string {
	t.Helper()
	fset := token.NewFileSet()
	file := &File{Name: name}
	require.NoError(t, file.parse(fset, inDependency))
	if file.File == nil {
		return "" // skipped
	}
	var text bytes.Buffer
	for _, comment := range file.Comments {
		comment.List = nil
	}
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && len(fn.Body.List) == 1 {
			if _, returns := fn.Body.List[0].(*ast.ReturnStmt); !returns {
				fn.Body.List = nil
			}
		}
		ast.Inspect(decl, func(node ast.Node) bool {
			if literal, ok := node.(*ast.BasicLit); ok && strings.Contains(literal.Value, "\nfunc ") {
				literal.Value = ""
			}
			return true
		})
		at := fset.Position(decl.Pos())
		at.Offset = 0
		text.WriteString(at.String() + "\n")
		require.NoError(t, printer.Fprint(&text, token.NewFileSet(), decl))
	}
	return text.String()
}
