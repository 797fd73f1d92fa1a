package applyconfiguration

import (
	"go/types"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
)

// encodes reports whether a type declares how it is encoded in JSON, so that its fields do not tell.
func (x *index) encodes(decl *gotype.Decl) bool {
	_, custom := decl.Method("MarshalJSON")
	_, text := decl.Method("MarshalText")
	return (custom || text) && x.universe.Encoding(x.universe.Type(decl)) != gotype.Structured
}

// checkJSON warns about names in tags that releases of Go read differently, and about embedded fields with their own encoding in a type
// that encodes itself: the apply configuration is encoded by that of the field, and loses its other fields.
func (b *builder) checkJSON(structType *types.Struct, encodes bool) {
	diags, fset := b.names.reporter.diags, b.names.reporter.fset
	for i := range structType.NumFields() {
		v := structType.Field(i)
		if name, _, _ := gotype.JSONTag(structType.Tag(i)); !gotype.IsJSONName(name) {
			diags.Warn(fset.Position(v.Pos()), "use letters, digits, - and _",
				"the name %q in the json tag of %s has characters that releases of Go read differently", name, v.Name())
		}
		if encodes && v.Embedded() && b.index.universe.Encoding(v.Type()) != gotype.Structured {
			diags.Warn(fset.Position(v.Pos()), "do not embed it: give the field a name",
				"the apply configuration of %s only has the JSON of the embedded %s", b.decl.Name(), v.Name())
		}
	}
}

// inJSON returns the fields in the JSON of a struct.
func (x *index) inJSON(structType *types.Struct) map[*types.Var]gotype.JSONField {
	fields, _ := x.universe.JSONFields(structType)
	found := make(map[*types.Var]gotype.JSONField, len(fields))
	for _, f := range fields {
		found[f.Var()] = f
	}
	return found
}

func (in embedding) pathTo(f field) []*types.Var { return append(slices.Clone(in.through), f.Var) }

// sends reports whether a field is in the JSON. Structs without a builder are not on the path, and a struct may be embedded twice.
func (in embedding) sends(v *types.Var) bool {
	f, ok := in.json[v]
	return !v.Exported() || ok && !slices.ContainsFunc(in.through[in.named:], func(v *types.Var) bool { return !slices.Contains(f.Path, v) })
}

// unsent is a setter of a field that is not in the JSON: the index of the setter, the path to the field, and the path to a field of the
// same name that is in the JSON.
type unsent struct {
	setter   int
	path, by []*types.Var
}

// replace makes a setter set another field of the same name, unless that changes the parameter, which clients of code-generator know.
func (b *builder) replace(hidden unsent, f field, in embedding) {
	old, set := &b.target.Setters[hidden.setter], b.setter(f, f.Name(), in)
	if old.Type == set.Type && old.Form == set.Form {
		*old = set
		delete(b.unsent, f.Name())
		return
	}
	hidden.by = in.pathTo(f)
	b.unsent[f.Name()] = hidden
}

// warnUnsent warns about setters of fields that are not in the JSON.
func (b *builder) warnUnsent() {
	for name, hidden := range b.unsent {
		at, hint := hidden.path[len(hidden.path)-1], "give it a name in JSON that no other field has"
		if len(hidden.by) > 0 {
			i := slices.IndexFunc(hidden.by, func(v *types.Var) bool { return !slices.Contains(hidden.path, v) })
			at = hidden.by[len(hidden.by)-1]
			hint = "declare " + hidden.by[i].Name() + " above " + hidden.path[i].Name() + ", and With" + name + " sets this field"
		}
		b.names.reporter.diags.Warn(b.names.reporter.fset.Position(at.Pos()), hint,
			"With%s of the apply configuration of %s sets a field that is not in the JSON", name, b.decl.Name())
	}
}

// needsJSON reports whether values of a type have to be converted by encoding/json: structured-merge-diff and apimachinery, which
// convert Go values without it, know the method MarshalJSON, but not MarshalText; they do not support arrays, uint64 and keys other
// than strings, and they read json tags in their own way.
func (x *index) needsJSON(t types.Type) bool {
	t = gotype.Pointee(t)
	if known, ok := x.viaJSON[t]; ok {
		return known
	}
	x.viaJSON[t] = false // for types that contain themselves
	x.viaJSON[t] = x.isOdd(t)
	return x.viaJSON[t]
}

func (x *index) isOdd(t types.Type) bool {
	switch encoding := x.universe.Encoding(t); {
	case encoding == gotype.Custom:
		return false
	case encoding == gotype.Text, x.universe.IsJSONNumber(t):
		return true
	}
	switch u := x.universe.Underlying(t).(type) {
	case *types.Basic:
		return u.Kind() == types.Uint64 || u.Kind() == types.Uintptr
	case *types.Array:
		return true
	case *types.Map:
		key, _ := x.universe.Underlying(u.Key()).(*types.Basic)
		return key == nil || key.Kind() != types.String || x.universe.Encoding(u.Key()) != gotype.Structured || x.needsJSON(u.Elem())
	case *types.Struct:
		fields, hidden := x.universe.JSONFields(u)
		return hidden || slices.ContainsFunc(fields, x.isOddField)
	case interface{ Elem() types.Type }: // a pointer or a slice
		return x.needsJSON(u.Elem())
	}
	return false
}

// isOddField reports whether a field needs encoding/json because of its tag or type.
func (x *index) isOddField(f gotype.JSONField) bool {
	return f.Quoted || f.Name == "-" ||
		f.Untagged && !x.release.EmbedsUnnamed() || // these releases inline and name such fields differently
		f.Var().Embedded() && f.Tag.Name == "" || // not a struct
		x.needsJSON(f.Var().Type())
}
