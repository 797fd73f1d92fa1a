package mutation

import (
	"fmt"
	"reflect"
	"strconv"
)

// difference describes the first difference of two values: the path of the field and both values.
func difference(path string, before, after reflect.Value) string {
	if before.IsValid() && after.IsValid() && before.Type() == after.Type() {
		switch before.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !before.IsNil() && !after.IsNil() {
				return difference(path, before.Elem(), after.Elem())
			}
		case reflect.Struct:
			for n := range before.NumField() {
				if !same(before.Field(n), after.Field(n)) {
					return difference(path+"."+before.Type().Field(n).Name, before.Field(n), after.Field(n))
				}
			}
		case reflect.Slice, reflect.Array:
			if before.Len() == after.Len() {
				for n := range before.Len() {
					if !same(before.Index(n), after.Index(n)) {
						return difference(path+"["+strconv.Itoa(n)+"]", before.Index(n), after.Index(n))
					}
				}
			}
		case reflect.Map:
			for _, key := range append(before.MapKeys(), after.MapKeys()...) {
				if !same(before.MapIndex(key), after.MapIndex(key)) {
					return difference(fmt.Sprintf("%s[%#v]", path, key), before.MapIndex(key), after.MapIndex(key))
				}
			}
		}
	}
	return fmt.Sprintf("%s: %s, was %s", path, show(after), show(before))
}

func same(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	return reflect.DeepEqual(value(a), value(b))
}

// value returns the value in a reflect.Value, or the reflect.Value as a string for unexported fields, which cannot be read.
func value(v reflect.Value) any {
	if v.CanInterface() {
		return v.Interface()
	}
	return v.String()
}

func show(v reflect.Value) string {
	if !v.IsValid() {
		return "missing"
	}
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	return fmt.Sprintf("%#v", value(v))
}
