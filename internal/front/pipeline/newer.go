package pipeline

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output/losses"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
)

// newerRelease warns about a release of client-go that nobody has compared with yet.
func newerRelease(a *run.API) (diags diag.List) {
	if a.ClientGo.TooNew {
		diags.Warn(a.ClientGo.Pos, "upgrade informer-gen-lite, or set --client-go "+model.NewestTarget.String(),
			"client-go %s is newer than %s, the newest known release, for which this is generated", a.ClientGo.Version, model.NewestTarget)
	}
	return diags
}

// missingSymbols reports what the files use and a newer release of client-go or apimachinery does not have any more. Modules that are not
// downloaded are not checked.
func missingSymbols(a *run.API, files []render.File) (diags diag.List) {
	if !a.ClientGo.TooNew {
		return nil
	}
	declared := map[string]map[string]token.Position{} // by import path; nil for packages without sources
	for _, file := range files {
		syntax, _ := parser.ParseFile(token.NewFileSet(), "", file.Content, parser.SkipObjectResolution) // manifests are no Go
		if syntax == nil || !strings.HasSuffix(file.Path, ".go") {
			continue
		}
		for _, symbol := range slices.Sorted(maps.Keys(symbolsOf(syntax))) {
			importPath, name, _ := strings.Cut(symbol, "#")
			names, known := declared[importPath]
			if !known {
				names = declaredIn(module.Source(a.Place.Root(), importPath))
				declared[importPath] = names
			}
			if _, has := names[name]; !has && names != nil {
				names[name] = token.Position{} // once
				diags.AddHint(a.ClientGo.Pos, "use an earlier release, or upgrade informer-gen-lite",
					"%s lacks %s of package %s, which the output for %s uses", a.ClientGo.Because, name, importPath, model.NewestTarget)
			}
		}
	}
	return diags
}

// symbolsOf returns the names of Kubernetes' modules that a file uses, as import path and name with a # between them.
func symbolsOf(file *ast.File) map[string]bool {
	imports, symbols := map[string]string{}, map[string]bool{}
	for _, spec := range file.Imports {
		importPath, _ := strconv.Unquote(spec.Path.Value)
		for _, prefix := range []string{"k8s.io/client-go/", "k8s.io/apimachinery/", "sigs.k8s.io/structured-merge-diff/"} {
			if strings.HasPrefix(importPath, prefix) {
				name := filepath.Base(importPath)
				if spec.Name != nil {
					name = spec.Name.Name
				}
				imports[name] = importPath
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := selector.X.(*ast.Ident); ok && imports[pkg.Name] != "" {
				symbols[imports[pkg.Name]+"#"+selector.Sel.Name] = true
			}
		}
		return true
	})
	return symbols
}

// declaredIn returns the names that the package in a directory declares on any operating system, or nil without a package.
func declaredIn(dir string) map[string]token.Position {
	sources, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	if dir == "" || len(sources) == 0 {
		return nil
	}
	names := map[string]token.Position{}
	for _, source := range sources {
		if !strings.HasSuffix(source, "_test.go") {
			file, _ := parser.ParseFile(token.NewFileSet(), source, nil, parser.SkipObjectResolution)
			maps.Copy(names, losses.Declared(nil, file))
		}
	}
	return names
}
