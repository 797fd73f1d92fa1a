// Package controller generates controllers, which connect events for a kind to the user's reconciler.
//
// Queues, workers, retries and finalizers are the same for all kinds: they are in the run-time library. The template only adds types and
// names.
package controller

import (
	"fmt"
	"path"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

var perKind = []render.Output[kindView]{
	{Template: "controller/kind.go.tmpl", Formatted: true, Path: func(v kindView) string {
		return path.Join(v.Layout.ControllerDir(v.Version), v.FileName(""))
	}},
}

// Jobs returns the jobs for the files of an API.
func Jobs(api *model.API, layout *model.Layout) []render.Job {
	var jobs []render.Job
	for _, kind := range api.WithControllers() {
		jobs = append(jobs, render.Jobs(perKind, kindView{kind, kind.Controller, layout, api})...)
	}
	return jobs
}

// kindView is the data of the template for one kind.
type kindView struct {
	*model.Kind
	*model.Controller
	Layout *model.Layout
	api    *model.API
}

// About returns the kind that the file is about.
func (v kindView) About() *model.Kind { return v.Kind }

// Type returns the Go type of the kind.
func (v kindView) Type() string { return v.Version.Alias() + "." + v.Name }

// SourceOf returns the function that returns the source of a kind's informers.
func (v kindView) SourceOf(kind *model.Kind) string { return v.api.SourceName(kind) }

// Source returns an expression for the source of the informers of a related kind.
func (v kindView) Source(r model.Related) string {
	if r.Kind != nil {
		return "informers." + v.SourceOf(r.Kind) + "(client)"
	}
	scope, call := "Namespaced", ""
	if !r.Namespaced {
		scope, call = "Cluster", "()"
	}
	clientset, resource := "kube", fmt.Sprintf("%s.SchemeGroupVersion.WithResource(%q)", r.Alias, r.Resource)
	if r.Shipped != nil { // other packages may lack this variable
		clientset = r.Clientset
		resource = fmt.Sprintf("schema.GroupVersionResource{Group: %q, Version: %q, Resource: %q}", r.Group, r.Shipped.Version, r.Resource)
	}
	return fmt.Sprintf("informer.%s(%s, %s, %s.%s().%s%s)", scope, clientset, resource, clientset, r.GroupGoVersion(), r.Plural, call)
}

// importView is one line of an import block.
type importView struct{ Alias, Path string }

// Imports returns the packages of the kind and of related types.
func (v kindView) Imports() []importView {
	imports := []importView{{v.Version.Alias(), v.Version.Source.Path}}
	for _, r := range v.Related() {
		imports = append(imports, importView{r.Alias, r.Package})
	}
	for _, r := range v.Shipped() {
		imports = append(imports, importView{r.ClientsetAlias, r.Shipped.Clientset})
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
