package resolve

import (
	"go/token"
	"strings"

	"golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/deepcopy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/spelling"
)

// methodOf resolves a custom method.
func (r *resolver) methodOf(s *source.Package, kind *model.Kind, m marker.ClientMethod, diags *diag.List) model.Method {
	method := model.Method{
		Name: m.Name, Verb: m.Verb, Subresource: m.Subresource,
		Input:  typeRef(r.universe, kind, m.Input, diags),
		Result: typeRef(r.universe, kind, m.Result, diags),
	}
	if method.Verb != model.Apply { // which sends an apply configuration
		r.checkObject(method.Input, m.Input.Pos, diags)
	}
	returned := method.Result
	if method.Verb == model.List {
		returned.Name += "List"
		if returned.Package == s.Path && s.Decls[returned.Name] == nil {
			diags.Add(m.Pos, "method %s returns %s, which is not declared in this package", m.Name, returned.Name)
		}
	}
	r.checkObject(returned, m.Result.Pos, diags)
	for part := range strings.SplitSeq(m.Subresource, "/") {
		if m.Subresource != "" && !isDNSLabel(part) {
			diags.Add(m.Pos, "method %s: invalid subresource %q", m.Name, m.Subresource)
		}
	}
	return method
}

// typeRef resolves the input or result of a method: the kind itself if the marker names none, a type of the same package,
// or import/path.Type.
func typeRef(universe *gotype.Universe, kind *model.Kind, named marker.Written, diags *diag.List) model.Type {
	own, written, pos := kind.Version.Source.Path, named.Text, named.Pos
	if written == "" {
		return model.Type{Package: own, Name: kind.Name}
	}
	dot := strings.LastIndex(written, ".")
	ref := model.Type{Package: own, Name: written[dot+1:]}
	if dot > 0 {
		ref.Package = written[:dot]
	}
	if !token.IsIdentifier(ref.Name) || !token.IsExported(ref.Name) || module.CheckImportPath(ref.Package) != nil {
		diags.AddHint(pos, "write Name, or import/path.Name", "%q does not name a type", written)
		return ref
	}
	// The module may not require the package yet, so a package that cannot be loaded is left to the compiler.
	if declaring := universe.Package(ref.Package); declaring != nil && declaring.Types[ref.Name] == nil {
		diags.AddHint(pos, spelling.DidYouMean(ref.Name, declaring.TypeNames, ""), "type %s is not declared in package %s", ref.Name, ref.Package)
	}
	return ref
}

// checkObject reports a struct that cannot be a runtime.Object, so that no client can send or receive it.
func (r *resolver) checkObject(t model.Type, pos token.Position, diags *diag.List) {
	decl := r.universe.Lookup(t.Package, t.Name)
	if decl == nil {
		return
	}
	object := r.reader.Object(decl)
	if object.Struct == nil || object.Fields["TypeMeta"] || gotype.EmbedsOther(object.Struct, "ObjectMeta") {
		return
	}
	if _, byHand := decl.Method("GetObjectKind"); !byHand {
		diags.AddHint(pos, "embed metav1.TypeMeta `json:\",inline\"`", "type %s has no TypeMeta, so methods cannot send or return it", t.Name)
	}
}

// checkMethodNames reports custom methods that share a name with each other or with a verb of the client.
func checkMethodNames(kind *model.Kind, markers []marker.ClientMethod, diags *diag.List) {
	taken := map[string]bool{}
	for _, verb := range kind.ClientVerbs(true) {
		taken[goname.UpperFirst(string(verb))] = true
	}
	for _, m := range markers {
		if taken[m.Name] {
			diags.Add(m.Pos, "the client of %s already has a method %s", kind.Name, m.Name)
		}
		taken[m.Name] = true
	}
}

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

// lacking returns the method that a type lacks to be an object. The position is the type or, if it is declared outside of the run, the
// kind whose client needs it.
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
