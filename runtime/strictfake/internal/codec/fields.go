package codec

import (
	"cmp"
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
)

var (
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// jsonField is a JSON field of a struct.
type jsonField struct {
	reflect.Type
	options []string
	// depth is the number of structs that it is promoted through, tagged is true if its tag has its name.
	depth  int
	tagged bool
}

// jsonType returns the JSON type of the field.
func (f jsonField) jsonType() string {
	t := pointee(f.Type)
	isText := reflect.PointerTo(t).Implements(textUnmarshaler)
	switch kind := t.Kind(); {
	case isText, kind == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return "string"
	case t == reflect.TypeFor[json.Number]():
		return "number"
	case kind == reflect.Slice, kind == reflect.Array:
		return "array"
	case kind == reflect.Map, kind == reflect.Struct, kind == reflect.Interface:
		return "object"
	case slices.Contains(f.options, "string"), kind == reflect.String:
		return "string"
	case kind == reflect.Bool:
		return "boolean"
	case kind == reflect.Float32, kind == reflect.Float64:
		return "number"
	}
	return "integer"
}

// pointee returns a type without its pointers.
func pointee(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// knownFields caches the results of fieldsOf, by reflect.Type.
var knownFields sync.Map

// fieldsOf returns the JSON fields of a struct by name, as encoding/json determines them: of several fields with a name, the least
// nested one counts, and among these the one whose tag has the name.
func fieldsOf(t reflect.Type) map[string]jsonField {
	if known, ok := knownFields.Load(t); ok {
		return known.(map[string]jsonField) //nolint:forcetypeassert // only fieldsOf stores values
	}
	found := map[string][]jsonField{}
	visited, times := map[reflect.Type]bool{}, map[reflect.Type]int{t: 1}
	for depth := 0; len(times) > 0; depth++ {
		below := map[reflect.Type]int{}
		for t, n := range times {
			visited[t] = true
			for _, inlined := range collectFields(t, depth, n > 1, found) {
				below[inlined]++
			}
		}
		maps.DeleteFunc(below, func(t reflect.Type, _ int) bool { return visited[t] })
		times = below
	}
	fields := map[string]jsonField{}
	for name, candidates := range found {
		best := slices.MinFunc(candidates, compareFields)
		isBest := func(f jsonField) bool { return compareFields(f, best) == 0 }
		if i := slices.IndexFunc(candidates, isBest); !slices.ContainsFunc(candidates[i+1:], isBest) {
			fields[name] = best
		}
	}
	knownFields.Store(t, fields)
	return fields
}

// compareFields orders fields with the same name by precedence.
func compareFields(x, y jsonField) int {
	if x.depth != y.depth || x.tagged == y.tagged {
		return cmp.Compare(x.depth, y.depth)
	}
	if x.tagged {
		return -1
	}
	return 1
}

// collectFields adds the JSON fields of a struct by name, twice if it is embedded several times. It returns the structs that it inlines.
func collectFields(t reflect.Type, depth int, several bool, found map[string][]jsonField) (inlined []reflect.Type) {
	for f := range t.Fields() {
		tag := f.Tag.Get("json")
		options := strings.Split(tag, ",")
		name := options[0]
		of := f.Type
		if of.Kind() == reflect.Pointer && of.Name() == "" {
			of = of.Elem()
		}
		isStruct := f.Anonymous && of.Kind() == reflect.Struct
		switch {
		case tag == "-" || !f.IsExported() && !isStruct:
		case isStruct && name == "":
			inlined = append(inlined, of)
		default:
			field := jsonField{f.Type, options[1:], depth, name != ""}
			name = cmp.Or(name, f.Name)
			found[name] = append(found[name], field)
			if several {
				found[name] = append(found[name], field)
			}
		}
	}
	return inlined
}
