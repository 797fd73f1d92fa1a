package render

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func renderText(t *testing.T, boilerplate, text string, view any) (File, error) {
	t.Helper()
	r, err := New(fstest.MapFS{"a/b.go.tmpl": {Data: []byte(text)}}, []byte(boilerplate))
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

func TestJobs(t *testing.T) {
	path := func(v string) string { return v + ".go" }
	jobs := Jobs([]Output[string]{
		{Template: "a", Path: path}, {Template: "b", Path: path, If: func(v string) bool { return v == "x" }},
		{Template: "c", Path: path, If: func(v string) bool { return v == "y" }},
	}, "x")
	assert.Equal(t, []Job{{Path: "x.go", Template: "a", View: "x"}, {Path: "x.go", Template: "b", View: "x"}}, jobs)
}

func TestDeclares(t *testing.T) {
	file := File{Content: []byte("package p\n\ntype T[X any] struct{}\n\nfunc F() {}\n\nfunc (T) M() {}\n\nvar V = 1\n\nvar (\n\t_ = 1\n)\n\nfunc init() {}\n")}
	assert.Equal(t, []string{"T", "F", "V"}, file.Declares())
}
