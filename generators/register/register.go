// Package register generates the registration of an API package's types in schemes.
//
// Only declarations that the package lacks are generated, because many packages have part of them: see package
// internal/core/resolve/register.
package register

import (
	"cmp"
	"path"
	"slices"
	"strconv"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

var perPackage = []render.Output[packageView]{
	{Template: "register/register.go.tmpl", Path: func(v packageView) string {
		return path.Join(v.layout.SourceDir(v.Package), v.File)
	}},
}

// Jobs returns the jobs for the files of an API.
func Jobs(api *model.API, layout *model.Layout) []render.Job {
	var jobs []render.Job
	for _, pkg := range api.Packages {
		if pkg.Registration != nil {
			jobs = append(jobs, render.Jobs(perPackage, packageView{pkg, pkg.Registration, layout})...)
		}
	}
	return jobs
}

// packageView is the template data of a package.
type packageView struct {
	*model.Package
	*model.Registration
	layout *model.Layout
}

// AboutPackage returns the import path of the package that the file is about.
func (v packageView) AboutPackage() string { return v.Path }

// GroupExpr returns a Go expression for the group.
func (v packageView) GroupExpr() string {
	if v.GroupName {
		return model.NameGroupName
	}
	return strconv.Quote(v.Group)
}

// Variables reports whether the package lacks any variable of a registration.
func (v packageView) Variables() bool {
	return slices.ContainsFunc([]string{model.NameSchemeBuilder, model.NameAddToScheme, model.NameInstall}, v.Lacks)
}

// constant is a variable that identifies a kind or a resource.
type constant struct{ Name, What, Method, Argument string }

// Constants returns the requested variables that the package does not declare.
func (v packageView) Constants() []constant {
	if !v.layout.GVKConstants {
		return nil
	}
	var all []constant
	add := func(c constant) {
		if v.Lacks(c.Name) {
			all = append(all, c)
		}
	}
	for _, name := range v.Objects() {
		kind := cmp.Or(v.Kinds[name], name)
		add(constant{model.GVK(name), "kind " + kind, "WithKind", kind})
		if resource, ok := v.Resources[name]; ok {
			add(constant{model.GVR(name), "resource " + resource, "WithResource", resource})
		}
	}
	return all
}

// Named returns the types that are registered under their own names.
func (v packageView) Named() []string {
	return slices.DeleteFunc(slices.Clone(v.Types), func(name string) bool { return v.Kinds[name] != "" })
}

// ByFunction reports whether a function registers the types; otherwise they are passed to SchemeBuilder unchanged, or registered
// by hand.
func (v packageView) ByFunction() bool { return v.Builder == model.BuilderOfFunctions }

// ByObjects reports whether the types are passed to SchemeBuilder unchanged.
func (v packageView) ByObjects() bool { return v.Builder == model.BuilderOfObjects }
