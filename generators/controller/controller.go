// Package controller generates controllers, which connect events for a kind to the user's reconciler.
//
// Queues, workers, retries and finalizers are the same for all kinds and are emitted from emit/controllers, where they have their
// tests. The template for a kind only adds types. So a fix in shared code does not depend on the kinds of a user.
package controller

import (
	"path"

	"github.com/informer-gen-lite/informer-gen-lite/emit"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// Generator writes the tree below Layout.Controllers.
var Generator = render.Generator{
	Name:   "controller",
	Folder: func(layout *model.Layout) string { return layout.Controllers },
	Jobs:   jobsOf,
}

// once are the files that all controllers share.
var once = []render.Output[sharedView]{
	shared("claim.go"), shared("consistency.go"), shared("controller.go"), shared("errors.go"), shared("factory.go"),
	shared("failures.go"), shared("finalizer.go"), shared("metrics.go"), shared("names.go"), shared("options.go"),
	shared("owned.go"), shared("queue.go"), shared("reconcile.go"), shared("result.go"), shared("session.go"), shared("settings.go"),
	shared("sync.go"), shared("waiters.go"), shared("watch.go"),
	{
		Emit: "controllers/identity.go",
		Path: func(v sharedView) string { return v.path("identity.go") },
		If:   func(v sharedView) bool { return v.Layout.Target.InformerNames() },
	},
	// It compiles in the clients of all built-in kinds.
	{
		Emit: "controllers/kube.go",
		Path: func(v sharedView) string { return v.path("kube.go") },
		If:   func(v sharedView) bool { return v.OwnsBuiltIn },
	},
}

func shared(name string) render.Output[sharedView] {
	return render.Output[sharedView]{Emit: "controllers/" + name, Path: func(v sharedView) string { return v.path(name) }}
}

// tracing is the package that depends on OpenTelemetry. Controllers do not import it.
var tracing = []render.Output[tracingView]{
	{
		Emit: "controllers/tracing/tracing.go",
		Path: func(v tracingView) string { return path.Join(v.Layout.Controllers, "tracing", "tracing.go") },
	},
}

// forTests is the package that tests reconcilers. Lines of it depend on what the API has, see testView.Has.
var forTests = []render.Output[testView]{
	forTest("clients.go"), forTest("events.go"), forTest("reconcile.go"), forTest("writes.go"),
	{
		Emit: "controllers/controllertest/kube.go",
		Path: func(v testView) string { return v.path("controllertest/kube.go") },
		If:   func(v testView) bool { return v.OwnsBuiltIn },
	},
}

func forTest(name string) render.Output[testView] {
	return render.Output[testView]{
		Emit: "controllers/controllertest/" + name,
		Path: func(v testView) string { return v.path(v.Package() + "/" + name) },
	}
}

var perKind = []render.Output[kindView]{
	{Template: "controller/kind.go.tmpl", Formatted: true, Path: func(v kindView) string {
		return path.Join(v.Layout.ControllerDir(v.Version), v.FileName(""))
	}},
}

func jobsOf(api *model.API, layout *model.Layout) []render.Job {
	all := sharedView{Layout: layout}
	var jobs []render.Job
	for _, kind := range api.WithControllers() {
		all.OwnsBuiltIn = all.OwnsBuiltIn || kind.Controller.OwnsBuiltIn()
		jobs = append(jobs, render.Jobs(perKind, kindView{kind, kind.Controller, layout})...)
	}
	if len(jobs) == 0 {
		return nil
	}
	jobs = append(jobs, render.Jobs(once, all)...)
	jobs = append(jobs, render.Jobs(forTests, testView{all})...)
	if layout.Tracing {
		jobs = append(jobs, render.Jobs(tracing, tracingView{layout})...)
	}
	return jobs
}

// sharedView is the target of the shared files.
type sharedView struct {
	Layout *model.Layout
	// OwnsBuiltIn reports whether any controller owns objects of built-in kinds.
	OwnsBuiltIn bool
}

func (v sharedView) path(name string) string { return path.Join(v.Layout.Controllers, name) }

// Package implements render.Target.
func (v sharedView) Package() string { return v.Layout.PackageOf(v.Layout.Controllers) }

// ImportPaths implements render.Target.
func (v sharedView) ImportPaths() map[string]string {
	return map[string]string{emit.ClientsetPackage: v.Layout.ClientsetPackage(), emit.InformersPackage: v.Layout.InformersPackage()}
}

// Has implements render.Target.
func (v sharedView) Has(capability string) (bool, error) { return v.Layout.Target.Has(capability) }

// tracingView is the target of the package that depends on OpenTelemetry.
type tracingView struct{ Layout *model.Layout }

// Package implements render.Target.
func (v tracingView) Package() string { return "tracing" }

// ImportPaths implements render.Target.
func (v tracingView) ImportPaths() map[string]string {
	return map[string]string{emit.ControllersPackage: v.Layout.ImportPath(v.Layout.Controllers)}
}

// Has implements render.Target.
func (v tracingView) Has(capability string) (bool, error) { return v.Layout.Target.Has(capability) }

// testView is the target of the package that tests reconcilers.
type testView struct{ sharedView }

// Package implements render.Target.
func (v testView) Package() string { return "controllertest" }

// ImportPaths implements render.Target.
func (v testView) ImportPaths() map[string]string {
	clientset := v.Layout.ClientsetPackage()
	return map[string]string{
		emit.ClientsetPackage + "/fake":   clientset + "/fake",
		emit.ClientsetPackage + "/scheme": clientset + "/scheme",
		emit.ControllersPackage:           v.Layout.ImportPath(v.Layout.Controllers),
	}
}

// Has implements render.Target. It also knows what the API has.
func (v testView) Has(capability string) (bool, error) {
	if capability == "OwnsBuiltIn" {
		return v.OwnsBuiltIn, nil
	}
	return v.sharedView.Has(capability)
}

// kindView is the data of the template for one kind.
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

// Imports returns the packages of the owned types.
func (v kindView) Imports() []importView {
	imports := []importView{{v.Version.Alias(), v.Version.Source.Path}}
	for _, o := range v.Owned {
		imports = append(imports, importView{o.Alias, o.Package})
	}
	return imports
}

// HasUpdateStatus reports whether there is a status that can be updated.
func (v kindView) HasUpdateStatus() bool { return v.HasStatusField && v.has(model.UpdateStatus) }

// HasApplyStatus reports whether there is a status that can be applied.
func (v kindView) HasApplyStatus() bool { return v.HasStatusField && v.has(model.ApplyStatus) }

func (v kindView) has(verb model.Verb) bool { return v.ClientVerbs(v.Layout.WithApply()).Has(verb) }

// ApplyPackage returns the import path of the kind's apply configuration.
func (v kindView) ApplyPackage() string {
	return v.Layout.ApplyConfigurationPackage(model.Type{Package: v.Version.Source.Path, Name: v.Name, ApplyFolder: v.Version.ApplyFolder()})
}
