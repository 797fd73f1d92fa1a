package resolve

import (
	"go/token"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/deepcopy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// awaited returns the types that clients send and receive and that lack the method which makes them objects. In packages that
// users cannot edit, the method is assumed to exist.
func (r *resolver) awaited() []deepcopy.Awaited {
	var all []deepcopy.Awaited
	for _, kind := range r.result.API.Kinds() {
		s := r.result.Kinds[kind].Source
		types := []model.Type{{Package: s.Path, Name: kind.Name}}
		if kind.HasList {
			types = append(types, model.Type{Package: s.Path, Name: kind.List()})
		}
		for _, method := range kind.Methods {
			types = append(types, method.Result)
			if method.Verb != model.Apply { // which sends an apply configuration
				types = append(types, method.Input)
			}
		}
		for _, t := range types {
			if lacking, ok := r.lacking(t, r.result.Kinds[kind].Pos); ok {
				all = append(all, lacking)
			}
		}
	}
	return all
}

// lacking returns the method that a type lacks to be an object. The position is that of the type or, if it is declared outside of
// the run, that of the kind whose client needs it.
func (r *resolver) lacking(t model.Type, kind token.Position) (deepcopy.Awaited, bool) {
	decl := r.universe.Lookup(t.Package, t.Name)
	if decl == nil || !decl.Package.InMainModule() || r.copies.IsObject(decl) {
		return deepcopy.Awaited{}, false
	}
	lacking := deepcopy.Awaited{Package: t.Package, Type: t.Name, Method: "DeepCopyObject", Pos: kind}
	for _, s := range r.all {
		if s.Package == decl.Package {
			lacking.Pos, lacking.Hint = s.Decls[t.Name].Pos, r.objectHint(s, t.Name)
			return lacking, true
		}
	}
	lacking.Hint = "add package " + t.Package + " to this run, or write the method by hand"
	return lacking, true
}

// objectHint returns a hint on how to make a type an object.
func (r *resolver) objectHint(s *source.Package, name string) string {
	if !r.opts.DeepCopies {
		return "run the generator deepcopy too, or generate deep copies first"
	}
	for _, markers := range []marker.Set{s.Decls[name].Markers, s.Markers} {
		for _, m := range markers {
			if marker.AboutDeepCopies(m) && m.Disables() {
				return "remove +" + m.Name + "=false, or write the method by hand"
			}
		}
	}
	return "put // +" + marker.DeepCopyInterfaces + "=k8s.io/apimachinery/pkg/runtime.Object above the type, or write the method by hand"
}
