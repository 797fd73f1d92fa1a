package conversiontest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/randfill"
)

// valid are functions that fill in values of Kubernetes' types that have JSON, in place of arbitrary ones.
var valid = []any{
	func(t *time.Time, c randfill.Continue) { *t = seconds(c) },
	func(t *metav1.Time, c randfill.Continue) { t.Time = seconds(c) },
	func(t *metav1.MicroTime, c randfill.Continue) {
		t.Time = seconds(c).Add(time.Duration(c.Intn(1_000_000)) * time.Microsecond)
	},
	func(q *resource.Quantity, c randfill.Continue) {
		*q = resource.MustParse(strconv.Itoa(c.Intn(1000)) + []string{"", "m", "k", "Mi"}[c.Intn(4)])
	},
	func(raw *json.RawMessage, c randfill.Continue) { *raw = jsonObject(c) },
	func(raw *runtime.RawExtension, c randfill.Continue) { raw.Raw = jsonObject(c) },
	func(object *runtime.Object, _ randfill.Continue) { *object = nil },
	func(value *any, c randfill.Continue) { *value = strconv.Itoa(c.Int()) },
	// Servers set these, and managed fields have JSON of their own.
	func(*metav1.TypeMeta, randfill.Continue) {},
	func(*metav1.ManagedFieldsEntry, randfill.Continue) {},
	func(meta *metav1.ObjectMeta, c randfill.Continue) {
		c.FillNoCustom(meta)
		meta.ManagedFields = nil
	},
}

// seconds returns a time before the year 2100.
func seconds(c randfill.Continue) time.Time { return time.Unix(c.Int63n(4_000_000_000), 0).UTC() }

func jsonObject(c randfill.Continue) []byte {
	return fmt.Appendf(nil, `{"value":%d}`, c.Int31())
}

// filler fills objects: all fields, or a random part of them.
type filler struct {
	all   bool
	funcs []any
	// custom are the types that functions are known for, seen the visited types, stack the types being visited.
	custom, seen map[reflect.Type]bool
	stack        []reflect.Type
}

// newFiller prepares to fill objects of a type.
func newFiller(t reflect.Type, funcs []any) *filler {
	f := &filler{funcs: slices.Clone(valid), custom: map[reflect.Type]bool{}, seen: map[reflect.Type]bool{}}
	for _, known := range slices.Concat(valid, funcs) {
		if in := reflect.TypeOf(known); in.Kind() == reflect.Func && in.NumIn() == 2 && in.In(0).Kind() == reflect.Pointer {
			f.custom[in.In(0).Elem()] = true
		}
	}
	f.custom[objectMeta] = false // its function fills its fields
	f.visit(t)
	f.funcs = append(f.funcs, funcs...)
	return f
}

// fill fills an object.
func (f *filler) fill(object any, seed int64) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("cannot fill %T: %v: fill the value with WithFuncs", object, problem)
		}
	}()
	random := randfill.NewWithSeed(seed).Funcs(f.funcs...)
	if f.all {
		random.NilChance(0).NumElements(1, 2)
	} else {
		random.NilChance(0.5).NumElements(0, 3)
	}
	random.Fill(object)
	return nil
}

// visit adds functions for a type and the types in it: types that contain themselves, raw JSON, pointers, and basic types.
func (f *filler) visit(t reflect.Type) {
	selfFiller := reflect.PointerTo(t).Implements(reflect.TypeFor[randfill.NativeSelfFiller]()) ||
		reflect.PointerTo(t).Implements(reflect.TypeFor[randfill.SimpleSelfFiller]())
	if f.custom[t] || selfFiller {
		return
	}
	if slices.Contains(f.stack, t) && t.Name() != "" {
		f.custom[t] = true
		f.funcs = append(f.funcs, limited(t))
		return
	}
	if f.seen[t] {
		return
	}
	f.seen[t] = true
	f.stack = append(f.stack, t)
	defer func() { f.stack = f.stack[:len(f.stack)-1] }()
	switch t.Kind() {
	case reflect.Map:
		f.visit(t.Key())
		f.visit(t.Elem())
	case reflect.Pointer:
		f.funcs = append(f.funcs, function(t, f.pointer))
		f.visit(t.Elem())
	case reflect.Slice, reflect.Array:
		f.visit(t.Elem())
	case reflect.Struct:
		if raw, ok := t.FieldByName("Raw"); ok && raw.Type == reflect.TypeFor[[]byte]() && structure(t) == nil {
			f.funcs = append(f.funcs, function(t, func(value reflect.Value, c randfill.Continue) {
				value.Elem().FieldByIndex(raw.Index).SetBytes(jsonObject(c))
			}))
			return
		}
		for field := range t.Fields() {
			f.visit(field.Type)
		}
	case reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
	default:
		f.funcs = append(f.funcs, function(t, f.basic))
	}
}

// pointer fills in a pointer or nil. Without it, pointers to types with functions would never be nil.
func (f *filler) pointer(pointer reflect.Value, c randfill.Continue) {
	pointer.Elem().SetZero()
	if f.all || c.Bool() {
		pointer.Elem().Set(reflect.New(pointer.Type().Elem().Elem()))
		c.Fill(pointer.Elem().Interface())
	}
}

// basic fills in a string, number or boolean. Pointers to zero values are what conversions lose most easily.
func (f *filler) basic(pointer reflect.Value, c randfill.Continue) {
	switch value := pointer.Elem(); {
	case !f.all && c.Intn(4) == 0:
		value.SetZero()
	case value.Kind() == reflect.String:
		value.SetString(word(c))
	default:
		c.FillNoCustom(pointer.Interface())
	}
}

// word returns a text that is easy to read, and sometimes hard to split.
func word(c randfill.Continue) string {
	text := make([]byte, 2+c.Intn(6))
	for i := range text {
		text[i] = "abcdefghijklmnopqrstuvwxyz"[c.Intn(26)]
	}
	return string(text) + []string{"", "", "", "/", ",", ": ", "é", `"`}[c.Intn(8)]
}

// function returns a function that fills in values of a type.
func function(t reflect.Type, f func(pointer reflect.Value, c randfill.Continue)) any {
	signature := reflect.FuncOf([]reflect.Type{reflect.PointerTo(t), reflect.TypeFor[randfill.Continue]()}, nil, false)
	return reflect.MakeFunc(signature, func(args []reflect.Value) []reflect.Value {
		f(args[0], args[1].Interface().(randfill.Continue))
		return nil
	}).Interface()
}

// maxNested is how often a type may contain itself in an object.
const maxNested = 2

// limited returns a function that fills in values of a type that contains itself.
func limited(t reflect.Type) any {
	depth := 0
	return function(t, func(value reflect.Value, c randfill.Continue) {
		if depth++; depth <= maxNested {
			c.FillNoCustom(value.Interface())
		}
		depth--
	})
}
