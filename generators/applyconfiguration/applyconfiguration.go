// Package applyconfiguration generates builders for server-side apply and the schema that defines how their fields merge.
//
// All decisions, such as which types have builders, are in the model: see package internal/core/resolve/applyconfiguration. This
// package only maps them to templates, so the output for a kind depends on nothing but its model.
package applyconfiguration

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

var once = []render.Output[treeView]{
	{
		Template: "applyconfiguration/utils.go.tmpl", Formatted: true, Names: render.AsCodeGenerator[treeView],
		Path: func(v treeView) string { return path.Join(v.dir(), "utils.go") },
	},
}

var schema = []render.Output[schemaView]{
	{
		Template: "applyconfiguration/internal.go.tmpl", Names: render.AsCodeGenerator[schemaView],
		Path: func(v schemaView) string { return path.Join(v.layout.ApplyConfigurationDir, "internal", "internal.go") },
	},
}

var perType = []render.Output[typeView]{
	{Template: "applyconfiguration/type.go.tmpl", Formatted: true, Names: render.AsCodeGenerator[typeView], Path: func(v typeView) string {
		return path.Join(v.layout.ApplyConfigurationDir, v.Package.Folder, model.FileName(strings.ToLower(v.Name)))
	}},
}

// Jobs returns the jobs for the files of an API.
func Jobs(api *model.API, layout *model.Layout) []render.Job {
	if api.Apply == nil {
		return nil
	}
	kinds := map[model.Type]*model.Kind{}
	for _, kind := range api.Kinds() {
		kinds[model.Type{Package: kind.Version.Source.Path, Name: kind.Name}] = kind
	}
	jobs := render.Jobs(once, newTreeView(api.Apply, layout))
	jobs = append(jobs, render.Jobs(schema, schemaView{api.Apply.Schema, api.Apply.ViaJSON() && !layout.NoSchema, layout})...)
	for _, pkg := range api.Apply.Packages {
		of := packageOfType{pkg.Package, pkg.Folder, pkg.Imports}
		for _, t := range pkg.Types {
			view := typeView{t, of, layout, kinds[model.Type{Package: pkg.Source, Name: t.Name}]}
			ofType := render.Jobs(perType, view)
			for i := range ofType {
				ofType[i].Formatted = ofType[i].Formatted && view.formatted()
			}
			jobs = append(jobs, ofType...)
		}
	}
	return jobs
}

// schemaView is the data of the template with the schema.
type schemaView struct {
	Schema  string
	ViaJSON bool
	layout  *model.Layout
}

// Target returns the client-go release that the output is generated for.
func (v schemaView) Target() model.Target { return v.layout.Target }

// treeView is the data of the template for the whole tree. It knows the names of types only.
type treeView struct {
	packages []namedTypes
	layout   *model.Layout
}

// namedTypes is a package without anything about its types but their kinds and builders.
type namedTypes struct {
	model.ApplyPackage
	Types []namedType
}

type namedType struct{ Kind, Builder string }

func newTreeView(apply *model.ApplyConfigurations, layout *model.Layout) treeView {
	v := treeView{layout: layout}
	for _, pkg := range apply.Packages {
		named := namedTypes{ApplyPackage: *pkg}
		named.ApplyPackage.Types, named.Imports = nil, nil
		for _, t := range pkg.Types {
			named.Types = append(named.Types, namedType{t.Kind, t.Builder()})
		}
		v.packages = append(v.packages, named)
	}
	return v
}

func (v treeView) dir() string { return v.layout.ApplyConfigurationDir }

// Target returns the client-go release that the output is generated for.
func (v treeView) Target() model.Target { return v.layout.Target }

// PackageName returns the name of the package at the root.
func (v treeView) PackageName() string { return v.layout.PackageOf(v.dir()) }

// Internal returns the import path of the package that holds the schema.
func (v treeView) Internal() string { return internalPackage(v.layout) }

func internalPackage(layout *model.Layout) string {
	return layout.ImportPath(layout.ApplyConfigurationDir, "internal")
}

// packageView is a package as the root imports it.
type packageView struct {
	namedTypes
	SourceAlias, BuilderAlias, Path string
}

// inUtils are the identifiers of the file that imports every package.
var inUtils = goname.Templates("applyconfiguration/utils.*")

// Packages returns the packages whose types are identified by a GroupVersionKind, in the order of their groups.
func (v treeView) Packages() []packageView {
	scope := goname.NewScope(inUtils)
	packages := slices.Clone(v.packages)
	slices.SortStableFunc(packages, func(a, b namedTypes) int {
		return cmp.Or(strings.Compare(cmp.Or(a.Group, "core"), cmp.Or(b.Group, "core")), strings.Compare(a.Version, b.Version))
	})
	for _, pkg := range packages {
		scope.Take(pkg.SourceAlias)
	}
	var views []packageView
	for _, pkg := range packages {
		if pkg.GroupVersion != "" {
			builders := scope.Free("applyconfigurations" + model.Type{Package: pkg.Folder}.Alias())
			views = append(views, packageView{pkg, pkg.SourceAlias, builders, v.layout.ImportPath(v.dir(), pkg.Folder)})
		}
	}
	return views
}

// typeView is the data of the template for one type. It does not refer to other types, so that a file is not rendered again when
// another type changes.
type typeView struct {
	*model.ApplyType
	Package packageOfType
	layout  *model.Layout
	kind    *model.Kind
}

// packageOfType is what the types of a package have in common.
type packageOfType struct {
	Package, Folder string
	Imports         []model.Import
}

// About returns the kind that the file is about; nil if the type is only a part of kinds.
func (v typeView) About() *model.Kind { return v.kind }

// formatted reports whether all types are written as gofmt writes them.
func (v typeView) formatted() bool {
	return !slices.ContainsFunc(v.Fields, func(f model.ApplyField) bool { return render.Unformatted(f.Type) }) &&
		!slices.ContainsFunc(v.Setters, func(s model.ApplySetter) bool { return render.Unformatted(s.Type) }) &&
		!slices.ContainsFunc(v.Getters, func(g model.ApplyGetter) bool { return render.Unformatted(g.Type) })
}

// Internal returns the import path of the package that holds the schema.
func (v typeView) Internal() string { return internalPackage(v.layout) }

// Target returns the client-go release that the output is generated for.
func (v typeView) Target() model.Target { return v.layout.Target }

// inExtract reports whether an identifier has another meaning in the functions that extract fields.
func inExtract(name string) bool {
	return slices.Contains([]string{"b", "err", "fieldManager", "internal", "managedfields", "nil", "subresource"}, name)
}

// Param returns the name of a parameter that holds an object of the type.
func (v typeView) Param() string {
	return goname.Unless(goname.LowerFirst(v.Name), "object", inExtract)
}

// ensuredView is the data of a function that allocates an embedded struct.
type ensuredView struct {
	model.ApplyEmbedded
	Builder string
}

// EnsuredAfter returns the functions for embedded structs that follow a setter or, without a name, come before all setters.
func (v typeView) EnsuredAfter(setter string) []ensuredView {
	var views []ensuredView
	for _, embedded := range v.Ensured {
		if embedded.After == setter {
			views = append(views, ensuredView{embedded, v.Builder()})
		}
	}
	return views
}

// EnsureSlice returns the name of the function that allocates the slice which a setter appends to, as in code-generator. The name is "" if
// another slice or an embedded struct would need a function of the same name.
func (v typeView) EnsureSlice(s model.ApplySetter) string {
	name := ensureSlice(s)
	taken := slices.ContainsFunc(v.Ensured, func(e model.ApplyEmbedded) bool { return e.Func == name }) ||
		slices.ContainsFunc(v.Setters, func(other model.ApplySetter) bool { return other.Name != s.Name && ensureSlice(other) == name })
	if taken {
		return ""
	}
	return name
}

// ensureSlice returns the name of the function that allocates the slice of a setter; "" if the field is no pointer to a slice of structs.
func ensureSlice(s model.ApplySetter) string {
	if !s.Pointer || s.Form != model.AppendPointed {
		return ""
	}
	return "ensure" + s.Type[strings.LastIndexByte(s.Type, '.')+1:] + "Exists"
}

// Extractor returns the name of the function that extracts the fields applied through any subresource.
func (v typeView) Extractor() string {
	if v.Target().ExtractsSubresources() {
		return "Extract" + v.Name + "From"
	}
	return "extract" + v.Name
}

// Extracted returns the subresources that have their own extract function.
func (v typeView) Extracted() []model.Subresource {
	switch {
	case v.Target().ExtractsSubresources():
		return v.Subresources
	case v.kind.NoStatus:
		return nil
	}
	return []model.Subresource{model.StatusSubresource}
}

// Readable returns the getters of the apply configuration.
func (v typeView) Readable() []model.ApplyGetter {
	if v.Target().ApplyInterface() {
		return v.Getters
	}
	return slices.DeleteFunc(slices.Clone(v.Getters), func(g model.ApplyGetter) bool { return g.Name != "Name" })
}

// Imports returns the packages that the types of the fields may refer to.
func (v typeView) Imports() []model.Import {
	imports := slices.Clone(v.Package.Imports)
	for i := range imports {
		if imports[i].Apply {
			imports[i].Path = v.layout.ImportPath(v.layout.ApplyConfigurationDir, imports[i].Path)
		}
	}
	return imports
}
