package controller

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/fieldpath"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// walker resolves the paths of references, below the type of a declaration.
type walker struct {
	universe *gotype.Universe
	decl     *source.Kind
	diags    *diag.List
}

// reference resolves the paths of a reference.
func (w *walker) reference(r *reference) {
	path := w.follower(r.Path)
	t, ok := w.follow(path, r.Path)
	if ok {
		ok = w.name(path, t, r)
	}
	if r.Namespace.Text == "" {
		return
	}
	namespace := w.follower(r.Namespace)
	t, followed := w.follow(namespace, r.Namespace)
	if !followed || !ok {
		return
	}
	t, underlying := namespace.Into(t, false)
	loops, rest := split(namespace.Path)
	switch {
	case namespace.Missing(underlying, r.Namespace.Pos):
	case !isString(underlying):
		w.diags.AddHint(r.Namespace.Pos, "use a string or a pointer to one",
			"field %s of type %s is not a namespace", r.Namespace.Text, fieldpath.TypeName(t))
	case len(loops) > len(r.model.Each) || !slices.Equal(loops, r.model.Each[:len(loops)]):
		w.diags.AddHint(r.Namespace.Pos, "begin both with the same part up to the last [*] of the namespace",
			"namespace=%s is not in the same list as path=%s", r.Namespace.Text, r.Path.Text)
	default:
		r.model.Namespace, r.model.Outer = &model.StringAt{Path: rest, Converted: isConverted(t)}, loops.Loops()
	}
}

func (w *walker) follower(path marker.FieldPath) *fieldpath.Follower {
	return &fieldpath.Follower{Universe: w.universe, Diags: w.diags, Text: path.Text, Otherwise: "refer to another field"}
}

// follow follows a path of JSON names, in which [*] leads into lists and maps. It returns the type at its end.
func (w *walker) follow(f *fieldpath.Follower, path marker.FieldPath) (types.Type, bool) {
	t := w.decl.GoType
	before, last := "", path.Elements[0].Pos
	for _, element := range path.Elements {
		at := element.Pos
		if element.Name == "" {
			w.diags.AddHint(at, "write names in JSON, and [*] after lists and maps: spec.env[*].configMapRef", "invalid path %q", path.Text)
			return nil, false
		}
		var underlying types.Type
		t, underlying = f.Into(t, false)
		switch underlying.(type) {
		case *types.Slice, *types.Map:
			w.diags.AddHint(last, "write "+before+"[*]."+element.Text, "field %s is a list or map", before)
			return nil, false
		}
		var ok bool
		if t, ok = f.Field(t, element.Name, at); !ok {
			return nil, false
		}
		for range element.Stars {
			if t, ok = w.elements(f, t, at); !ok {
				return nil, false
			}
		}
		last = at
		before = strings.TrimPrefix(before+"."+element.Text, ".")
	}
	return t, true
}

// elements adds the step to the elements of a list or map.
func (w *walker) elements(f *fieldpath.Follower, t types.Type, pos token.Position) (types.Type, bool) {
	t, underlying := f.Into(t, false)
	switch u := underlying.(type) {
	case *types.Slice:
		f.Path = append(f.Path, model.Step{Into: model.IntoSlice})
		return u.Elem(), true
	case *types.Map:
		if key, ok := w.universe.Underlying(u.Key()).(*types.Basic); ok && key.Info()&types.IsOrdered != 0 {
			f.Path = append(f.Path, model.Step{Into: model.IntoValues})
			return u.Elem(), true
		}
	}
	if !f.Missing(underlying, pos) {
		w.diags.AddHint(pos, "remove [*]", "a value of type %s has no elements", fieldpath.TypeName(t))
	}
	return nil, false
}

// name resolves the name at the end of a path, whose type is t, and the namespace and the kind next to it.
func (w *walker) name(f *fieldpath.Follower, t types.Type, r *reference) bool {
	t, underlying := f.Into(t, true)
	r.model.Many = f.Path.Repeats()
	each, rest := split(f.Path)
	r.model.Each = each
	switch u := underlying.(type) {
	case *types.Struct:
		name := w.stringIn(u, "name")
		if name == nil || w.universe.Encoding(t) != gotype.Structured {
			break
		}
		below := func(s *model.StringAt) *model.StringAt {
			if s != nil {
				s.Path = slices.Concat(rest, s.Path)
			}
			return s
		}
		r.model.Target = *below(name)
		r.model.Kind = below(w.stringIn(u, "kind"))
		r.model.Namespace, r.model.Outer = below(w.stringIn(u, "namespace")), each.Loops()
		return true
	default:
		if isString(underlying) {
			r.model.Target = model.StringAt{Path: rest, Converted: isConverted(t)}
			return true
		}
	}
	hint := "refer to a string, a struct with a field name, or a pointer to or list of these"
	if _, isMap := underlying.(*types.Map); isMap {
		hint = "write " + r.Path.Text + "[*] for the values of a map"
	}
	if !f.Missing(underlying, r.Path.Pos) {
		w.diags.AddHint(r.Path.Pos, hint, "field %s of type %s is not a name", r.Path.Text, fieldpath.TypeName(t))
	}
	return false
}

// stringIn returns where a struct has a field with a JSON name; nil if it has none or if that is not a string.
func (w *walker) stringIn(structType *types.Struct, name string) *model.StringAt {
	field, ok := fieldpath.FieldsOf(w.universe, structType)[name]
	if !ok || field.Unreachable != "" {
		return nil
	}
	f := &fieldpath.Follower{Universe: w.universe, Path: field.Steps}
	t, underlying := f.Into(field.Type, false)
	if !isString(underlying) {
		return nil
	}
	return &model.StringAt{Path: f.Path, Converted: isConverted(t)}
}

// split splits a path after the last step into a list or map.
func split(path model.Path) (each, rest model.Path) {
	n := len(path)
	for n > 0 && !path[n-1:].Repeats() {
		n--
	}
	return path[:n:n], path[n:]
}

func isString(underlying types.Type) bool {
	basic, ok := underlying.(*types.Basic)
	return ok && basic.Kind() == types.String
}

// isConverted reports whether a string has a type of its own.
func isConverted(t types.Type) bool { return types.Unalias(t) != types.Typ[types.String] }
