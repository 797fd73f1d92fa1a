package resolve

import (
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// kindsOf returns the kinds of a version. In packages that users cannot edit, problems that can be worked around are warnings: a
// type that is not an API object gets no client, and a kind without a list type gets no method that returns one.
func (r *resolver) kindsOf(s *source.Package, version *model.Version) []*model.Kind {
	var kinds []*model.Kind
	for _, name := range s.ClientTypes() {
		var diags diag.List
		kind := r.kindOf(s, name, version, &diags)
		if !s.InMainModule() {
			diags = diags.AsWarnings()
			if kind != nil {
				r.leaveOut(kind)
			}
		}
		r.diags = append(r.diags, diags...)
		if kind != nil {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// leaveOut removes verbs that need an undeclared list type, and methods with undeclared types, from a kind.
func (r *resolver) leaveOut(kind *model.Kind) {
	if !kind.HasList && kind.NeedsList() {
		kind.Verbs = kind.Verbs.Without(model.List, model.DeleteCollection)
	}
	kind.Methods = slices.DeleteFunc(kind.Methods, func(m model.Method) bool {
		return slices.ContainsFunc([]model.Type{m.Input, m.Result}, func(t model.Type) bool {
			declaring := r.universe.Package(t.Package)
			return declaring != nil && declaring.Types[t.Name] == nil
		})
	})
}
