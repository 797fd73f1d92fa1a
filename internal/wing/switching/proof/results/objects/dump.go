package objects

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// value is a value in an object.
type value struct {
	// field is the path of the field, without indexes and keys. text is the value, or says that there is one or several.
	field, text string
}

// maxDepth is the depth up to which an object is described. An object that contains itself has no end.
const maxDepth = 100

// dump returns all values in what a pointer points to. Nil differs from empty.
func dump(pointer any) []value {
	d := &dumper{}
	d.add("", reflect.ValueOf(pointer).Elem(), 0)
	return d.values
}

type dumper struct{ values []value }

// is adds a value.
func (d *dumper) is(field string, format string, args ...any) {
	d.values = append(d.values, value{field, fmt.Sprintf(format, args...)})
}

// add adds a value and those in it.
func (d *dumper) add(field string, v reflect.Value, depth int) {
	if depth > maxDepth {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.fields(field, v, depth)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			d.is(field, "nil")
			return
		}
		d.is(field, "%s", v.Elem().Type())
		d.add(field, v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		d.is(field, "%d, nil: %t", v.Len(), v.Kind() == reflect.Slice && v.IsNil())
		for i := range v.Len() {
			d.add(field, v.Index(i), depth+1)
		}
	case reflect.Map:
		d.is(field, "%d, nil: %t", v.Len(), v.IsNil())
		d.entries(field, v, depth)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		d.is(field, "nil: %t", v.IsNil())
	default:
		d.is(field, "%v", plain(v))
	}
}

// fields adds the fields of a struct. If some are not exported, the JSON of the struct says more than what it remembers.
func (d *dumper) fields(field string, v reflect.Value, depth int) {
	t := v.Type()
	hidden := false
	for i := range t.NumField() {
		hidden = hidden || !t.Field(i).IsExported()
	}
	if hidden && v.CanInterface() {
		if encoder, ok := v.Interface().(json.Marshaler); ok {
			text, err := encoder.MarshalJSON()
			d.is(field, "%s %v", text, err)
			return
		}
	}
	for i := range t.NumField() {
		d.add(strings.TrimPrefix(field+"."+t.Field(i).Name, "."), v.Field(i), depth+1)
	}
}

// plain returns a value without the methods of its type, which could make different values look the same.
func plain(v reflect.Value) any {
	switch {
	case v.Kind() == reflect.Bool:
		return v.Bool()
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	case v.CanFloat():
		return v.Float()
	case v.CanComplex():
		return v.Complex()
	}
	return v.String()
}

// entries adds the entries of a map in the order of their keys.
func (d *dumper) entries(field string, v reflect.Value, depth int) {
	entries := map[string][]value{}
	for iterator := v.MapRange(); iterator.Next(); {
		key, elem := &dumper{}, &dumper{}
		key.add(field, iterator.Key(), depth+1)
		elem.add(field, iterator.Value(), depth+1)
		entries[fmt.Sprintf("%q", key.values)] = append(key.values, elem.values...)
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		d.values = append(d.values, entries[key]...)
	}
}
