package pipeline

import (
	"context"
	"errors"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
)

// FuzzGenerate throws API files at resolve and render. Whatever is in them, there is no panic, and what is rendered is
// Go. The corpus is every Go file of the cases; run it as a test, or let it mutate with make fuzz.
func FuzzGenerate(f *testing.F) {
	names, err := filepath.Glob("../../testdata/cases/*.txtar")
	require.NoError(f, err)
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		require.NoError(f, err)
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".go") && !strings.HasPrefix(file.Name, "want/") {
				f.Add(string(file.Data))
			}
		}
	}
	libraries, problems, err := load.Packages(f.Context(), load.Config{Dir: ".", Patterns: []string{
		"k8s.io/apimachinery/pkg/api/resource", "k8s.io/apimachinery/pkg/apis/meta/v1", "k8s.io/apimachinery/pkg/runtime",
		"k8s.io/apimachinery/pkg/runtime/schema", "k8s.io/apimachinery/pkg/types", "k8s.io/apimachinery/pkg/util/intstr",
	}})
	require.NoError(f, err)
	require.Empty(f, problems)
	// All other packages are out of reach: looking for them would start the go command.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f.Fuzz(func(t *testing.T, src string) {
		fset := token.NewFileSet()
		libraries.Fset.Iterate(func(file *token.File) bool {
			fset.AddExistingFiles(file)
			return true
		})
		file, err := parser.ParseFile(fset, "types.go", "// +groupName=fuzz.example.com\n"+src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return
		}
		fuzzed := &load.Package{
			Path: "example.com/fuzz/v1", Name: file.Name.Name, Dir: "v1", Files: []*load.File{{Name: "types.go", File: file}},
			Module: &load.Module{Path: "example.com/fuzz", Main: true},
		}
		loaded := &load.Result{Fset: fset, Packages: append([]*load.Package{fuzzed}, libraries.Packages...)}
		result, diags := resolve.API(ctx, loaded, resolve.Options{Apply: true, Register: true, DeepCopies: true})
		if len(diags) > 0 {
			return
		}
		layout := &model.Layout{
			Root: "example.com/out", Clientset: "clientset", Listers: "listers", Informers: "informers", Controllers: "controllers",
			ApplyConfigurationDir: "apply", ApplyConfigurations: "example.com/out/apply", SourceDirs: map[string]string{fuzzed.Path: "../v1"},
		}
		_, err = renderAll(context.Background(), result.API, renderOptions{layout: layout, generators: generators.All})
		if collisions := (diag.List{}); err != nil && !errors.As(err, &collisions) {
			t.Fatal(err)
		}
	})
}
