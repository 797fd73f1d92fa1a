package pipeline

import (
	"context"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
)

// libraries are the modules that generated files import and that have no kinds.
var libraries = []string{"k8s.io/apimachinery", "k8s.io/client-go"}

// mayRemove reports files that the plan must not remove without --prune.
func (r *Run) mayRemove(ctx context.Context) error {
	if r.API.Options.Values.Prune {
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
	type loss struct {
		pos   token.Position
		kinds []string
	}
	lost := map[string]*loss{}
	others := a.Resolved.Others(packages)
	find := func() {
		files := generators.FilesOf(others.API, &a.Layout, a.Options.Generators)
		for _, kind := range others.API.Kinds() {
			from := kind.Version.Source.Path
			isRemoved := func(name string) bool { return slices.Contains(plan.Remove, name) }
			if !slices.ContainsFunc(files[kind], isRemoved) || lost[from] != nil && slices.Contains(lost[from].kinds, kind.Name) {
				continue
			}
			if lost[from] == nil {
				lost[from] = &loss{pos: others.Kinds[kind].Pos}
			}
			lost[from].kinds = append(lost[from].kinds, kind.Name)
		}
	}
	find()
	// In a run with packages of another group in the same folder, folders are named after groups.
	for _, version := range others.API.Versions() {
		version.GroupFolder = strings.ToLower(version.Group.GoName)
	}
	find()
	var diags diag.List
	for _, from := range slices.Sorted(maps.Keys(lost)) {
		diags.AddHint(lost[from].pos, "add package "+from+" to this run, or remove its files with --prune",
			"the files of %s would be removed, because their package is not part of this run", strings.Join(lost[from].kinds, ", "))
	}
	return diags, ctx.Err()
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
