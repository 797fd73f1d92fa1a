package pipeline

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
)

// libraries are the modules that generated files import and that have no kinds.
var libraries = []string{"k8s.io/apimachinery", "k8s.io/client-go"}

// mayRemove reports files that the plan must not remove without --prune.
func (r *Run) mayRemove(ctx context.Context) error {
	if r.API.Options.Prune {
		return nil
	}
	diags, err := r.API.unnamed(ctx, r.Plan)
	if err != nil {
		return err
	}
	return diags.Err()
}

// unnamed reports kinds whose files the plan removes although nobody has deleted them: their packages still exist, and a run that
// named them would generate these files. It does not report kinds and packages that are gone or have lost their markers.
func (a *API) unnamed(ctx context.Context, plan *output.Plan) (diag.List, error) {
	packages, err := a.importedBy(ctx, plan)
	if err != nil || len(packages) == 0 {
		return nil, err
	}
	lost := map[string][]string{}
	var diags diag.List
	// Folders may depend on the packages of a run. The files come from a run with only these packages, or with those of this run
	// too.
	for _, others := range [][]*load.Package{nil, a.Loaded.Packages} {
		loaded := *a.Loaded
		loaded.Packages = slices.Concat(packages, others)
		slices.SortFunc(loaded.Packages, func(a, b *load.Package) int { return strings.Compare(a.Path, b.Path) })
		resolved, _ := resolve.API(ctx, &loaded, a.Options.Resolve) // the names of kinds are known despite mistakes
		files := generators.FilesOf(resolved.API, &a.Layout, a.Options.Generators)
		for _, kind := range resolved.API.Kinds() {
			from := kind.Version.Source.Path
			named := slices.ContainsFunc(a.Loaded.Packages, func(p *load.Package) bool { return p.Path == from })
			if named || slices.Contains(lost[from], kind.Name) || !removesAny(plan, files[kind]) {
				continue
			}
			if lost[from] = append(lost[from], kind.Name); len(lost[from]) == 1 {
				diags.AddHint(resolved.Kinds[kind].Pos, "add package "+from+" to this run, or remove its files with --prune", "%s", from)
			}
		}
	}
	for i, d := range diags {
		kinds := lost[d.Message]
		diags[i].Message = "the files of " + strings.Join(kinds, ", ") + " would be removed, because their package is not part of this run"
	}
	return diags, ctx.Err()
}

func removesAny(plan *output.Plan, files []string) bool {
	return slices.ContainsFunc(files, func(name string) bool { return slices.Contains(plan.Remove, name) })
}

// withoutKinds reports whether an import path is that of a library, or of a package of the output.
func (a *API) withoutKinds(importPath string) bool {
	inModuleOf := func(p *load.Package) bool { return p.Module != nil && within(p.Module.Path, importPath) }
	return slices.ContainsFunc(libraries, func(module string) bool { return within(module, importPath) }) ||
		module.Standard(importPath) && !slices.ContainsFunc(a.Loaded.Packages, inModuleOf) || // modules may have such names too
		within(a.Place.ImportPath, importPath)
}

// importedBy returns existing packages that the run has not loaded and that are imported by files that the plan removes.
func (a *API) importedBy(ctx context.Context, plan *output.Plan) ([]*load.Package, error) {
	asked := map[string]bool{}
	for _, pkg := range a.Loaded.Packages {
		asked[pkg.Path] = true
	}
	var found []*load.Package
	for _, name := range plan.Remove {
		if path.Ext(name) != ".go" {
			continue
		}
		for _, importPath := range module.Imports(plan.Old(name)) {
			if asked[importPath] || a.withoutKinds(importPath) {
				continue
			}
			asked[importPath] = true
			pkg, err := a.Loaded.Find(ctx, importPath)
			if err != nil {
				return nil, err
			}
			if pkg != nil {
				found = append(found, pkg)
			}
		}
	}
	return found, nil
}
