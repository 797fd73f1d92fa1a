// Package deepcopy generates deep copy methods in API packages.
//
// Package internal/core/resolve/deepcopy decides which methods exist and how each field is copied, without type checking. This package
// turns these plans into statements.
package deepcopy

import (
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// Jobs returns the jobs for the files of an API.
func Jobs(api *model.API, layout *model.Layout) []render.Job {
	var jobs []render.Job
	for _, pkg := range api.Packages {
		if pkg.DeepCopies != nil {
			view := packageView{pkg}
			file := path.Join(layout.SourceDir(pkg), pkg.DeepCopies.File)
			jobs = append(jobs, render.Job{Path: file, Template: "deepcopy/deepcopy.go.tmpl", View: view, Formatted: view.formatted()})
		}
	}
	return jobs
}

// packageView is the template data of a package.
type packageView struct{ *model.Package }

// formatted reports whether all types are written as gofmt writes them.
func (v packageView) formatted() bool {
	return !slices.ContainsFunc(v.DeepCopies.Types, func(t model.DeepCopy) bool { return unformattedTypes(t.Plan) }) &&
		!slices.ContainsFunc(v.DeepCopies.Helpers, func(h model.CopyHelper) bool {
			return render.Unformatted(h.Type) || unformattedTypes(h.Plan)
		})
}

// AboutPackage returns the import path of the package that the file is about.
func (v packageView) AboutPackage() string { return v.Path }

// Types returns the types that methods are generated for.
func (v packageView) Types() []typeView {
	views := make([]typeView, len(v.DeepCopies.Types))
	for i := range views {
		views[i] = typeView{&v.DeepCopies.Types[i], v.DeepCopies.Suffix}
	}
	return views
}

// Helpers returns the functions for types without methods.
func (v packageView) Helpers() []helperView {
	views := make([]helperView, len(v.DeepCopies.Helpers))
	for i := range views {
		views[i] = helperView{&v.DeepCopies.Helpers[i], v.DeepCopies.Suffix}
	}
	return views
}

// typeView is the template data of one type.
type typeView struct {
	*model.DeepCopy
	Suffix string
}

// Type returns the type, with its parameters.
func (v typeView) Type() string {
	if len(v.TypeParams) == 0 {
		return v.Name
	}
	return v.Name + "[" + strings.Join(v.TypeParams, ", ") + "]"
}

// Receiver returns the type of the methods' receiver.
func (v typeView) Receiver() string {
	if v.Reference {
		return v.Type()
	}
	return "*" + v.Type()
}

// Code returns the statements of DeepCopyInto.
func (v typeView) Code() string {
	w := newWriter(v.Suffix)
	if v.Reference {
		w.Indent += "\t"
	}
	w.copy(v.Plan)
	return w.String()
}

// interfaceView is a method that returns an interface.
type interfaceView struct {
	typeView
	Name, Interface string
}

// Receiver returns the type of the method's receiver.
func (v interfaceView) Receiver() string {
	if v.NonPointer {
		return v.Type()
	}
	return v.typeView.Receiver()
}

// Value is true if DeepCopy returns no pointer although the type cannot be nil.
func (v interfaceView) Value() bool { return v.typeView.Value && !v.Reference }

// AsInterfaces returns the methods that return interfaces.
func (v typeView) AsInterfaces() []interfaceView {
	var views []interfaceView
	for _, i := range v.Interfaces {
		views = append(views, interfaceView{v, i.Name, i.Type})
	}
	return views
}

// helperView is a function that copies a type without methods.
type helperView struct {
	*model.CopyHelper
	Suffix string
}

// Code returns the statements of the function.
func (v helperView) Code() string {
	w := newWriter(v.Suffix)
	w.copy(v.Plan)
	return w.String()
}
