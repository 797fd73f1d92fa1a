package informers

import "github.com/informer-gen-lite/informer-gen-lite/internal/core/render"

// described is the file with the fields of the kinds.
var described = render.Output[factoryView]{
	Template: "informers/fields.go.tmpl", Path: func(v factoryView) string { return v.path("fields.go") }, If: factoryView.runtime,
}

// Fields returns the fields of the kinds, line by line, or "" without any.
func (v factoryView) Fields() string {
	if v.api.Fields == "" {
		return ""
	}
	return "\n" + v.api.Fields
}
