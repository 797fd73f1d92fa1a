// Package clientset generates typed clients, the clientset with its scheme, and the fake clientsets.
//
// The strict fake's server is part of the run-time library. A template connects it to the clientset.
package clientset

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

var once = []render.Output[clientsetView]{
	{
		Template: "clientset/clientset.go.tmpl", Names: clientsetView.names,
		Path: func(v clientsetView) string { return v.path("clientset.go") },
	},
	{Template: "clientset/scheme_doc.go.tmpl", Path: func(v clientsetView) string { return v.path("scheme/doc.go") }},
	{
		Template: "clientset/scheme_register.go.tmpl", Names: clientsetView.names,
		Path: func(v clientsetView) string { return v.path("scheme/register.go") },
	},
	{Template: "clientset/fake_clientset.go.tmpl", Path: func(v clientsetView) string { return v.path("fake/clientset_generated.go") }},
	{
		Template: "clientset/fake_register.go.tmpl", Names: clientsetView.names,
		Path: func(v clientsetView) string { return v.path("fake/register.go") },
	},
	{Template: "clientset/fake_doc.go.tmpl", Path: func(v clientsetView) string { return v.path("fake/doc.go") }},
	{
		Template: "clientset/fake_strict.go.tmpl",
		Path:     func(v clientsetView) string { return v.path("fake/strict_generated.go") },
		If:       func(v clientsetView) bool { return v.Layout.Runtime },
	},
}

var perVersion = []render.Output[versionView]{
	{Template: "clientset/typed_doc.go.tmpl", Formatted: true, Path: func(v versionView) string { return v.path("doc.go") }},
	{
		Template: "clientset/typed_group.go.tmpl", Formatted: true, Names: versionView.names,
		Path: func(v versionView) string { return v.path(v.GroupFolder + "_client.go") },
	},
	{
		Template: "clientset/typed_expansion.go.tmpl", Formatted: true,
		Path: func(v versionView) string { return v.path("generated_expansion.go") },
	},
	{Template: "clientset/typed_fake_doc.go.tmpl", Formatted: true, Path: func(v versionView) string { return v.path("fake/doc.go") }},
	{
		Template: "clientset/typed_fake_group.go.tmpl", Formatted: true, Names: render.AsCodeGenerator[versionView],
		Path: func(v versionView) string { return v.path("fake/fake_" + v.GroupFolder + "_client.go") },
	},
}

var perKind = []render.Output[kindView]{
	{
		Template: "clientset/typed_kind.go.tmpl", Formatted: true, Names: kindView.names,
		Path: func(v kindView) string { return v.path(v.FileName("")) },
	},
	{
		Template: "clientset/typed_fake_kind.go.tmpl", Formatted: true, Names: render.AsCodeGenerator[kindView],
		Path: func(v kindView) string { return v.path("fake/" + v.FileName("fake_")) },
	},
}

// Jobs returns the jobs for the files of an API.
func Jobs(api *model.API, layout *model.Layout) []render.Job {
	root := clientsetView{Layout: layout, CustomRegister: layout.HasCustomRegister(), ViaJSON: api.Apply.ViaJSON() || layout.NoSchema}
	var jobs []render.Job
	for _, version := range api.Versions() {
		if !version.Generate.Client {
			continue
		}
		root.Versions = append(root.Versions, version)
		view := versionView{Version: version, Layout: layout}
		jobs = append(jobs, render.Jobs(perVersion, view)...)
		for _, kind := range version.Kinds {
			jobs = append(jobs, render.Jobs(perKind, newKindView(kind, view))...)
		}
	}
	if len(root.Versions) == 0 {
		return nil
	}
	jobs = append(jobs, render.Jobs(once, root.withAliases())...)
	ofFake := func(job render.Job) bool { return layout.NoFakes && strings.Contains(job.Template, "fake_") }
	return slices.DeleteFunc(jobs, ofFake)
}

// clientsetView is the data of the templates for the whole clientset.
type clientsetView struct {
	Layout         *model.Layout
	Versions       []*model.Version
	CustomRegister bool
	// ViaJSON is true if objects of a kind have to be converted by encoding/json.
	ViaJSON bool
	// imports are those of the fake clientset, which imports each typed client and its fake.
	imports *goname.Imports
}

// inFake are the identifiers of the files with the fake clientset.
var inFake = goname.Templates("clientset/fake_clientset.*", "clientset/fake_strict.*")

// withAliases returns the view with the import aliases of the fakes. They are chosen here, since several files that are rendered at the
// same time share them.
func (v clientsetView) withAliases() clientsetView {
	scope := goname.NewScope(inFake)
	for _, version := range v.Versions {
		scope.Take(version.Alias())
	}
	v.imports = goname.NewImports(scope)
	for _, version := range v.Versions {
		v.FakeAlias(version)
	}
	v.ApplyAlias() // the imports of all files name it; those that do not use it lose it
	return v
}

// OtherTypes are the results of methods that send or return other types than their kind, by the action that a fake records. The tracker has
// no such objects.
func (v clientsetView) OtherTypes() map[string]string {
	types := map[string]string{}
	for _, version := range v.Versions {
		for _, kind := range version.Kinds {
			for _, m := range kind.ClientMethods(v.Layout.WithApply()) {
				if !hasOtherTypes(kind, m) || sharesAction(kind, m) {
					continue
				}
				verb, result := m.Verb, m.Result.Package+"."+m.Result.Name
				switch verb {
				case model.Apply:
					verb = model.Patch
				case model.List:
					result += "List"
				default:
				}
				types[fmt.Sprintf("%s %s/%s, Resource=%s, %s", verb, version.Group.Name, version.Name, kind.Resource, m.Subresource)] = result
			}
		}
	}
	return types
}

// hasOtherTypes reports whether a method sends or returns another type than its kind.
func hasOtherTypes(kind *model.Kind, m model.Method) bool {
	own := model.Type{Package: kind.Version.Source.Path, Name: kind.Name}
	return m.Input != own || m.Result != own
}

// sharesAction reports whether the client records the same action for a method as for a verb of the kind.
func sharesAction(kind *model.Kind, m model.Method) bool {
	return m.Subresource == "" && !kind.NoVerbs && kind.Verbs.Has(m.Verb)
}

// FakeAlias returns the import alias of the fake of a typed client.
func (v clientsetView) FakeAlias(version *model.Version) string {
	return v.imports.Alias(v.FakePackage(version), "fake"+version.Alias())
}

// ApplyAlias returns the import alias of the package at the root of the apply configurations.
func (v clientsetView) ApplyAlias() string {
	root := v.Layout.ApplyConfigurations
	return v.imports.Alias(root, goname.Package(path.Base(root)), "applyconfigurations")
}

// FakePackage returns the import path of the fake of a typed client.
func (v clientsetView) FakePackage(version *model.Version) string {
	return v.TypedPackage(version) + "/fake"
}

// Irregular returns the kinds whose resources client-go's object tracker guesses wrong.
func (v clientsetView) Irregular() []*model.Kind {
	var kinds []*model.Kind
	for _, version := range v.Versions {
		for _, kind := range version.Kinds {
			if kind.Resource != v.Guess(kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	return kinds
}

// Guess returns the resource that meta.UnsafeGuessKindToResource derives from a kind.
func (clientsetView) Guess(kind *model.Kind) string {
	singular := strings.ToLower(kind.Name)
	switch {
	case strings.HasSuffix(singular, "endpoints"):
		return singular
	case strings.HasSuffix(singular, "s"):
		return singular + "es"
	case strings.HasSuffix(singular, "y"):
		return strings.TrimSuffix(singular, "y") + "ies"
	}
	return singular + "s"
}

// strictOption is an option for what a strict fake cannot find out from the clients.
type strictOption struct {
	Option string
	Kind   *model.Kind
	Args   string
}

// StrictOptions returns the options of the strict fake.
func (v clientsetView) StrictOptions() []strictOption {
	var options []strictOption
	for _, version := range v.Versions {
		for _, kind := range version.Kinds {
			verbs := kind.ClientVerbs(v.Layout.WithApply())
			if kind.NoVerbs {
				continue
			}
			if fields := kind.SelectableFields; len(fields) > 0 {
				quoted := make([]string, len(fields))
				for i, field := range fields {
					quoted[i] = strconv.Quote(field)
				}
				options = append(options, strictOption{"WithSelectableFields", kind, strings.Join(quoted, ", ")})
			}
			// Without these verbs, the library takes the status of a kind with limited verbs for a subresource, and that of others not.
			usual := model.AllVerbs.Without(model.UpdateStatus, model.ApplyStatus)
			if !v.Layout.Target.DeleteWithResult() {
				usual = usual.Without(model.DeleteWithResult)
			}
			if !v.Layout.WithApply() {
				usual = usual.Without(model.Apply)
			}
			if !verbs.Has(model.UpdateStatus) && !verbs.Has(model.ApplyStatus) && kind.HasStatus == verbs.Has(usual...) {
				options = append(options, strictOption{"WithStatus", kind, strconv.FormatBool(kind.HasStatus)})
			}
		}
	}
	return options
}

func (v clientsetView) path(name string) string { return path.Join(v.Layout.Clientset, name) }

// names returns how a file imports packages. As in code-generator, the names of those of each version contain the group.
func (v clientsetView) names() *render.Names {
	names := &render.Names{}
	for _, version := range v.Versions {
		names.Keep = append(names.Keep, version.Source.Path, v.TypedPackage(version))
	}
	return names
}

// Package returns the name of the clientset's package.
func (v clientsetView) Package() string { return v.Layout.PackageOf(v.Layout.Clientset) }

// TypedPackage returns the import path of a version's typed client.
func (v clientsetView) TypedPackage(version *model.Version) string {
	return v.Layout.ImportPath(v.Layout.TypedDir(version))
}

// WithoutCustomRegister returns the view for the fake, whose scheme is not extended by
// handwritten code.
func (v clientsetView) WithoutCustomRegister() clientsetView {
	v.CustomRegister = false
	return v
}

// versionView is the data of the templates for one version's typed client.
type versionView struct {
	*model.Version
	Layout *model.Layout
}

func (v versionView) path(name string) string { return path.Join(v.Layout.TypedDir(v.Version), name) }

// names returns how the files of the client import packages. Next to them are types for all kinds.
func (v versionView) names() *render.Names {
	names := &render.Names{}
	for _, kind := range v.Kinds {
		names.Taken = append(names.Taken, kind.ClientStruct())
	}
	return names
}

// Typed returns the import path of the typed client.
func (v versionView) Typed() string { return v.Layout.ImportPath(v.Layout.TypedDir(v.Version)) }

// WithoutExpansion returns the kinds without a handwritten expansion.
func (v versionView) WithoutExpansion() []*model.Kind {
	var kinds []*model.Kind
	for _, kind := range v.Kinds {
		if !v.Layout.HasExpansion(v.Layout.TypedDir(v.Version), kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
