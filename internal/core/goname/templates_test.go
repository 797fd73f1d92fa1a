package goname

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
		"{{.IfNamespaced \"namespace string\"}}":      "Ω\nnamespace string",
		`{{.F (printf "a *%s" .Type) "b = c"}}, d`:    "Ω, d\na *Ω\nb = c",
		"unclosed {{.Name":                            "unclosed Ω",
	} {
		assert.Equal(t, want, string(withoutActions(text)), text)
	}
}

// BenchmarkTemplates measures a scan of all files that import API packages.
func BenchmarkTemplates(b *testing.B) {
	for b.Loop() {
		scanned.Clear()
		Templates("*/*.go.tmpl")("robot")
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
