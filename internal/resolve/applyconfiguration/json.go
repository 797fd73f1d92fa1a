package applyconfiguration

import (
	"go/types"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
)

// encodes reports whether a type declares how it is encoded in JSON, so that its fields do not tell.
func (x *index) encodes(decl *gotype.Decl) bool {
	_, custom := decl.Method("MarshalJSON")
	_, text := decl.Method("MarshalText")
	return (custom || text) && x.universe.Encoding(x.universe.Type(decl)) != gotype.Structured
}

// checkEncoding warns about embedded fields with their own encoding in a type with its own encoding: the apply configuration is encoded
// by that of the field, and loses its other fields.
func (b *builder) checkEncoding(structType *types.Struct) {
	for v := range structType.Fields() {
		if v.Embedded() && b.index.universe.Encoding(v.Type()) != gotype.Structured {
			b.names.reporter.diags.Warn(b.names.reporter.fset.Position(v.Pos()), "do not embed it: give the field a name",
				"the apply configuration of %s only has the JSON of the embedded %s", b.decl.Name(), v.Name())
		}
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
	case *types.Pointer:
		return x.needsJSON(u.Elem())
	case *types.Slice:
		return x.needsJSON(u.Elem())
	case *types.Map:
		key, _ := x.universe.Underlying(u.Key()).(*types.Basic)
		return key == nil || key.Kind() != types.String || x.universe.Encoding(u.Key()) != gotype.Structured || x.needsJSON(u.Elem())
	case *types.Struct:
		fields, hidden := x.universe.JSONFields(u)
		return hidden || slices.ContainsFunc(fields, x.isOddField)
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
