// Package index parses the markers for lookups in listers and resolves the fields that they name.
package index

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/fieldpath"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// taken are the names of other declarations in the file of a lister, without the leading kind.
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

// parameterName returns the name of the only parameter of a function, followed by a space, or "".
func parameterName(function *ast.FuncType) string {
	if len(function.Params.List) == 1 && len(function.Params.List[0].Names) == 1 {
		return function.Params.List[0].Names[0].Name + " "
	}
	return ""
}

// setField resolves a path of JSON names.
func (r *reader) setField(path marker.FieldPath) bool {
	r.index.Name = strings.TrimPrefix(path.Text, ".")
	follower := &fieldpath.Follower{Universe: r.universe, Diags: r.diags, Text: r.index.Name, Otherwise: "use func=<Name>"}
	t := r.decl.GoType
	for _, element := range path.Elements {
		t, _ = follower.Into(t, true)
		var ok bool
		if t, ok = follower.Field(t, element.Text, element.Pos); !ok {
			return false
		}
		r.index.Method = "By" + follower.Path[len(follower.Path)-1].Field
	}
	return r.setValue(follower, t, path.Pos)
}

const indexable = "index a string, boolean or integer, a pointer to or slice of these, or a map[string]string; for others, use func=<Name>"

// setValue checks that values of type t can be indexed.
func (r *reader) setValue(follower *fieldpath.Follower, t types.Type, pos token.Position) bool {
	t, underlying := follower.Into(t, true)
	r.index.Path = follower.Path
	switch u := underlying.(type) {
	case *types.Map:
		if r.isString(u.Key()) && r.isString(u.Elem()) {
			r.index.Path = append(r.index.Path, model.Step{Into: model.IntoMap})
			return true
		}
	case *types.Basic:
		return r.setBasic(t, u, pos)
	}
	return !follower.Missing(underlying, pos) && r.cannot(pos, t)
}

func (r *reader) isString(t types.Type) bool {
	basic, ok := r.universe.Underlying(t).(*types.Basic)
	return ok && basic.Kind() == types.String
}

func (r *reader) setBasic(t types.Type, basic *types.Basic, pos token.Position) bool {
	if basic.Info()&(types.IsString|types.IsBoolean|types.IsInteger) == 0 {
		return r.cannot(pos, t)
	}
	r.index.Value = basic.Name()
	if decl := r.universe.Decl(t); decl != nil && decl.Package == r.decl.Package && token.IsExported(decl.Name()) {
		r.index.Value, r.index.Local = decl.Name(), true
	}
	return true
}

func (r *reader) cannot(pos token.Position, t types.Type) bool {
	r.diags.AddHint(pos, indexable, "field %s of type %s cannot be indexed", r.index.Name, fieldpath.TypeName(t))
	return false
}
