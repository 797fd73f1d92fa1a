// Package defaults generates the functions that set the defaults of objects in API packages.
//
// Package internal/core/resolve/defaults decides what is set and called where. This package turns these trees into statements.
package defaults

import (
	"cmp"
	"path"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// fileName is also the file name that kube_codegen.sh uses.
const fileName = "zz_generated.defaults.go"

// Jobs returns the jobs for the files of an API.
func Jobs(api *model.API, layout *model.Layout) []render.Job {
	var jobs []render.Job
	for _, pkg := range api.Packages {
		if pkg.Defaults != nil {
			view := packageView{pkg, layout}
			jobs = append(jobs, render.Job{Path: view.file(), Template: "defaults/defaults.go.tmpl", View: view, Formatted: true})
		}
	}
	return jobs
}

// packageView is the template data of a package.
type packageView struct {
	*model.Package
	layout *model.Layout
}

// file returns the path of the file.
func (v packageView) file() string {
	return path.Join(v.layout.SourceDir(v.Package), cmp.Or(v.Defaults.File, fileName))
}

// AboutPackage returns the import path of the package that the file is about.
func (v packageView) AboutPackage() string { return v.Path }

// Types returns the types that functions are generated for.
func (v packageView) Types() []typeView {
	views := make([]typeView, len(v.Defaults.Types))
	for i := range views {
		views[i] = typeView{&v.Defaults.Types[i]}
	}
	return views
}

// typeView is the template data of one type.
type typeView struct{ *model.Defaulted }

// Code returns the statements of the function.
func (v typeView) Code() string {
	w := &writer{render.Statements{Indent: "\t"}}
	w.node(v.Root, object)
	return w.String()
}
