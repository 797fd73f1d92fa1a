package goname

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/emit"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

func TestIdentifiersIn(t *testing.T) {
	const text = `// Package {{.Package}} does not count: comment.
package {{.Package}}

import (
	"context"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
{{- range .Imports}}
	{{.Alias}} "{{.Path}}"
{{- end}}
)

type {{.Private}}Lister struct{ field string }

func new{{.Plural}}(first context.Context, opts metav1.{{.Verb}}Options) (result *http.Client, err error) {
	value := first.Value("quoted").(*{{.Type}})
	return helper(value{{if .Namespaced}}, namespace{{end}}), nil
}
`
	found := identifiersIn(text)
	assert.Equal(t, []string{
		"context", "err", "error", "field", "first", "helper", "http", "metav1", "namespace", "nil", "opts", "result", "string", "value",
	}, slices.Sorted(maps.Keys(found.names)))
	assert.Equal(t, []string{"context", "http", "metav1"}, found.imports)
}

func TestTemplates(t *testing.T) {
	inListers := Templates("listers/*")
	for name, want := range map[string]bool{"indexer": true, "labels": true, "robot": false, "ListAllByNamespace": false} {
		assert.Equal(t, want, inListers(name), name)
	}
	assert.Equal(t, []string{"metav1", "runtime", "schema"}, ImportedBy("register/register.go.tmpl"))
}

func TestWithoutActions(t *testing.T) {
	for text, want := range map[string]string{
		"new{{.Plural}}(c)":                           "newΩ(c)",
		"value{{if .A}}, b{{else if .B}}{{end}}":      "value , b  ",
		"{{- range $i, $v := .Items}}x{{- end -}}":    " x ",
		"{{- /* comment */ -}}x":                      " x",
		`{{$client := "client"}}{{$client = "kube"}}`: "  ",
		"{{$client}}.{{template \"a/b\" .}}":          "Ω. ",
		"{{.IfNamespaced \"namespace string\"}}":      "Ω",
		"unclosed {{.Name":                            "unclosed Ω",
	} {
		assert.Equal(t, want, string(withoutActions(text)), text)
	}
}

// TestDeclaredIn compares the package-level identifiers with what the parser finds.
func TestDeclaredIn(t *testing.T) {
	const text = `package fake

import "context"

// Doc mentions others.
type (
	first  struct{ field string }
	second[T any] interface {
		Method()
	}
)

var a, b = 1, 2

const (
	c    = iota
	d, e = "text", "text"
)

func (f first) method(local string) {
	var inner int
}

func generic[T any](param T) {}
`
	assert.Equal(t, parsed(t, text), declaredIn(text).names)
	names, err := fs.Glob(emit.FS, "*/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		text, err := fs.ReadFile(emit.FS, name)
		require.NoError(t, err)
		assert.Equal(t, parsed(t, string(text)), declaredIn(string(text)).names, name)
	}
}

// parsed returns the package-level identifiers of a Go file.
func parsed(t *testing.T, text string) map[string]bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	require.NoError(t, err)
	names := map[string]bool{}
	for name := range file.Scope.Objects {
		names[name] = true
	}
	return names
}

func TestEmitted(t *testing.T) {
	inFake := Templates("emit/fake/*")
	for name, want := range map[string]bool{"knownKinds": true, "addReactors": true, "tracker": false, "kindOf": false, "context": false} {
		assert.Equal(t, want, inFake(name), name)
	}
}

// BenchmarkTemplates measures a scan of all files that import API packages.
func BenchmarkTemplates(b *testing.B) {
	for b.Loop() {
		scanned.Clear()
		Templates("*/*.go.tmpl", "emit/fake/*")("robot")
	}
}

// TestEveryTemplateHasIdentifiers fails for templates that the scanner cannot read.
func TestEveryTemplateHasIdentifiers(t *testing.T) {
	names, err := fs.Glob(templates.FS, "*/*.go.tmpl")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		text, err := fs.ReadFile(templates.FS, name)
		require.NoError(t, err)
		if !strings.Contains(string(text), "\nimport (") {
			continue // a package clause, a comment, or empty interfaces
		}
		assert.NotEmpty(t, identifiersIn(string(text)).names, name)
	}
}
