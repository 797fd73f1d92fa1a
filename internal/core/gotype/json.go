package gotype

import (
	"cmp"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// JSONTag returns the json tag of a field: the name before the first comma, and what follows.
func JSONTag(tag string) (name, options string, tagged bool) {
	value, tagged := reflect.StructTag(tag).Lookup("json")
	name, options, _ = strings.Cut(value, ",")
	return name, options, tagged
}

// IsJSONName reports whether a json tag can have a name. Before Go 1.27, encoding/json ignores other names and uses the name of the field;
// since then it uses the name or a part of it: o for o'clock.
func IsJSONName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// FieldTag is the parsed json tag of a field.
type FieldTag struct {
	// Name is the part before the first comma, Options the part after it. Either may be "".
	Name, Options string
	// Inline is true if the fields of the embedded type are serialized as if they were the struct's own.
	Inline bool
}

// Has reports whether the tag has an option, such as omitempty.
func (t FieldTag) Has(option string) bool {
	return slices.Contains(strings.Split(t.Options, ","), option)
}

// ReadFieldTag reads the json tag of a field as encoding/json does; ok is false for fields that are never serialized. Fields named _
// and unexported fields are not, but the exported fields of an unexported embedded struct are. Unresolved types count as structs.
func (u *Universe) ReadFieldTag(field *types.Var, tag string) (read FieldTag, ok bool) {
	name, options, _ := JSONTag(tag)
	if !IsJSONName(name) {
		name = ""
	}
	isStruct := false
	switch u.Underlying(dereferenced(field.Type())).(type) {
	case *types.Struct, *Missing:
		isStruct = true
	}
	read = FieldTag{Name: name, Options: options, Inline: field.Embedded() && name == "" && isStruct}
	ok = reflect.StructTag(tag).Get("json") != "-" && (field.Exported() || field.Embedded() && isStruct)
	return read, ok
}

// dereferenced returns the element of a pointer type, and other types unchanged.
func dereferenced(t types.Type) types.Type {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		return types.Unalias(pointer.Elem())
	}
	return types.Unalias(t)
}

// JSONField is a field of a struct in JSON.
type JSONField struct {
	// Name is the name in JSON.
	Name string
	Tag  FieldTag
	// Path are the embedded fields that it is promoted through, and the field itself. Index is their positions.
	Path  []*types.Var
	Index []int
	// Quoted is true for numbers and booleans that are encoded as strings. Untagged is true if the field, or an embedded field that
	// promotes it, has no json tag or an empty one.
	Quoted, Untagged bool
}

// Var returns the field itself.
func (f JSONField) Var() *types.Var { return f.Path[len(f.Path)-1] }

// JSONFields returns the fields that encoding/json encodes for a struct, in the order of their declarations. They include the fields of
// embedded structs, unless they are hidden: if several fields have the same name, the least nested one counts, and among these the
// one whose tag has the name. If that does not leave one, none counts. Hidden reports whether there are such fields.
func (u *Universe) JSONFields(structType *types.Struct) (fields []JSONField, hidden bool) {
	known, ok := u.inJSON[structType]
	if !ok {
		known.fields, known.hidden = u.jsonFields(structType)
		u.inJSON[structType] = known
	}
	return known.fields, known.hidden
}

// inJSON is the result of JSONFields.
type inJSON struct {
	fields []JSONField
	hidden bool
}

func (u *Universe) jsonFields(structType *types.Struct) (fields []JSONField, hidden bool) {
	walk := jsonWalk{universe: u, visited: map[string]bool{}, found: map[string][]JSONField{}}
	for level := []embeddedStruct{{structType: structType, times: 1}}; len(level) > 0; {
		level = walk.level(level)
	}
	hidden = walk.hidden
	for _, found := range walk.found {
		hidden = hidden || len(found) > 1
		if f, ok := dominant(found); ok {
			fields = append(fields, f)
		}
	}
	slices.SortFunc(fields, func(x, y JSONField) int { return slices.Compare(x.Index, y.Index) })
	return fields, hidden
}

// jsonWalk collects the fields of a struct by level of embedding.
type jsonWalk struct {
	universe *Universe
	visited  map[string]bool
	found    map[string][]JSONField
	// hidden is true if a struct is embedded again on a deeper level.
	hidden bool
}

// embeddedStruct is a struct on a level. If a type is embedded several times on the same level, its fields hide each other.
type embeddedStruct struct {
	structType *types.Struct
	path       []*types.Var
	index      []int
	untagged   bool
	times      int
}

// level adds the fields of the structs on a level, and returns the next one.
func (w *jsonWalk) level(level []embeddedStruct) (next []embeddedStruct) {
	below := map[string]int{} // index in next + 1
	var names []string
	for _, s := range level {
		for i := range s.structType.NumFields() {
			v := s.structType.Field(i)
			tag, ok := w.universe.ReadFieldTag(v, s.structType.Tag(i))
			if !ok {
				continue
			}
			path, index := append(slices.Clone(s.path), v), append(slices.Clone(s.index), i)
			untagged := s.untagged || reflect.StructTag(s.structType.Tag(i)).Get("json") == ""
			if !tag.Inline {
				f := JSONField{cmp.Or(tag.Name, v.Name()), tag, path, index, tag.Has("string") && w.universe.quotable(v.Type()), untagged}
				w.found[f.Name] = append(w.found[f.Name], slices.Repeat([]JSONField{f}, min(s.times, 2))...)
				continue
			}
			t := dereferenced(v.Type())
			switch key := t.String(); {
			case w.visited[key]:
				w.hidden = true
			case below[key] > 0:
				next[below[key]-1].times++
			default:
				if inner, ok := w.universe.Underlying(t).(*types.Struct); ok {
					next = append(next, embeddedStruct{inner, path, index, untagged, 1})
					below[key] = len(next)
					names = append(names, key)
				}
			}
		}
	}
	for _, name := range names {
		w.visited[name] = true
	}
	return next
}

// dominant returns the field that counts among those with the same name, ordered by level.
func dominant(fields []JSONField) (JSONField, bool) {
	var best []JSONField
	for _, f := range fields {
		switch tagged := f.Tag.Name != ""; {
		case len(best) == 0:
			best = append(best, f)
		case len(f.Path) > len(best[0].Path), best[0].Tag.Name != "" && !tagged:
		case best[0].Tag.Name == "" && tagged:
			best = []JSONField{f}
		default:
			best = append(best, f)
		}
	}
	if len(best) != 1 {
		return JSONField{}, false
	}
	return best[0], true
}

// quotable reports whether the option string applies to a type: to strings, numbers and booleans, and pointers to these.
func (u *Universe) quotable(t types.Type) bool {
	basic, ok := u.Underlying(dereferenced(t)).(*types.Basic)
	return ok && basic.Info()&(types.IsBoolean|types.IsNumeric|types.IsString) != 0 && u.Encoding(t) == Structured
}

// Encoding is how encoding/json encodes the values of a type.
type Encoding int

// The encodings.
const (
	// Structured values are encoded as their Go type says: structs as objects with their fields, slices as arrays.
	Structured Encoding = iota
	// Custom values are encoded by a method MarshalJSON. If an embedded field promotes it, the method encodes the whole struct.
	Custom
	// Text values are encoded as strings by a method MarshalText.
	Text
)

// Encoding returns how the values of a type, or of the type that a pointer points to, are encoded. Methods with a pointer as receiver
// count: encoding/json calls them for all values that are part of an object, except for the values of maps.
func (u *Universe) Encoding(t types.Type) Encoding {
	t = Pointee(t)
	known, ok := u.encodings[t]
	if !ok {
		if u.Selects(t, "MarshalJSON") {
			known = Custom
		} else if u.Selects(t, "MarshalText") {
			known = Text
		}
		u.encodings[t] = known
	}
	return known
}

// Selects reports whether the selector of a name on a variable of the type selects a method that returns text and an error. The type or an
// embedded field declares the method. A method or field with the same name closer to the type hides it; two on a level hide each other.
func (u *Universe) Selects(t types.Type, name string) bool {
	visited := map[string]bool{}
	for level := []types.Type{t}; len(level) > 0; {
		var next []types.Type
		found, methods := 0, 0
		seen := map[string]bool{}
		for _, t := range level {
			key := t.String()
			if visited[key] {
				continue
			}
			seen[key] = true
			declared, isMethod := u.declares(t, name)
			switch {
			case isMethod:
				found, methods = found+1, methods+1
			case declared:
				found++
			default:
				next = append(next, u.embeddedIn(t)...)
			}
		}
		if found > 0 {
			return found == 1 && methods == 1
		}
		maps.Copy(visited, seen)
		level = next
	}
	return false
}

// declares reports whether a type itself has a field or method of the name, and whether that is a method without parameters that
// returns two values.
func (u *Universe) declares(t types.Type, name string) (declared, isMethod bool) {
	if decl := u.Decl(t); decl != nil {
		if m, ok := decl.Method(name); ok {
			return true, m.Type.Params.NumFields() == 0 && m.Type.Results.NumFields() == 2
		}
	}
	switch underlying := u.Underlying(t).(type) {
	case *types.Interface:
		for method := range underlying.Methods() {
			if method.Name() == name {
				return true, method.Signature().Params().Len() == 0 && method.Signature().Results().Len() == 2
			}
		}
	case *types.Struct:
		return u.FieldOf(t, name) != nil, false
	}
	return false, false
}

// embeddedIn returns the types that a struct embeds, without pointers.
func (u *Universe) embeddedIn(t types.Type) []types.Type {
	structType, ok := u.Underlying(t).(*types.Struct)
	if !ok {
		return nil
	}
	var embedded []types.Type
	for field := range structType.Fields() {
		if field.Embedded() {
			embedded = append(embedded, dereferenced(field.Type()))
		}
	}
	return embedded
}

// IsJSONNumber reports whether a type is json.Number, a string that is encoded as a number.
func (u *Universe) IsJSONNumber(t types.Type) bool {
	decl := u.Decl(Pointee(t))
	return decl != nil && decl.Package.Path == "encoding/json" && decl.Name() == "Number"
}
