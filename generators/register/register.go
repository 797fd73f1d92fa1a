// Package register generates the registration of an API package's types in schemes.
//
// Only declarations that the package lacks are generated, because many packages have part of them: see package
// internal/resolve/register.
package register

import (
	"path"
	"strconv"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// Generator writes a file into each package with a generated registration.
var Generator = render.Generator{
	Name:        "register",
	PackageFile: fileName,
	Jobs:        jobsOf,
}

// fileName is also the file name that register-gen uses.
const fileName = "zz_generated.register.go"

var perPackage = []render.Output[packageView]{
	{Template: "register/register.go.tmpl", Path: func(v packageView) string {
		return path.Join(v.layout.SourceDir(v.Package), fileName)
	}},
}

func jobsOf(api *model.API, layout *model.Layout) []render.Job {
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
		add(constant{model.GVK(name), "kind " + name, "WithKind", name})
		if resource, ok := v.Resources[name]; ok {
			add(constant{model.GVR(name), "resource " + resource, "WithResource", resource})
		}
	}
	return all
}

// ByFunction reports whether a function registers the types; otherwise they are passed to SchemeBuilder unchanged, or registered
// by hand.
func (v packageView) ByFunction() bool { return v.Builder == model.BuilderOfFunctions }

// ByObjects reports whether the types are passed to SchemeBuilder unchanged.
func (v packageView) ByObjects() bool { return v.Builder == model.BuilderOfObjects }
