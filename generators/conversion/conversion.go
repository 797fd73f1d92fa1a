// Package conversion generates conversions between the types of API packages and their peers.
//
// Package internal/core/resolve/conversion decides which functions exist and how each field is converted. This package turns these plans
// into statements.
package conversion

import (
	"path"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// Jobs returns the jobs for the files of an API.
func Jobs(api *model.API, layout *model.Layout) []render.Job {
	var jobs []render.Job
	for _, pkg := range api.Packages {
		if pkg.Conversions != nil {
			view := packageView{pkg}
			file := path.Join(layout.SourceDir(pkg), pkg.Conversions.File)
			jobs = append(jobs, render.Job{Path: file, Template: "conversion/conversion.go.tmpl", View: view, Formatted: view.formatted()})
		}
	}
	return jobs
}

// packageView is the template data of a package.
type packageView struct{ *model.Package }

// formatted reports whether all types are written as gofmt writes them.
func (v packageView) formatted() bool {
	for _, registered := range slices.Concat(v.Conversions.Generated, v.Conversions.Functions) {
		if render.Unformatted(registered.In) || render.Unformatted(registered.Out) {
			return false
		}
	}
	return !slices.ContainsFunc(v.Conversions.Conversions, func(c model.Conversion) bool {
		return unformatted(c.Plan) || slices.ContainsFunc(c.Values, func(f model.FromValues) bool { return unformatted(f.Read) })
	})
}

// unformatted reports whether a plan has a type that gofmt would change.
func unformatted(c *model.Convert) bool {
	return c != nil && (slices.ContainsFunc([]string{c.Type, c.Key, c.Pointee}, render.Unformatted) || unformatted(c.Elem) ||
		slices.ContainsFunc(c.Fields, func(f model.ConvertField) bool { return unformatted(f.Convert) }))
}

// AboutPackage returns the import path of the package that the file is about.
func (v packageView) AboutPackage() string { return v.Path }

// Functions returns the generated functions.
func (v packageView) Functions() []functionView {
	views := make([]functionView, len(v.Conversions.Conversions))
	for i := range views {
		views[i] = functionView{&v.Conversions.Conversions[i], v.Conversions.Pointer}
	}
	return views
}

// functionView is the template data of one function.
type functionView struct {
	*model.Conversion
	pointer string
}

// Code returns the statements of the function.
func (v functionView) Code() string {
	w := &writer{render.Statements{Indent: "\t"}, v.pointer}
	if v.Plan != nil {
		w.whole(v.Plan)
	}
	for _, f := range v.Values {
		w.value(f)
	}
	return w.String()
}
