package controller

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// TestInherited compares the names that references cannot have with the methods of the library's controller.
func TestInherited(t *testing.T) {
	names, err := filepath.Glob("../../../../runtime/controller/*.go")
	require.NoError(t, err)
	exported := []string{"Controller"}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !f.Name.IsExported() {
				continue
			}
			if pointer, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
				if generic, ok := pointer.X.(*ast.IndexExpr); ok && generic.X.(*ast.Ident).Name == "Controller" {
					exported = append(exported, f.Name.Name)
				}
			}
		}
	}
	slices.Sort(exported)
	assert.Equal(t, exported, inherited)
}

func TestGoNames(t *testing.T) {
	secret, endpoints := model.Related{Name: "Secret", Plural: "Secrets"}, model.Related{Name: "Endpoints", Plural: "Endpoints"}
	for name, test := range map[string]struct {
		to   model.Related
		set  string
		many bool
		want [2]string
	}{
		"one":                 {secret, "", false, [2]string{"Secret", "Secret"}},
		"several":             {secret, "", true, [2]string{"Secrets", "Secret"}},
		"set":                 {secret, "TLSSecret", false, [2]string{"TLSSecret", "TLSSecret"}},
		"set for several":     {secret, "TLSSecrets", true, [2]string{"TLSSecrets", "TLSSecret"}},
		"set, ends otherwise": {secret, "Certificates", true, [2]string{"Certificates", "Certificates"}},
		"set plural for one":  {secret, "Secrets", false, [2]string{"Secrets", "Secrets"}},
		"same in the plural":  {endpoints, "", true, [2]string{"Endpoints", "Endpoints"}},
	} {
		got, singular := goNames(test.to, test.set, test.many)
		assert.Equal(t, test.want, [2]string{got, singular}, name)
	}
}

func TestDefaultHold(t *testing.T) {
	for name, want := range map[string]model.WatchMode{"Secret": model.Metadata, "ConfigMap": model.Metadata, "Service": model.Cached} {
		assert.Equal(t, want, defaultWatchMode(model.Related{Name: name}), name)
	}
	assert.Equal(t, model.Cached, defaultWatchMode(model.Related{Group: "example.com", Name: "Secret"}))
}
