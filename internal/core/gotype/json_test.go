package gotype_test

import (
	_ "embed"
	"encoding"
	"encoding/json"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
)

//go:embed jsonforms_test.go
var jsonForms string

// readForms returns the types in the embedded file, as read from its source, by the names of the fields of a struct.
func readForms(t *testing.T, name string) (*gotype.Universe, map[string]types.Type) {
	t.Helper()
	universe := gotypetest.Universe(t, "-- forms/forms.go --\n"+jsonForms)
	structType, ok := universe.Underlying(universe.Type(universe.Package(gotypetest.Module + "/forms").Types[name])).(*types.Struct)
	require.True(t, ok)
	read := map[string]types.Type{}
	for v := range structType.Fields() {
		read[v.Name()] = v.Type()
	}
	return universe, read
}

// fill sets all fields of a struct, so that none is omitted from its JSON.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() || v.Type().Field(i).Anonymous && f.Kind() == reflect.Struct {
				fill(f)
			}
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Int:
		v.SetInt(1)
	}
}

// TestJSONFields compares the fields of structs with what encoding/json encodes.
func TestJSONFields(t *testing.T) {
	universe, read := readForms(t, "forms")
	for f := range reflect.TypeFor[forms]().Fields() {
		t.Run(f.Name, func(t *testing.T) {
			value := reflect.New(f.Type).Elem()
			fill(value)
			data, err := json.Marshal(value.Interface())
			require.NoError(t, err)
			var encoded map[string]any
			require.NoError(t, json.Unmarshal(data, &encoded))
			structType, _ := universe.Underlying(read[f.Name]).(*types.Struct)
			fields, hidden := universe.JSONFields(structType)
			var names []string
			for _, f := range fields {
				names = append(names, f.Name)
			}
			assert.ElementsMatch(t, slices.Collect(maps.Keys(encoded)), names)
			assert.Equal(t, slices.Contains([]string{"Promoted", "Conflict", "TaggedWins", "Shallow", "Twice", "TwiceNested"}, f.Name), hidden)
		})
	}
}

// TestOddNames has names that encoding/json ignores before Go 1.27, and since then reads up to some of the odd characters, and with others.
func TestOddNames(t *testing.T) {
	for tag, want := range map[string][]string{
		`json:"o'clock"`:      {"Clock", "o"},
		`json:"o\"clock"`:     {"Clock", "o"},
		"json:\"o\u0080dd\"":  {"Clock", "o\u0080dd"},
		`json:"a/b.c-d"`:      {"a/b.c-d"},
		`json:"größe"`:        {"größe"},
		`json:"o'clock,omit"`: {"Clock", "o"},
	} {
		structType := reflect.StructOf([]reflect.StructField{{Name: "Clock", Type: reflect.TypeFor[string](), Tag: reflect.StructTag(tag)}})
		data, err := json.Marshal(reflect.Zero(structType).Interface())
		require.NoError(t, err)
		var encoded map[string]any
		require.NoError(t, json.Unmarshal(data, &encoded))
		require.Len(t, encoded, 1)
		for name := range encoded {
			assert.Contains(t, want, name, tag)
		}
		name, _, _ := gotype.JSONTag(tag)
		assert.Equal(t, len(want) == 1, gotype.IsJSONName(name), tag)
	}
}

func TestJSONField(t *testing.T) {
	universe := gotypetest.Universe(t, `-- a/a.go --
package a
import "time"
type Base struct {
	N *int `+"`json:\"n,string\"`"+`
	T time.Time `+"`json:\",string\"`"+`
}
type Root struct {
	Base
	S []string `+"`json:\"s,omitempty,string\"`"+`
}`)
	structType, _ := universe.Underlying(universe.Type(universe.Package(gotypetest.Module + "/a").Types["Root"])).(*types.Struct)
	fields, _ := universe.JSONFields(structType)
	require.Len(t, fields, 3)
	assert.Equal(t, []string{"n", "T", "s"}, []string{fields[0].Name, fields[1].Name, fields[2].Name}, "in the order of declarations")
	assert.Equal(t, []bool{true, false, false}, []bool{fields[0].Quoted, fields[1].Quoted, fields[2].Quoted})
	assert.Equal(t, []bool{true, true, false}, []bool{fields[0].Untagged, fields[1].Untagged, fields[2].Untagged})
	assert.Equal(t, []int{0, 1}, fields[1].Index)
	assert.Equal(t, "Base", fields[1].Path[0].Name())
	assert.True(t, fields[2].Tag.Has("omitempty"))
}

// TestEncoding compares with the interfaces that encoding/json looks for.
func TestEncoding(t *testing.T) {
	universe, read := readForms(t, "encodings")
	for f := range reflect.TypeFor[encodings]().Fields() {
		want, of := gotype.Structured, f.Type
		if of.Kind() != reflect.Pointer && of.Kind() != reflect.Interface {
			of = reflect.PointerTo(of)
		}
		switch {
		case of.Implements(reflect.TypeFor[json.Marshaler]()):
			want = gotype.Custom
		case of.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
			want = gotype.Text
		}
		assert.Equal(t, want, universe.Encoding(read[f.Name]), f.Name)
		assert.Equal(t, f.Name == "Number", universe.IsJSONNumber(read[f.Name]), f.Name)
	}
}
