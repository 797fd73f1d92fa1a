// Package fingerprint computes checksums of Go values with all that can be reached from them, so that two runs can compare what
// a file was rendered from without rendering it.
//
// Most files are rendered from a small part of the model that points to the rest. A Base is a value that many fingerprints
// share: it is walked once, and a pointer into it counts as its place there, not as what can be reached from it.
//
// Functions have no fingerprint. A slice of functions that are the same in each run has the tag fingerprint:"-".
package fingerprint

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Sum is a fingerprint of 32 bytes; "" is that of no value.
type Sum string

// Base is a walked value. It may be used concurrently.
type Base struct {
	sum    Sum
	places map[place]uint64
}

// place identifies a variable: a struct and its first field have the same address.
type place struct {
	address unsafe.Pointer
	typ     reflect.Type
}

// NewBase walks a value. It returns false if functions or channels can be reached from it, which have no fingerprint.
func NewBase(v any) (*Base, bool) {
	w := newWalker(nil)
	if !w.walk(reflect.ValueOf(v)) {
		return nil, false
	}
	return &Base{w.sum(), w.places}, true
}

// Of returns the fingerprint of values together with the base. It returns false if functions or channels can be reached from
// them.
func (b *Base) Of(values ...any) (Sum, bool) {
	w := newWalker(b.places)
	w.text = append(w.text, b.sum...)
	for _, v := range values {
		if !w.walk(reflect.ValueOf(v)) {
			return "", false
		}
	}
	return w.sum(), true
}

// walker writes a value as a text that is the same for equal values only. Pointers count by the order in which they are first
// met, so cycles end.
type walker struct {
	base, places map[place]uint64
	// text is the part of the text that is not in the checksum yet.
	text     []byte
	checksum hash.Hash
}

func newWalker(base map[place]uint64) *walker {
	return &walker{base: base, places: map[place]uint64{}, text: make([]byte, 0, 2*pending), checksum: sha256.New()}
}

// pending is the length from which a text goes into the checksum.
const pending = 1 << 8

func (w *walker) sum() Sum {
	w.checksum.Write(w.text)
	return Sum(w.checksum.Sum(nil))
}

// The forms of pointers in the text.
const (
	null = iota
	inBase
	again
	first
)

func (w *walker) number(n uint64) { w.text = binary.AppendUvarint(w.text, n) }

func (w *walker) string(s string) {
	w.number(uint64(len(s)))
	w.text = append(w.text, s...)
	if len(w.text) >= pending {
		w.checksum.Write(w.text)
		w.text = w.text[:0]
	}
}

func (w *walker) walk(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Invalid:
		w.number(null)
	case reflect.Bool:
		w.text = append(w.text, 0)
		if v.Bool() {
			w.text[len(w.text)-1] = 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.text = binary.AppendVarint(w.text, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.number(v.Uint())
	case reflect.String:
		w.string(v.String())
	case reflect.Slice, reflect.Array:
		return w.list(v)
	case reflect.Map:
		return w.entries(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if !w.field(v, i) {
				return false
			}
		}
	case reflect.Pointer:
		return w.pointer(v)
	case reflect.Interface:
		if v.IsNil() {
			w.number(null)
			return true
		}
		w.string(v.Elem().Type().String())
		return w.walk(v.Elem())
	default:
		return (v.Kind() == reflect.Func || v.Kind() == reflect.Chan) && v.IsNil()
	}
	return true
}

// field writes a field of a struct.
func (w *walker) field(v reflect.Value, i int) bool {
	field := v.Field(i)
	if field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Func && v.Type().Field(i).Tag.Get("fingerprint") == "-" {
		return true
	}
	return w.walk(field)
}

func (w *walker) list(v reflect.Value) bool {
	w.number(uint64(v.Len()))
	for i := range v.Len() {
		if !w.walk(v.Index(i)) {
			return false
		}
	}
	return true
}

// entries writes the entries of a map with strings as keys, in their order.
func (w *walker) entries(v reflect.Value) bool {
	if v.Type().Key().Kind() != reflect.String {
		return false
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	w.number(uint64(len(keys)))
	for _, key := range keys {
		w.string(key.String())
		if !w.walk(v.MapIndex(key)) {
			return false
		}
	}
	return true
}

func (w *walker) pointer(v reflect.Value) bool {
	if v.IsNil() {
		w.number(null)
		return true
	}
	at := place{v.UnsafePointer(), v.Type()}
	if n, known := w.base[at]; known {
		w.number(inBase)
		w.number(n)
		return true
	}
	if n, known := w.places[at]; known {
		w.number(again)
		w.number(n)
		return true
	}
	w.places[at] = uint64(len(w.places))
	w.number(first)
	return w.walk(v.Elem())
}
