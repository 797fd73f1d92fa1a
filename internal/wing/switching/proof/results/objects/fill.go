package objects

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// maxValues is the number of values in an object that can be set.
const maxValues = 1_000

// filler fills an object with random values.
type filler struct {
	*rand.Rand
	// chance is how many of four values are set.
	chance int
	// left is the number of values that the object may still have.
	left int
	// around are the types of structs around a value, with how often they occur there.
	around map[reflect.Type]int
	// keys are the keys of maps of lists; nil for any.
	keys []string
}

// fill fills the object of a seed, which in points to. The first one is empty. A map of lists has keys that are the JSON names in what out
// points to: it may be the parameters of a URL.
func fill(seed uint64, in, out any) {
	f := &filler{Rand: rand.New(rand.NewPCG(seed, seed)), left: maxValues, around: map[reflect.Type]int{}}
	if seed > 0 {
		f.chance = 1 + int(seed%4)
	}
	if out != nil {
		f.keys = jsonNames(reflect.TypeOf(out).Elem())
	}
	f.value(reflect.ValueOf(in).Elem())
}

// jsonNames returns the names of a struct's fields in JSON.
func jsonNames(t reflect.Type) (names []string) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() { //nolint:modernize // older releases of Go compile it
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name != "" {
			names = append(names, name)
		} else if t.Field(i).Anonymous {
			names = append(names, jsonNames(t.Field(i).Type)...)
		}
	}
	return names
}

// value sets a value, or the values in it.
func (f *filler) value(v reflect.Value) {
	if f.left--; f.left < 0 || !v.CanSet() || f.known(v) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		f.fields(v)
		return
	case reflect.Array:
		for i := range v.Len() {
			f.value(v.Index(i))
		}
		return
	}
	if !f.set() {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.number()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(f.number())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(f.NormFloat64())
	case reflect.String:
		v.SetString(f.word())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.value(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), f.IntN(4), 4))
		for i := range v.Len() {
			f.value(v.Index(i))
		}
	case reflect.Map:
		f.entries(v)
	}
}

// set decides whether to set a value.
func (f *filler) set() bool { return f.IntN(4) < f.chance }

// known sets values of types that have rules of their own.
func (f *filler) known(v reflect.Value) bool {
	t := v.Type()
	var texts []string
	switch name := t.PkgPath() + "." + t.Name(); {
	case name == "time.Time":
		if f.set() {
			v.Set(reflect.ValueOf(time.Unix(f.Int64N(1<<32), 0).UTC()))
		}
		return true
	case name == "k8s.io/apimachinery/pkg/api/resource.Quantity":
		texts = []string{`"100m"`, `"2Gi"`, `"5"`, `"-1500"`}
	case name == "k8s.io/apimachinery/pkg/util/intstr.IntOrString":
		texts = []string{`80`, `"http"`, `"25%"`}
	case t.Kind() == reflect.Struct && hasRaw(t):
		texts = []string{`{}`, `{"a":1}`, `{"kind":"Robot","spec":{"arms":["left"]}}`}
	default:
		return false
	}
	if decoder, ok := v.Addr().Interface().(json.Unmarshaler); ok && f.set() { //nolint:modernize // likewise
		_ = decoder.UnmarshalJSON([]byte(texts[f.IntN(len(texts))])) // what cannot be decoded stays empty
	}
	return true
}

// hasRaw reports whether a struct holds JSON in a field Raw, as runtime.RawExtension does.
func hasRaw(t reflect.Type) bool {
	raw, ok := t.FieldByName("Raw")
	return ok && raw.Type == reflect.TypeFor[[]byte]() && reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

// fields sets the fields of a struct. A type can be within itself once. The order decides which fields a large object has.
func (f *filler) fields(v reflect.Value) {
	t := v.Type()
	if f.around[t] == 2 {
		return
	}
	f.around[t]++
	for _, i := range f.Perm(v.NumField()) {
		f.value(v.Field(i))
	}
	f.around[t]--
}

// entries makes the entries of a map. Values that are interfaces would be nil, which a map from JSON need not expect.
func (f *filler) entries(v reflect.Value) {
	t := v.Type()
	v.Set(reflect.MakeMap(t))
	if t.Elem().Kind() == reflect.Interface {
		return
	}
	keys := f.keys
	if t.Key().Kind() != reflect.String || t.Elem().Kind() != reflect.Slice {
		keys = nil
	}
	for range f.IntN(4) + len(keys) {
		key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		f.value(key)
		f.value(elem)
		if keys != nil {
			key.SetString(keys[f.IntN(len(keys))])
		}
		v.SetMapIndex(key, elem)
	}
}

// number returns a number, which is often small.
func (f *filler) number() uint64 {
	if f.IntN(2) == 0 {
		return f.Uint64N(10)
	}
	return f.Uint64()
}

// word returns a text, which may be a number or a boolean.
func (f *filler) word() string {
	switch f.IntN(6) {
	case 0:
		return strconv.Itoa(f.IntN(100))
	case 1:
		return strconv.FormatBool(f.IntN(2) == 0)
	}
	letters := make([]byte, 1+f.IntN(8))
	for i := range letters {
		letters[i] = byte('a' + f.IntN(26))
	}
	return string(letters)
}
