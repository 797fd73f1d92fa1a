package applyconfiguration

import (
	"go/types"
	"reflect"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// field is a field of an apply configuration, planned from a field of the Go type or of a struct that it inlines.
type field struct {
	*types.Var
	// owner is the struct that declares it.
	owner types.Type
	tag   gotype.FieldTag
	// name is its name in the apply configuration.
	name   string
	quoted bool
	// added is true if code-generator's apply configurations for the release lack the field.
	added bool
}

// isEmbedded reports whether the field is embedded in the apply configuration, too.
func (f field) isEmbedded() bool { return f.Embedded() && f.name == f.Name() }

// written reports whether code-generator's apply configurations include a field: one with a json tag other than "-" and, before v0.37,
// other than "".
func (x *index) written(tag string) bool {
	value, tagged := reflect.StructTag(tag).Lookup("json")
	return tagged && value != "-" && (value != "" || x.release.EmbedsUnnamed())
}

// fieldsOf returns the fields of the apply configuration of a struct: the fields that code-generator writes, and other fields of the
// JSON. Structs that are inlined and have no apply configuration are replaced by their fields.
func (x *index) fieldsOf(structType *types.Struct, owner types.Type) []field {
	key := listed{structType, owner}
	if known, ok := x.fields[key]; ok {
		return known
	}
	l := lister{index: x, used: map[string]bool{}, inJSON: x.inJSON(structType), embedded: map[string]string{}, open: map[string]bool{}}
	for v := range structType.Fields() {
		l.used[v.Name()] = true
		if v.Embedded() {
			l.embedded[v.Name()] = gotype.Pointee(v.Type()).String()
		}
	}
	l.add(structType, field{owner: owner})
	x.fields[key] = l.fields
	return l.fields
}

// rawFields returns the fields of a struct that is embedded without an apply configuration.
func (x *index) rawFields(structType *types.Struct, owner types.Type) []field {
	var fields []field
	for i := range structType.NumFields() {
		v, tag := structType.Field(i), structType.Tag(i)
		if read, ok := x.universe.ReadFieldTag(v, tag); ok && v.Exported() && !hidden(owner, v) {
			fields = append(fields, field{v, owner, read, v.Name(), false, !x.written(tag)})
		}
	}
	return fields
}

// listed identifies a struct: several types may have the same fields.
type listed struct {
	*types.Struct
	owner types.Type
}

// lister collects the fields of one apply configuration.
type lister struct {
	index  *index
	fields []field
	// used are the names of fields, inJSON the fields in the JSON of the struct.
	used   map[string]bool
	inJSON map[*types.Var]gotype.JSONField
	// embedded are the types of embedded fields by their names.
	embedded map[string]string
	// open are the structs whose fields are being added.
	open map[string]bool
}

// add adds the fields of a struct. The parent is the field that it replaces; without a variable, it is the struct itself.
func (l *lister) add(structType *types.Struct, parent field) {
	key := parent.owner.String()
	if l.open[key] {
		return // encoding/json skips structs within themselves
	}
	l.open[key] = true
	defer delete(l.open, key)
	for i := range structType.NumFields() {
		v, tag := structType.Field(i), structType.Tag(i)
		written := l.index.written(tag)
		read, serialized := l.index.universe.ReadFieldTag(v, tag)
		f := field{v, parent.owner, read, v.Name(), l.inJSON[v].Quoted, parent.added || !written}
		switch {
		case v.Name() == "_" || hidden(f.owner, v) || !written && !serialized,
			tag == "" && (source.IsMetaV1(v.Type(), "TypeMeta") || source.IsMetaV1(v.Type(), "ObjectMeta")): // servers expect a tag
			continue
		case parent.Var != nil && f.tag.Inline && l.embedded[v.Name()] == gotype.Pointee(v.Type()).String():
			continue // its fields are there
		case l.index.replaced(f) || parent.Var != nil && f.tag.Inline && l.embedded[v.Name()] != "":
			inner, _ := l.index.universe.Underlying(gotype.Pointee(v.Type())).(*types.Struct)
			f.owner = gotype.Pointee(v.Type())
			l.add(inner, f)
			continue
		case parent.Var != nil && !f.tag.Inline:
			if _, ok := l.inJSON[v]; !ok {
				continue
			}
			f.name = l.free(parent, v)
		case v.Embedded() && !v.Exported():
			f.name = l.free(parent, v)
		}
		if v.Embedded() {
			l.embedded[v.Name()] = gotype.Pointee(v.Type()).String()
		}
		l.fields = append(l.fields, f)
	}
}

// free returns an exported name for a field that is not in the apply configuration under its own name.
func (l *lister) free(parent field, v *types.Var) string {
	name, prefix := goname.UpperFirst(v.Name()), v
	if parent.Var != nil {
		prefix = parent.Var
	}
	for l.used[name] {
		name = goname.UpperFirst(prefix.Name()) + name
	}
	l.used[name] = true
	return name
}

// replaced reports whether an embedded struct is replaced by its fields: it is inlined and has no apply configuration, and without a
// value it would send fields that are not set. A struct with its own JSON form encodes the whole apply configuration.
func (x *index) replaced(f field) bool {
	if _, _, applied := x.find(f.Type()); applied || !f.tag.Inline {
		return false
	}
	structType, ok := x.universe.Underlying(gotype.Pointee(f.Type())).(*types.Struct)
	return ok && (!f.Exported() || x.universe.Encoding(f.Type()) == gotype.Structured && !x.omitted(structType))
}

// omitted reports whether all fields of a struct are omitted from the JSON unless they are set.
func (x *index) omitted(structType *types.Struct) bool {
	fields, _ := x.universe.JSONFields(structType)
	for _, f := range fields {
		_, pointer := types.Unalias(f.Var().Type()).(*types.Pointer)
		if !f.Tag.Has("omitempty") && !f.Tag.Has("omitzero") || !pointer && !nillable(f.Var().Type()) {
			return false
		}
	}
	return true
}

// encodes reports whether a type declares how it is encoded in JSON, so that its fields do not tell.
func (x *index) encodes(decl *gotype.Decl) bool {
	_, custom := decl.Method("MarshalJSON")
	_, text := decl.Method("MarshalText")
	return (custom || text) && x.universe.Encoding(x.universe.Type(decl)) != gotype.Structured
}

// checkJSON warns about names in tags that releases of Go read differently, and about embedded fields with their own encoding in a type
// that encodes itself: the field's method encodes the apply configuration, which loses its other fields.
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
