package index

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/fieldpath"
)

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
