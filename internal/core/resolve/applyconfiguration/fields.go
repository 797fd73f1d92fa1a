package applyconfiguration

import (
	"go/types"
	"reflect"

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

// fieldsOf returns the fields of the apply configuration of a struct: the fields that code-generator writes, and those that are in
// the JSON in addition. Structs that are inlined and have no apply configuration are replaced by their fields.
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
