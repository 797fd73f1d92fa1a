package run

import (
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
)

// API is the API of one output and the location of its files, determined without reading the output.
type API struct {
	Options  Options
	Loaded   *load.Result
	Resolved resolve.Result
	// Place is the output directory, and Layout the layout of the output there.
	Place  module.Place
	Layout model.Layout
	// ClientGo is the release of client-go that the output is generated for.
	ClientGo module.Release
	// Warnings are about harmless oddities in the input.
	Warnings diag.List

	// Unlocated is why the output has no place, if it has none.
	Unlocated error
}

// Add adds diagnostics that resolving did not find. The error has all of them.
func (a *API) Add(diags diag.List) error {
	if a.Options.Values.Strict {
		diags = diags.AsErrors()
	}
	a.Warnings = append(a.Warnings, diags...)
	return a.Warnings.Err()
}

// Below returns the directory of manifests as a path relative to the output directory. It may be outside of it.
func (a *API) Below(m Manifest) string {
	if dir, err := filepath.Rel(a.Place.Dir, m.Dir); err == nil {
		return filepath.ToSlash(dir)
	}
	return filepath.ToSlash(m.Dir) // on another drive
}

// Modules returns the directories of the modules that a run writes to: the modules of the output and of the API packages.
func (a *API) Modules() []string {
	dirs := []string{a.Place.Root()}
	for _, b := range a.PackageDirs() {
		dirs = append(dirs, b.Module)
	}
	return dirs
}

// PackageDirs returns the possible locations of generated files in API packages, for all generators, selected or not, and the
// directories of manifests.
func (a *API) PackageDirs() []output.PackageDir {
	names := a.Options.Products.PackageFiles()
	var all []output.PackageDir
	for _, pkg := range a.Loaded.Packages {
		if pkg.InMainModule() {
			all = append(all, output.PackageDir{
				Dir: a.Layout.SourceDirs[pkg.Path], Module: pkg.Module.Dir, Names: names, Kept: a.Options.Products.Renamed(pkg),
			})
		}
	}
	for _, m := range a.Options.Manifests {
		i := slices.IndexFunc(all, func(d output.PackageDir) bool { return d.Dir == a.Below(m) })
		if i < 0 {
			i, all = len(all), append(all, output.PackageDir{Dir: a.Below(m), Module: a.Place.Root()})
		}
		all[i].Manifests = true
	}
	return all
}
