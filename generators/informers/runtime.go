package informers

import "github.com/informer-gen-lite/informer-gen-lite/internal/core/render"

// ofLibrary is the file with the factory of the run-time library, and withFields the file with the fields that it knows of kinds.
var (
	ofLibrary = render.Output[factoryView]{
		Template: "informers/runtime.go.tmpl", Path: func(v factoryView) string { return v.path("runtime.go") }, If: factoryView.runtime,
	}
	withFields = render.Output[factoryView]{
		Template: "informers/fields.go.tmpl", Path: func(v factoryView) string { return v.path("fields.go") }, If: factoryView.runtime,
	}
)

func (v factoryView) runtime() bool { return v.Layout.Runtime }

// Fields returns the fields of the kinds, line by line, or "" without any.
func (v factoryView) Fields() string {
	if v.api.Fields == "" {
		return ""
	}
	return "\n" + v.api.Fields
}
