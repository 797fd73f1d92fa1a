package cli

import (
	"bytes"
	"go/token"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
)

// sources are the loaded packages that files may be generated into: those of modules that the user works on. What is in
// the module cache or a vendor directory is not written to.
func sources(loaded *load.Result) []*load.Package {
	var packages []*load.Package
	for _, pkg := range loaded.Packages {
		if pkg.Module != nil && pkg.Module.Main {
			packages = append(packages, pkg)
		}
	}
	return packages
}

// sourceDirs returns the directories of these packages by import path, relative to the output directory.
func (p place) sourceDirs(loaded *load.Result) (map[string]string, error) {
	dirs := map[string]string{}
	for _, pkg := range sources(loaded) {
		dir, err := filepath.Rel(p.dir, pkg.Dir)
		if err != nil {
			return nil, err
		}
		dirs[pkg.Path] = filepath.ToSlash(dir)
	}
	return dirs, nil
}

// beside returns where single files may stand, beside types, be they of selected generators or of others.
func beside(dirs map[string]string, loaded *load.Result) []output.Beside {
	var names []string
	for _, g := range generators.All {
		if name := g.Beside(); name != "" {
			names = append(names, name)
		}
	}
	var all []output.Beside
	for _, pkg := range sources(loaded) {
		all = append(all, output.Beside{Dir: dirs[pkg.Path], Module: pkg.Module.Dir, Names: names})
	}
	return all
}

// besideNames returns what the files of the selected generators are called that stand beside types.
func (o options) besideNames() []string {
	var names []string
	for _, g := range o.generators {
		if name := g.Beside(); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// selects tells whether a generator is among those that run.
func (o options) selects(name string) bool {
	return slices.ContainsFunc(o.generators, func(g generators.Generator) bool { return g.Name() == name })
}

// disagreements reports files beside types that two outputs want to be different, so that each would undo the other.
func disagreements(runs []prepared) diag.List {
	var diags diag.List
	contents := map[string][]byte{}
	for _, run := range runs {
		for _, file := range run.files {
			name := filepath.Join(run.dir, filepath.FromSlash(file.Path))
			if other, known := contents[name]; known && !bytes.Equal(other, file.Content) {
				diags.AddHint(token.Position{Filename: name}, "give all outputs with this package the same settings, or leave the generator to one of them with skip",
					"two outputs would write this file, and not the same into it")
			}
			contents[name] = file.Content
		}
	}
	return diags
}
