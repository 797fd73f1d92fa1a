package cli

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
// Go. The corpus is every Go file of the cases; run it by itself, or let it mutate with make fuzz.
func FuzzGenerate(f *testing.F) {
	names, err := filepath.Glob(filepath.Join(casesDir, "*.txtar"))
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
	// Other packages are out of reach: looking for them would start the go command.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f.Fuzz(func(t *testing.T, src string) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "types.go", "// +groupName=fuzz.example.com\n"+src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return
		}
		loaded := &load.Result{Fset: fset, Packages: []*load.Package{{
			Path: "example.com/fuzz/v1", Name: file.Name.Name, Dir: "v1", Files: []*load.File{{Name: "types.go", File: file}},
		}}}
		result, diags := resolve.API(ctx, loaded, resolve.Options{})
		if len(diags) > 0 {
			return
		}
		layout := &model.Layout{Root: "example.com/out", Clientset: "clientset", Listers: "listers", Informers: "informers", ApplyConfigurations: "example.com/apply"}
		_, err = generators.Run(context.Background(), result.API, generators.Options{Layout: layout, Generators: generators.All})
		if collisions := (diag.List{}); err != nil && !errors.As(err, &collisions) {
			t.Fatal(err)
		}
	})
}
