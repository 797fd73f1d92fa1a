// Package listers generates listers, which are typed, read-only views of a cache.
//
// The generic part is client-go's, and for indexes and copies that of the run-time library; templates add the types.
package listers

import (
	"path"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

var perVersion = []render.Output[versionView]{
	{
		Template: "listers/expansion.go.tmpl", Formatted: true,
		Path: func(v versionView) string { return path.Join(v.dir, "expansion_generated.go") },
	},
}

var perKind = []render.Output[kindView]{
	{Template: "listers/kind.go.tmpl", Formatted: true, Names: render.AsCodeGenerator[kindView], Path: kindView.path},
}

// Jobs returns the jobs for the files of an API.
func Jobs(api *model.API, layout *model.Layout) []render.Job {
	var jobs []render.Job
	for _, version := range api.Versions() {
		if !version.HasListers() {
			continue
		}
		dir := layout.ListerDir(version)
		jobs = append(jobs, render.Jobs(perVersion, versionView{version, layout, dir})...)
		for _, kind := range version.WithListers() {
			jobs = append(jobs, render.Jobs(perKind, kindView{kind, layout, dir})...)
		}
	}
	return jobs
}

// versionView is the data of the templates for one version.
type versionView struct {
	*model.Version
	layout *model.Layout
	dir    string
}

// WithoutExpansion returns the kinds without a handwritten expansion.
func (v versionView) WithoutExpansion() []*model.Kind {
	var kinds []*model.Kind
	for _, kind := range v.WithListers() {
		if !v.layout.HasExpansion(v.dir, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// kindView is the data of the templates for one kind.
type kindView struct {
	*model.Kind
	layout *model.Layout
	dir    string
}

func (v kindView) path() string { return path.Join(v.dir, v.FileName("")) }

// About returns the kind that the file is about.
func (v kindView) About() *model.Kind { return v.Kind }

// Type returns the Go type of the kind.
func (v kindView) Type() string { return v.Version.Alias() + "." + v.Name }

// Sharing says whether the objects that a lister returns may be modified.
func (v kindView) Sharing() string {
	if v.ListsCopies {
		return "Objects are deep copies and may be modified."
	}
	return "Objects are shared and must not be modified: use DeepCopy."
}

// Results returns the name of the result of List. It tells copies from shared objects in documentation and for cachemutation.
func (v kindView) Results() string {
	if v.ListsCopies {
		return "copies"
	}
	return "ret"
}

// GroupResource returns the expression for the resource that NotFound errors name. As in code-generator, it is the kind in
// lower case: the text of these errors gets into statuses, events and tests.
func (v kindView) GroupResource() string {
	if v.layout.PluralListerErrors {
		return v.Version.GroupResourceExpr(v.Resource)
	}
	return v.Version.GroupResourceExpr(v.Lower())
}
