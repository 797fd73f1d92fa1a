// Package informers generates the shared informer factories, and an informer for each kind that can be listed and watched.
//
// There are two kinds of factories: one with the API and behavior of informer-gen, on client-go's informers, and with the run-time
// library Factory, on its informers. Both implement the same interface, so that generated code works with either.
package informers

import (
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

var once = []render.Output[factoryView]{
	{
		Template: "informers/factory.go.tmpl", Names: render.AsCodeGenerator[factoryView],
		Path: func(v factoryView) string { return v.path("factory.go") },
	},
	ofLibrary, withFields,
	{
		Template: "informers/generic.go.tmpl", Names: render.AsCodeGenerator[factoryView],
		Path: func(v factoryView) string { return v.path("generic.go") },
	},
	{
		Template: "informers/internalinterfaces.go.tmpl", Names: render.AsCodeGenerator[factoryView],
		Path: func(v factoryView) string { return v.path("internalinterfaces/factory_interfaces.go") },
	},
}

var perGroup = []render.Output[groupView]{
	{Template: "informers/group.go.tmpl", Formatted: true, Names: render.AsCodeGenerator[groupView], Path: func(v groupView) string {
		return path.Join(v.Layout.GroupInformersDir(v.Group), "interface.go")
	}},
}

var perVersion = []render.Output[versionView]{
	{Template: "informers/version.go.tmpl", Formatted: true, Names: render.AsCodeGenerator[versionView], Path: func(v versionView) string {
		return path.Join(v.Layout.InformerDir(v.Version), "interface.go")
	}},
}

var perKind = []render.Output[kindView]{
	{Template: "informers/kind.go.tmpl", Formatted: true, Names: kindView.names, Path: func(v kindView) string {
		return path.Join(v.Layout.InformerDir(v.Version), v.FileName(""))
	}},
}

// Jobs returns the jobs for the files of an API.
func Jobs(api *model.API, layout *model.Layout) []render.Job {
	root := factoryView{Layout: layout, api: api}
	var jobs []render.Job
	for _, group := range api.Groups {
		versions := group.WithInformers()
		if len(versions) == 0 {
			continue
		}
		root.Groups = append(root.Groups, group)
		root.Versions = append(root.Versions, versions...)
		jobs = append(jobs, render.Jobs(perGroup, newGroupView(group, layout))...)
		for _, version := range versions {
			jobs = append(jobs, render.Jobs(perVersion, versionView{version, layout})...)
			for _, kind := range version.WithInformers() {
				jobs = append(jobs, render.Jobs(perKind, kindView{kind, layout})...)
			}
		}
	}
	if len(root.Groups) == 0 {
		return nil
	}
	slices.SortStableFunc(root.Versions, func(a, b *model.Version) int {
		return strings.Compare(a.Group.DisplayName(), b.Group.DisplayName())
	})
	root = root.withAliases()
	return append(jobs, render.Jobs(once, root)...)
}

// factoryView is the data of the factory's templates: the groups and versions that have informers.
type factoryView struct {
	Layout *model.Layout
	// Groups are in the order of their folders. Versions are in the order of the names of their groups.
	Groups   []*model.Group
	Versions []*model.Version
	api      *model.API
	imports  *goname.Imports
}

// inFactory are the identifiers of the file that imports the informers of every group.
var inFactory = goname.Templates("informers/factory.*", "informers/runtime.*")

// withAliases returns the view with import aliases for the informers of the groups.
func (v factoryView) withAliases() factoryView {
	v.imports = goname.NewImports(goname.NewScope(inFactory))
	for _, version := range v.Versions {
		v.imports.Alias(version.Source.Path, version.Alias())
	}
	for _, group := range v.Groups {
		v.GroupAlias(group)
	}
	for _, version := range v.Versions {
		v.ListersAlias(version)
	}
	return v
}

// GroupAlias returns the import alias of a group's informers.
func (v factoryView) GroupAlias(group *model.Group) string {
	return v.imports.Alias(v.Layout.ImportPath(v.Layout.GroupInformersDir(group)), group.ImportAlias())
}

// HasFactoryGroup reports whether a group has the method Factory, so that the embedded factory needs another name.
func (v factoryView) HasFactoryGroup() bool {
	return slices.ContainsFunc(v.Groups, func(group *model.Group) bool { return group.GoName == "Factory" })
}

// Library returns the name of the embedded factory of the library.
func (v factoryView) Library() string {
	if v.HasFactoryGroup() {
		return "library"
	}
	return "Factory"
}

func (v factoryView) path(name string) string { return path.Join(v.Layout.Informers, name) }

// Package returns the name of the factory's package.
func (v factoryView) Package() string { return v.Layout.PackageOf(v.Layout.Informers) }

// ListersAlias returns the import alias of the listers of a version.
func (v factoryView) ListersAlias(version *model.Version) string {
	return v.imports.Alias(v.Layout.ImportPath(v.Layout.ListerDir(version)), version.Alias()+"listers")
}

// sourceView is a kind with a source of informers.
type sourceView struct {
	*model.Kind
	// Func is the name of the function that returns the source.
	Func string
}

// Type returns the Go type of the kind.
func (v sourceView) Type() string { return v.Version.Alias() + "." + v.Name }

// Constructor returns the function of package informer that makes the source.
func (v sourceView) Constructor() string {
	if v.Namespaced {
		return "Namespaced"
	}
	return "Cluster"
}

// Sources returns the kinds that the informers of the run-time library can have. Without the verb get, Go could not infer the type.
func (v factoryView) Sources() []sourceView {
	var sources []sourceView
	for _, version := range v.Versions {
		for _, kind := range version.WithInformers() {
			if kind.ClientVerbs(v.Layout.WithApply()).Has(model.Get) {
				sources = append(sources, sourceView{kind, v.api.SourceName(kind)})
			}
		}
	}
	return sources
}

// groupView is the data of the template for one group.
type groupView struct {
	*model.Group
	Layout  *model.Layout
	imports *goname.Imports
}

// inGroup are the identifiers of the file that imports the informers of a group's versions.
var inGroup = goname.Templates("informers/group.*")

func newGroupView(group *model.Group, layout *model.Layout) groupView {
	v := groupView{group, layout, goname.NewImports(goname.NewScope(inGroup))}
	for _, version := range group.WithInformers() {
		v.VersionAlias(version)
	}
	return v
}

// VersionAlias returns the import alias of a version's informers.
func (v groupView) VersionAlias(version *model.Version) string {
	return v.imports.Alias(v.Layout.ImportPath(v.Layout.InformerDir(version)), version.Package, version.Package+"informers")
}

// versionView is the data of the template for one version.
type versionView struct {
	*model.Version
	Layout *model.Layout
}

// Informer returns the type that gives access to a kind's informer.
func (v versionView) Informer(kind *model.Kind) string {
	if v.Layout.Target.TypedInformers() {
		return "Typed" + kind.Name + "Informer"
	}
	return kind.Name + "Informer"
}

// kindView is the data of the template for one kind.
type kindView struct {
	*model.Kind
	Layout *model.Layout
}

// names returns how the file imports packages. Next to it is the type version.
func (kindView) names() *render.Names { return &render.Names{Taken: []string{"version"}} }

// About returns the kind that the file is about.
func (v kindView) About() *model.Kind { return v.Kind }

// Type returns the Go type of the kind.
func (v kindView) Type() string { return v.Version.Alias() + "." + v.Name }

// AdapterBase returns the interface that the typed adapter embeds: the informer or, for a kind named Typed, an alias of it. The
// embedded field must not have the name of the adapter's method TypedInformer.
func (v kindView) AdapterBase() string {
	base := v.Name + "Informer"
	if base == "TypedInformer" {
		return "adapted" + base
	}
	return base
}

// NamespaceParam returns the parameter of a namespaced informer's constructors, with a trailing comma.
func (v kindView) NamespaceParam() string {
	if v.Namespaced {
		return "namespace string, "
	}
	return ""
}

// NamespaceArg returns the argument for NamespaceParam.
func (v kindView) NamespaceArg() string {
	if v.Namespaced {
		return "namespace, "
	}
	return ""
}
