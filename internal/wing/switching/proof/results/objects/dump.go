package objects

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// value is a value in an object.
type value struct {
	// field is the path of the field, without indexes and keys. text is the value, or says that there is one or several.
	field, text string
}

// maxDepth is the depth up to which an object is described. An object that contains itself has no end.
const maxDepth = 100

// dump returns all values behind a pointer, except for fields with zero values. An empty list is not zero.
func dump(pointer any) []value {
	d := &dumper{}
	d.add("", reflect.ValueOf(pointer).Elem(), 0)
	return d.values
}

type dumper struct{ values []value }

// is adds a value.
func (d *dumper) is(field, text string) { d.values = append(d.values, value{field, text}) }

// has adds how many values there are.
func (d *dumper) has(field string, n int, isNil bool) {
	if isNil {
		d.is(field, "nil")
	} else {
		d.is(field, strconv.Itoa(n))
	}
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
		d.is(field, v.Elem().Type().String())
		d.add(field, v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		d.has(field, v.Len(), v.Kind() == reflect.Slice && v.IsNil())
		for i := range v.Len() {
			d.is(field, strconv.Itoa(i)) // the element may be a struct without values
			d.add(field, v.Index(i), depth+1)
		}
	case reflect.Map:
		d.has(field, v.Len(), v.IsNil())
		d.entries(field, v, depth)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		d.has(field, 1, v.IsNil())
	default:
		d.is(field, plain(v))
	}
}

// fields adds the fields of a struct. If some are not exported, the JSON of the struct counts instead, because they may be caches.
func (d *dumper) fields(field string, v reflect.Value, depth int) {
	t := v.Type()
	if v.CanInterface() && t.Implements(reflect.TypeFor[json.Marshaler]()) && hides(t) {
		text, err := v.Interface().(json.Marshaler).MarshalJSON()
		d.is(field, fmt.Sprintf("%s %v", text, err))
		return
	}
	for i := range t.NumField() {
		if value := v.Field(i); !value.IsZero() {
			d.add(strings.TrimPrefix(field+"."+t.Field(i).Name, "."), value, depth+1)
		}
	}
}

// hides reports whether a struct has fields that are not exported.
func hides(t reflect.Type) bool {
	for i := range t.NumField() { //nolint:modernize // older releases of Go compile it
		if !t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// plain returns a value without the methods of its type, which could make different values look the same.
func plain(v reflect.Value) string {
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	}
	return v.String()
}

// entries adds the entries of a map in the order of their keys.
func (d *dumper) entries(field string, v reflect.Value, depth int) {
	entries := map[string][]value{}
	for iterator := v.MapRange(); iterator.Next(); {
		entry := &dumper{}
		entry.add(field, iterator.Key(), depth+1)
		key := fmt.Sprintf("%q", entry.values)
		entry.is(field, ":")
		entry.add(field, iterator.Value(), depth+1)
		entries[key] = entry.values
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		d.values = append(d.values, entries[key]...)
	}
}
