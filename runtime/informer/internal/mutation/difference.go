package mutation

import (
	"fmt"
	"reflect"
	"strconv"
)

// difference describes the first difference of two values: the path of the field and both values.
func difference(path string, before, after reflect.Value) string {
	if before.IsValid() && after.IsValid() && before.Type() == after.Type() {
		if step, was, is, found := descend(before, after); found {
			return difference(path+step, was, is)
		}
	}
	return fmt.Sprintf("%s: %s, was %s", path, show(after), show(before))
}

// descend returns the first parts of two values of one type that differ, and the step of the path that leads to them. It returns
// false if the values have no parts, or not the same number of them.
func descend(before, after reflect.Value) (step string, was, is reflect.Value, found bool) {
	switch before.Kind() {
	case reflect.Pointer, reflect.Interface:
		return "", before.Elem(), after.Elem(), !before.IsNil() && !after.IsNil()
	case reflect.Struct:
		for n := range before.NumField() {
			if was, is := before.Field(n), after.Field(n); !same(was, is) {
				return "." + before.Type().Field(n).Name, was, is, true
			}
		}
	case reflect.Slice, reflect.Array:
		for n := range before.Len() {
			if before.Len() != after.Len() {
				break
			}
			if was, is := before.Index(n), after.Index(n); !same(was, is) {
				return "[" + strconv.Itoa(n) + "]", was, is, true
			}
		}
	case reflect.Map:
		for _, key := range append(before.MapKeys(), after.MapKeys()...) {
			if was, is := before.MapIndex(key), after.MapIndex(key); !same(was, is) {
				return fmt.Sprintf("[%#v]", key), was, is, true
			}
		}
	}
	return "", before, after, false
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
