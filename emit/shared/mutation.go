package shared

import (
	"fmt"
	"reflect"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Reporter receives errors that a test should fail for. It is implemented by *testing.T.
type Reporter interface {
	Errorf(format string, args ...any)
}

// mutations detects changes to cached objects, which are read-only. It keeps a copy of each object and compares it before and
// after each call of a handler, when the object leaves the store, and when the informer stops. A nil mutations does nothing.
type mutations struct {
	reporter Reporter
	resource schema.GroupResource

	lock   sync.Mutex
	copies map[runtime.Object]runtime.Object
}

func newMutations(reporter Reporter, resource schema.GroupResource) *mutations {
	if reporter == nil {
		return nil
	}
	return &mutations{reporter: reporter, resource: resource, copies: map[runtime.Object]runtime.Object{}}
}

// replace checks an object that leaves the store and copies the object that replaces it. Both may be nil.
func (m *mutations) replace(before, after any) {
	if m == nil {
		return
	}
	if object, ok := before.(runtime.Object); ok {
		m.compare(object, "")
		m.lock.Lock()
		delete(m.copies, object)
		m.lock.Unlock()
	}
	if object, ok := after.(runtime.Object); ok {
		m.lock.Lock()
		m.copies[object] = object.DeepCopyObject()
		m.lock.Unlock()
	}
}

// check compares all stored objects.
func (m *mutations) check(s *store) {
	if m == nil {
		return
	}
	for _, obj := range s.List() {
		if object, ok := obj.(runtime.Object); ok {
			m.compare(object, "")
		}
	}
}

// compare reports an object that differs from its copy, once for each change.
func (m *mutations) compare(object runtime.Object, by string) {
	m.lock.Lock()
	defer m.lock.Unlock()
	original, ok := m.copies[object]
	if !ok || reflect.DeepEqual(original, object) {
		return
	}
	m.copies[object] = object.DeepCopyObject()
	m.report(original, object, by)
}

func (m *mutations) report(original, object any, by string) {
	name, _ := nameOf(object) // cached objects have names
	if by == "" {
		by = "code other than a handler, or by a handler after it returned"
	}
	m.reporter.Errorf("%s %s in the cache was changed by %s: %s; call DeepCopy before changing it",
		m.resource, name, by, difference("", reflect.ValueOf(original), reflect.ValueOf(object)))
}

// handled is an event whose objects are compared after a handler has received it.
type handled struct {
	mutations *mutations
	// objects are the objects of the event and originals their copies: the store may already have newer ones.
	objects, originals []runtime.Object
}

// before copies the objects of an event.
func (m *mutations) before(e event) handled {
	if m == nil {
		return handled{}
	}
	h := handled{mutations: m}
	for _, obj := range []any{e.before, e.after} {
		if object, ok := obj.(runtime.Object); ok {
			m.compare(object, "")
			h.objects = append(h.objects, object)
			h.originals = append(h.originals, object.DeepCopyObject())
		}
	}
	return h
}

// after reports changes that the handler made.
func (h handled) after(l *listener) {
	for n, object := range h.objects {
		h.mutations.lock.Lock()
		if !reflect.DeepEqual(h.originals[n], object) {
			if _, cached := h.mutations.copies[object]; cached {
				h.mutations.copies[object] = object.DeepCopyObject()
			}
			h.mutations.report(h.originals[n], object, fmt.Sprintf("handler %v", reflect.TypeOf(l.handler)))
		}
		h.mutations.lock.Unlock()
	}
}

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
