// Package index parses the markers for lookups in listers and resolves the fields that they name.
package index

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// taken are what the names of other declarations in the file of a lister have after the kind.
var taken = []string{"Indexers", "Lister", "ListerExpansion", "NamespaceLister", "NamespaceListerExpansion"}

// Read returns the lookups that the markers of a kind declare. Invalid markers are reported.
func Read(universe *gotype.Universe, kind *model.Kind, decl *source.Kind, diags *diag.List) (indexes []model.Index) {
	for _, m := range decl.By.Indexes {
		r := &reader{universe: universe, decl: decl, diags: diags}
		index, ok := r.read(m)
		switch {
		case !ok:
		case !kind.Verbs.Has(model.List, model.Watch) || kind.NoVerbs:
			diags.AddHint(m.Pos, "allow the verbs list and watch", "type %s has no informer, so it cannot have an index", kind.Name)
		case slices.Contains(taken, index.Method) ||
			slices.ContainsFunc(indexes, func(other model.Index) bool { return other.Method == index.Method }):
			diags.AddHint(m.Pos, "set another name with name=…", "the package of the listers already has %s%s", kind.Name, index.Method)
		default:
			indexes = append(indexes, index)
		}
	}
	return indexes
}

// reader reads one marker.
type reader struct {
	universe *gotype.Universe
	decl     *source.Kind
	diags    *diag.List

	index model.Index
}

// read resolves the value of a marker. Its parsed part ends before its first mistake.
func (r *reader) read(m marker.Marker) (model.Index, bool) {
	var mistakes diag.List
	request, _ := marker.As[marker.IndexRequest](m, &mistakes)
	r.index.Of, r.index.Value = request.Of, "string"
	value, ok := request.Source.Text, true
	switch request.Of {
	case model.IndexOfField:
		ok = r.setField(request.Path)
	case model.IndexOfLabel:
		r.index.Label, r.index.Name = value, "metadata.labels."+value
		r.index.Method = "By" + goname.Camel(value[strings.LastIndex(value, "/")+1:]) + "Label"
	case model.IndexOfOwner:
		r.index.Name, r.index.Method = "metadata.ownerReferences.uid", "ByOwner"
	case model.IndexOfFunc:
		ok = r.setFunc(value, request.Source.Pos)
	}
	if ok {
		*r.diags = append(*r.diags, mistakes...)
	}
	r.index.Method = cmp.Or(request.Name, r.index.Method)
	return r.index, ok && len(mistakes) == 0
}

// setFunc checks that the API package has the key function.
func (r *reader) setFunc(name string, pos token.Position) bool {
	want := "func " + name + "(*" + r.decl.Name() + ") []string"
	function := r.decl.Package.Funcs[name]
	switch {
	case !token.IsExported(name) || !token.IsIdentifier(name):
		r.diags.AddHint(pos, "export it: listers are in another package", "invalid function %q", name)
		return false
	case function == nil:
		r.diags.AddHint(pos, "declare "+want, "package %s has no function %s", r.decl.Package.Name, name)
		return false
	case types.ExprString(function.Type) != "func("+parameterName(function.Type)+"*"+r.decl.Name()+") []string":
		r.diags.AddHint(pos, "declare "+want, "function %s is a %s", name, types.ExprString(function.Type))
		return false
	}
	r.index.Func, r.index.Name, r.index.Method = name, name, "By"+name
	return true
}
