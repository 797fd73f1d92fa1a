package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// labels returns the labels of field selectors in addition to the metadata.
func (s strategies) labels() (found []label, err error) {
	empty, err := s.decoded(nil, false)
	if err != nil {
		return nil, err
	}
	zeros, err := s.attributes(empty)
	if err != nil {
		return nil, err
	}
	candidates := slices.Collect(maps.Keys(zeros))
	typed, err := legacyscheme.Scheme.New(s.GroupVersionKind)
	if err != nil {
		return nil, err
	}
	candidates = append(candidates, pathsOf(reflect.TypeOf(typed), "")...)
	for _, name := range sorted(candidates) {
		internal, _, err := legacyscheme.Scheme.ConvertFieldLabel(s.GroupVersionKind, name, "value")
		if err != nil || name == "metadata.name" || name == "metadata.namespace" {
			continue
		}
		l := label{Name: name, Zero: zeros[internal]}
		if err := s.locate(&l, internal); err != nil {
			return nil, err
		}
		found = append(found, l)
	}
	return found, nil
}

// attributes returns the values of all labels of an object.
func (s strategies) attributes(internal runtime.Object) (fields.Set, error) {
	_, set, err := s.store.PredicateFunc(labels.Everything(), fields.Everything()).GetAttrs(internal)
	return set, err
}

// locate finds the fields that a label has its value from: it empties the field with the value, and looks for the next one.
func (s strategies) locate(l *label, internal string) error {
	typed, err := legacyscheme.Scheme.New(s.GroupVersionKind)
	if err != nil {
		return err
	}
	before().fill(reflect.ValueOf(typed).Elem(), "")
	varies := false
	for {
		filled, err := legacyscheme.Scheme.ConvertToVersion(typed.DeepCopyObject(), runtime.InternalGroupVersioner)
		if err != nil {
			return err
		}
		set, err := s.attributes(filled)
		if err != nil {
			return err
		}
		if set[internal] == l.Zero {
			break
		}
		varies = true
		u, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
		if err != nil {
			return err
		}
		path := l.Name
		if value, _, err := unstructured.NestedFieldNoCopy(u, strings.Split(path, ".")...); err != nil || fmt.Sprint(value) != set[internal] {
			path = find(u, set[internal], "")
		}
		if path == "" {
			break
		}
		l.Paths = append(l.Paths, path)
		if !empty(reflect.ValueOf(typed), strings.Split(path, ".")) {
			break
		}
	}
	l.Always = !varies // a value from a list also has a field of its own, with the name of the label
	if len(l.Paths) == 1 && l.Paths[0] == l.Name {
		l.Paths = nil
	}
	return nil
}

// find returns the path of a value that is not in a list. Values are unique, apart from booleans.
func find(value any, wanted, path string) string {
	u, isObject := value.(object)
	if !isObject {
		if fmt.Sprint(value) == wanted {
			return path
		}
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(u)) {
		below := strings.TrimPrefix(path+"."+name, ".")
		if below == "metadata" {
			continue
		}
		if found := find(u[name], wanted, below); found != "" {
			return found
		}
	}
	return ""
}

// empty sets a field to its zero value.
func empty(v reflect.Value, steps []string) bool {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if len(steps) == 0 {
		v.SetZero()
		return true
	}
	if v.Kind() != reflect.Struct {
		return false
	}
	for i := range v.NumField() {
		if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); name == steps[0] {
			return empty(v.Field(i), steps[1:])
		}
	}
	return false
}

// pathsOf returns the paths of all fields that are not in a list or a map.
func pathsOf(t reflect.Type, path string) (paths []string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || strings.Count(path, ".") > maxNesting {
		return nil
	}
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		below := strings.TrimPrefix(path+"."+name, ".")
		if name == "" || strings.Contains(options, "inline") {
			below = path
		}
		paths = append(append(paths, below), pathsOf(t.Field(i).Type, below)...)
	}
	return paths
}
