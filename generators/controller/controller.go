// Package controller generates controllers: what leads from an event about an object to the reconciler of its kind.
package controller

import (
	"path"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// Generator writes the tree below Layout.Controllers.
type Generator struct{}

// Name implements generators.Generator.
func (Generator) Name() string { return "controller" }

// Dir implements generators.Generator.
func (Generator) Dir(layout *model.Layout) string { return layout.Controllers }

// Beside implements generators.Generator.
func (Generator) Beside() string { return "" }

// once are the files that all controllers share.
var once = shared("controller", "factory", "finalizer", "options", "owned", "queue", "reconcile", "result", "settings", "sync")

func shared(names ...string) []render.Output[sharedView] {
	var outputs []render.Output[sharedView]
	for _, name := range names {
		outputs = append(outputs, render.Output[sharedView]{
			Template: "controller/" + name + ".go.tmpl",
			Path:     func(v sharedView) string { return path.Join(v.Layout.Controllers, name+".go") },
		})
	}
	return outputs
}

var perKind = []render.Output[kindView]{
	{Template: "controller/kind.go.tmpl", Path: func(v kindView) string {
		return path.Join(v.Layout.ControllerDir(v.Version), v.FileName(""))
	}},
}

// Jobs implements generators.Generator.
func (Generator) Jobs(api *model.API, layout *model.Layout) []render.Job {
	all := sharedView{Layout: layout}
	var jobs []render.Job
	for _, kind := range api.WithControllers() {
		all.OwnsBuiltIn = all.OwnsBuiltIn || kind.Controller.OwnsBuiltIn()
		jobs = append(jobs, render.Jobs(perKind, kindView{kind, kind.Controller, layout})...)
	}
	if len(jobs) == 0 {
		return nil
	}
	return append(jobs, render.Jobs(once, all)...)
}

// sharedView is what the templates of the shared files see.
type sharedView struct {
	Layout *model.Layout
	// OwnsBuiltIn tells whether any controller owns objects of built-in kinds.
	OwnsBuiltIn bool
}

// Package returns the name of the package.
func (v sharedView) Package() string { return v.Layout.PackageOf(v.Layout.Controllers) }

// kindView is what the template of one kind sees.
type kindView struct {
	*model.Kind
	*model.Controller
	Layout *model.Layout
}

// About returns the kind that the file is about.
func (v kindView) About() *model.Kind { return v.Kind }

// Type returns the Go type of the kind.
func (v kindView) Type() string { return v.Version.Alias() + "." + v.Name }

// Core returns the import path of what all controllers share.
func (v kindView) Core() string { return v.Layout.ImportPath(v.Layout.Controllers) }

// importView is one line of an import block.
type importView struct{ Alias, Path string }

// Imports returns the packages of the types that are owned.
func (v kindView) Imports() []importView {
	imports := []importView{{v.Version.Alias(), v.Version.Source.Path}}
	for _, o := range v.Owned {
		imports = append(imports, importView{o.Alias, o.Package})
	}
	return imports
}

// HasUpdateStatus tells whether there is a status that can be updated.
func (v kindView) HasUpdateStatus() bool { return v.HasStatusField && v.has(model.UpdateStatus) }

// HasApplyStatus tells whether there is a status that can be applied.
func (v kindView) HasApplyStatus() bool { return v.HasStatusField && v.has(model.ApplyStatus) }

func (v kindView) has(verb model.Verb) bool { return v.ClientVerbs(v.Layout.WithApply()).Has(verb) }

// ApplyPackage returns the import path of the kind's apply configuration.
func (v kindView) ApplyPackage() string {
	return v.Layout.ApplyConfigurationPackage(model.Type{Package: v.Version.Source.Path, Name: v.Name, ApplyFolder: v.Version.ApplyFolder()})
}
