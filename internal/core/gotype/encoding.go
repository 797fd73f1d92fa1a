package gotype

import (
	"go/types"
	"maps"
)

// Encoding is how encoding/json encodes the values of a type.
type Encoding int

// The encodings.
const (
	// Structured values are encoded as their Go type says: structs as objects with their fields, slices as arrays.
	Structured Encoding = iota
	// Custom values are encoded by a method MarshalJSON. It can be that of an embedded field, which then encodes the whole struct.
	Custom
	// Text values are encoded as strings by a method MarshalText.
	Text
)

// Encoding returns how the values of a type, or those that a pointer points to, are encoded. Methods with a pointer as receiver count:
// encoding/json calls them for all values that are part of an object, except for the values of maps.
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
