// Package index parses the markers for lookups in listers and resolves the fields that they name.
package index

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// params are the parameters of the marker. All except name are mutually exclusive.
var params = []string{"field", "label", "owner", "func", "name"}

const hint = "write field=spec.nodeName, label=app, owner or func=Keys"

// taken are what the names of other declarations in the file of a lister have after the kind.
var taken = []string{"Indexers", "Lister", "ListerExpansion", "NamespaceLister", "NamespaceListerExpansion"}

// Read returns the lookups that the markers of a kind declare. Invalid markers are reported.
func Read(universe *gotype.Universe, kind *model.Kind, decl *source.Type, diags *diag.List) (indexes []model.Index) {
	for _, m := range decl.Markers.All(marker.Index) {
		r := &reader{universe: universe, decl: decl, marker: m, diags: diags}
		index, ok := r.read()
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
	decl     *source.Type
	marker   marker.Marker
	diags    *diag.List

	index model.Index
	name  string
}

func (r *reader) read() (model.Index, bool) {
	for offset, word := range marker.Words(r.marker.Value) {
		key, value, assigned := strings.Cut(word, "=")
		pos, valuePos := r.marker.ValuePos(offset), r.marker.ValuePos(offset+len(word)-len(value))
		switch {
		case !slices.Contains(params, key):
			return r.fail(pos, marker.DidYouMean(key, params, hint), "unknown parameter %q of +%s", key, r.marker.Name)
		case assigned == (key == "owner") || assigned && value == "":
			return r.fail(pos, hint, "cannot parse %q of +%s", word, r.marker.Name)
		case key == "name":
			if !token.IsExported(value) || !token.IsIdentifier(value) {
				return r.fail(valuePos, "use an exported identifier, such as ByNode", "invalid lookup name %q", value)
			}
			r.name = value
		case r.index.Of != "":
			return r.fail(pos, "write a marker for each", "+%s has both %s and %s", r.marker.Name, r.index.Of, key)
		default:
			r.index.Of = model.IndexOf(key)
			if !r.set(value, valuePos) {
				return model.Index{}, false
			}
		}
	}
	if r.index.Of == "" {
		return r.fail(r.marker.Pos, hint, "+%s needs a parameter field, label, owner or func", r.marker.Name)
	}
	if r.name != "" {
		r.index.Method = r.name
	}
	return r.index, true
}

func (r *reader) fail(pos token.Position, hint, format string, args ...any) (model.Index, bool) {
	r.diags.AddHint(pos, hint, format, args...)
	return model.Index{}, false
}

// set reads the source of the values.
func (r *reader) set(value string, pos token.Position) bool {
	r.index.Value = "string"
	switch r.index.Of {
	case model.IndexOfField:
		return r.setField(value, pos)
	case model.IndexOfLabel:
		if problems := content.IsLabelKey(value); len(problems) > 0 {
			r.diags.Add(pos, "invalid label %q: %s", value, problems[0])
			return false
		}
		r.index.Label, r.index.Name = value, "metadata.labels."+value
		r.index.Method = "By" + goname.Camel(value[strings.LastIndex(value, "/")+1:]) + "Label"
	case model.IndexOfOwner:
		r.index.Name, r.index.Method = "metadata.ownerReferences.uid", "ByOwner"
	case model.IndexOfFunc:
		return r.setFunc(value, pos)
	}
	return true
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
