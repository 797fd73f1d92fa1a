package store

import (
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// samples is the maximum number of objects whose size is measured.
const samples = 100

// Bytes estimates the memory of all objects, in bytes: the average size of up to 100 of them, including everything that they
// refer to, times their number. Memory that objects share counts for each of them.
func (s *Store) Bytes() int64 {
	var total, count int64
	for _, obj := range s.sample(samples) {
		total += sizeOf(reflect.ValueOf(obj))
		count++
	}
	if count == 0 {
		return 0
	}
	return total / count * int64(s.Len(metav1.NamespaceAll))
}

// sample returns some of the objects.
func (s *Store) sample(most int) (objects []any) {
	s.reading.RLock()
	defer s.reading.RUnlock()
	for _, byName := range s.objects {
		for _, obj := range byName {
			if len(objects) == most {
				return objects
			}
			objects = append(objects, obj)
		}
	}
	return objects
}

// sizeOf returns the size of a value, including everything that it refers to. Cached objects contain no cycles.
func sizeOf(v reflect.Value) int64 { return int64(v.Type().Size()) + referred(v) }

// referred returns the size of everything that a value refers to.
func referred(v reflect.Value) (size int64) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && v.Type() != reflect.TypeFor[*time.Location]() { // shared by all times
			return sizeOf(v.Elem())
		}
	case reflect.String:
		return int64(v.Len())
	case reflect.Struct:
		for _, field := range v.Fields() {
			size += referred(field)
		}
	case reflect.Slice:
		size = int64(v.Cap()) * int64(v.Type().Elem().Size())
		for n := range v.Len() {
			size += referred(v.Index(n))
		}
	case reflect.Array:
		for n := range v.Len() {
			size += referred(v.Index(n))
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			size += sizeOf(entries.Key()) + sizeOf(entries.Value())
		}
	}
	return size
}
