package resolve

import (
	"go/token"
	"strings"

	"golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// methodOf resolves a custom method.
func methodOf(universe *gotype.Universe, s *source.Package, kind *model.Kind, m source.MethodMarker, diags *diag.List) model.Method {
	method := model.Method{
		Name: m.Name, Verb: model.Verb(m.Verb), Subresource: m.Subresource,
		Input:  typeRef(universe, kind, m.Input, m.InputPos, diags),
		Result: typeRef(universe, kind, m.Result, m.ResultPos, diags),
	}
	if method.Verb != model.Apply { // which sends an apply configuration
		checkObject(universe, method.Input, m.InputPos, diags)
	}
	returned := method.Result
	if method.Verb == model.List {
		returned.Name += "List"
		if returned.Package == s.Path && s.Decls[returned.Name] == nil {
			diags.Add(m.Pos, "method %s returns %s, which is not declared in this package", m.Name, returned.Name)
		}
	}
	checkObject(universe, returned, m.ResultPos, diags)
	for part := range strings.SplitSeq(m.Subresource, "/") {
		if m.Subresource != "" && !isDNSLabel(part) {
			diags.Add(m.Pos, "method %s: invalid subresource %q", m.Name, m.Subresource)
		}
	}
	return method
}

// typeRef resolves the input or result of a method: the kind itself if the marker names none, a type of the same package,
// or import/path.Type.
func typeRef(universe *gotype.Universe, kind *model.Kind, written string, pos token.Position, diags *diag.List) model.Type {
	own := kind.Version.Source.Path
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
		diags.AddHint(pos, marker.DidYouMean(ref.Name, declaring.TypeNames, ""), "type %s is not declared in package %s", ref.Name, ref.Package)
	}
	return ref
}

// checkObject reports a struct that cannot be a runtime.Object, so that no client can send or receive it.
func checkObject(universe *gotype.Universe, t model.Type, pos token.Position, diags *diag.List) {
	decl := universe.Lookup(t.Package, t.Name)
	if decl == nil {
		return
	}
	structType := universe.Struct(decl)
	if structType == nil || gotype.FieldNames(structType)["TypeMeta"] || gotype.EmbedsOther(structType, "ObjectMeta") {
		return
	}
	if _, byHand := decl.Method("GetObjectKind"); !byHand {
		diags.AddHint(pos, "embed metav1.TypeMeta `json:\",inline\"`", "type %s has no TypeMeta, so methods cannot send or return it", t.Name)
	}
}

// checkMethodNames reports custom methods that share a name with each other or with a verb of the client.
func checkMethodNames(kind *model.Kind, markers []source.MethodMarker, diags *diag.List) {
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
