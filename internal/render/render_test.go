package render

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func renderText(t *testing.T, boilerplate, text string, view any) (File, error) {
	t.Helper()
	r, err := New(fstest.MapFS{"a/b.go.tmpl": {Data: []byte(text)}}, fstest.MapFS{}, []byte(boilerplate))
	require.NoError(t, err)
	return r.Render(Job{Path: "x/y.go", Template: "a/b.go.tmpl", View: view})
}

func TestImportsAreTidied(t *testing.T) {
	file, err := renderText(t, "", `package p
import (
	"fmt"
	"errors"

	zzz "example.com/b"
	unused "example.com/unused"
	_ "example.com/effect"
	"example.com/a"
	zzz "example.com/b"
)
func f( ) { a.A(zzz.B, errors.New) }
`, nil)
	require.NoError(t, err)
	assert.Equal(t, GeneratedBy+`

package p

import (
	"errors"

	"example.com/a"
	zzz "example.com/b"
	_ "example.com/effect"
)

func f() { a.A(zzz.B, errors.New) }
`, string(file.Content))
	assert.Equal(t, "x/y.go", file.Path)
}

func TestEmptyImportBlockIsRemoved(t *testing.T) {
	file, err := renderText(t, "", "package p\n\nimport (\n\t\"fmt\"\n)\n\ntype T int\n", nil)
	require.NoError(t, err)
	assert.Equal(t, GeneratedBy+"\n\npackage p\n\ntype T int\n", string(file.Content))
}

func TestHeader(t *testing.T) {
	for name, test := range map[string]struct{ boilerplate, want string }{
		"none":    {"", ""},
		"block":   {"/*\nCopyright The Authors.\n*/\n\n", "/*\nCopyright The Authors.\n*/\n\n"},
		"year":    {"// Copyright YEAR The Authors.", "// Copyright The Authors.\n\n"},
		"spaces":  {"\ufeff// Copyright  \n//\t\n// The Authors.", "// Copyright\n//\n// The Authors.\n\n"},
		"windows": {"/*\r\nCopyright The Authors.\r\n*/\r\n", "/*\nCopyright The Authors.\n*/\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := renderText(t, test.boilerplate, "package p\n", nil)
			require.NoError(t, err)
			assert.Equal(t, test.want+GeneratedBy+"\n\npackage p\n", string(file.Content))
		})
	}
}

func TestInvalidOutputIsShownWithLineNumbers(t *testing.T) {
	_, err := renderText(t, "", "package p\n\nfunc {{.}}() {\n", "F")
	require.Error(t, err)
	assert.Contains(t, err.Error(), "internal error: template a/b.go.tmpl generated invalid Go for y.go")
	assert.Contains(t, err.Error(), "    5\tfunc F() {")
}

func TestMisspelledNameInTemplate(t *testing.T) {
	_, err := renderText(t, "", "package {{.NameX}}\n", struct{ Name string }{"p"})
	assert.ErrorContains(t, err, "NameX")
}

// target is what the tests emit for.
type target struct{ name string }

func (t target) Package() string { return t.name }

func (target) ImportPaths() map[string]string {
	return map[string]string{"example.com/examples/clients": "example.com/z", "example.com/examples/informers": "example.com/a"}
}

func (target) Has(capability string) (bool, error) {
	switch capability {
	case "Wheels":
		return true, nil
	case "Wings":
		return false, nil
	}
	return false, errors.New("there is no capability " + capability)
}

func TestEmit(t *testing.T) {
	for name, test := range map[string]struct{ src, want string }{
		"documented": {
			"// Package loops holds loops.\n// Package loops runs.\npackage loops\n\n// T is.\ntype T int\n",
			"// Package mine holds loops.\n// Package loops runs.\npackage mine\n\n// T is.\ntype T int\n",
		},
		"imports": {
			"package loops\n\nimport (\n\t\"fmt\"\n\n\tclients \"example.com/examples/clients\" // first\n\tinformers \"example.com/examples/informers\"\n)\n\n// f is.\nfunc f() { fmt.Print(clients.X, informers.X,  1) }\n",
			"package mine\n\nimport (\n\t\"fmt\"\n\n\tinformers \"example.com/a\"\n\tclients \"example.com/z\" // first\n)\n\n// f is.\nfunc f() { fmt.Print(clients.X, informers.X,  1) }\n",
		},
		"one import": {
			"package loops\n\nimport \"example.com/examples/clients\"\n\n// V is.\nvar V = clients.X\n",
			"package mine\n\nimport \"example.com/z\"\n\n// V is.\nvar V = clients.X\n",
		},
		"capabilities": {
			"package loops\n\nimport (\n\t\"fmt\"\n\t\"io\" //emit:if Wings\n)\n\nvar V = []any{\n\tfmt.Print, //emit:if Wheels\n\tio.EOF,    //emit:if Wings\n}\n",
			"package mine\n\nimport (\n\t\"fmt\"\n)\n\nvar V = []any{\n\tfmt.Print,\n}\n",
		},
		"other import": {
			"package loops\n\nimport \"example.com/examples/clients/fake\"\n\nvar V = fake.X\n",
			"package mine\n\nimport \"example.com/examples/clients/fake\"\n\nvar V = fake.X\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := New(fstest.MapFS{}, fstest.MapFS{"loops/x.go": {Data: []byte(test.src)}}, []byte("\ufeff// Copyright"))
			require.NoError(t, err)
			file, err := r.Render(Job{Path: "pkg/y.go", Emit: "loops/x.go", View: target{"mine"}})
			require.NoError(t, err)
			assert.Equal(t, "pkg/y.go", file.Path)
			assert.Equal(t, "// Copyright\n\n"+GeneratedBy+"\n\n"+test.want, string(file.Content))
		})
	}
}

func TestEmitErrors(t *testing.T) {
	r, err := New(fstest.MapFS{}, fstest.MapFS{"loops/x.go": {Data: []byte("package loops\n")}, "loops/y.go": {Data: []byte("func\n")}, "loops/w.go": {Data: []byte("package loops //emit:if Warp\n")}}, nil)
	require.NoError(t, err)
	for want, job := range map[string]Job{
		"loops/z.go: file does not exist":         {Emit: "loops/z.go", View: target{"p"}},
		"int is not the target of an emitted":     {Emit: "loops/x.go", View: 1},
		"loops/w.go: there is no capability Warp": {Emit: "loops/w.go", View: target{"p"}},
		"expected 'package', found 'func'":        {Emit: "loops/y.go", View: target{"p"}},
		"internal error: pkg/y.go: open loops/z":  {Path: "pkg/y.go", Emit: "loops/z.go", View: target{"p"}},
	} {
		_, err := r.Render(job)
		assert.ErrorContains(t, err, want)
	}
}

func TestJobs(t *testing.T) {
	path := func(v string) string { return v + ".go" }
	jobs := Jobs([]Output[string]{
		{Template: "a", Path: path}, {Emit: "b", Path: path, If: func(v string) bool { return v == "x" }},
		{Emit: "c", Path: path, If: func(v string) bool { return v == "y" }},
	}, "x")
	assert.Equal(t, []Job{{Path: "x.go", Template: "a", View: "x"}, {Path: "x.go", Emit: "b", View: "x"}}, jobs)
	assert.Empty(t, Generator{PackageFile: "zz.go"}.Dir(nil))
}

func TestDeclares(t *testing.T) {
	file := File{Content: []byte("package p\n\ntype T[X any] struct{}\n\nfunc F() {}\n\nfunc (T) M() {}\n\nvar V = 1\n\nvar (\n\t_ = 1\n)\n\nfunc init() {}\n")}
	assert.Equal(t, []string{"T", "F", "V"}, file.Declares())
}
