// Package deepcopies compares two sets of deep copies: those that informer-gen-lite has generated for k8s.io/api, and
// those that a copy of k8s.io/api under another import path was shipped with. The table of objects is generated.
package deepcopies

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/randfill"
)

// object is a type that both copies of k8s.io/api declare. Values of the two look the same in memory.
type object struct {
	name         string
	ours, theirs runtime.Object
}

// values is how many values of each type are compared.
const values = 1000

// filler fills objects with random values, the same ones in each run.
func (o object) filler() *randfill.Filler {
	seed := fnv.New64a()
	seed.Write([]byte(o.name))
	return randfill.NewWithSeed(int64(seed.Sum64())).Funcs(
		func(q *resource.Quantity, c randfill.Continue) {
			if c.Bool() {
				*q = *resource.NewQuantity(c.Int63(), resource.DecimalSI)
			} else { // too precise for an integer, so there is a pointer in it
				*q = resource.MustParse(fmt.Sprintf("%d.%d000000001", c.Int63(), c.Int63()))
			}
		},
		func(t *metav1.Time, c randfill.Continue) { *t = metav1.Unix(c.Int63n(1<<40), 0) },
		func(t *metav1.MicroTime, c randfill.Continue) {
			*t = metav1.MicroTime{Time: time.UnixMicro(c.Int63n(1 << 50))}
		},
		func(e *runtime.RawExtension, c randfill.Continue) { c.Fill(&e.Raw) },
	)
}

// fill returns a new random value.
func (o object) fill(f *randfill.Filler) reflect.Value {
	value := reflect.New(reflect.TypeOf(o.ours).Elem())
	f.Fill(value.Interface())
	return value
}

// copies returns the copies that the two sets of functions make of a value, as values of one type.
func (o object) copies(value reflect.Value) (ours, theirs runtime.Object) {
	theirs = as(o.theirs, value).DeepCopyObject()
	return value.Interface().(runtime.Object).DeepCopyObject(), as(o.ours, reflect.ValueOf(theirs))
}

// as returns a pointer to a value as one to the other type that looks the same.
func as(example runtime.Object, value reflect.Value) runtime.Object {
	return reflect.NewAt(reflect.TypeOf(example).Elem(), value.UnsafePointer()).Interface().(runtime.Object)
}

// TestEqualAndApart copies random values: nil, empty and full.
func TestEqualAndApart(t *testing.T) {
	for _, o := range objects {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			f := o.filler().NilChance(.3).NumElements(0, 3)
			for range values {
				value := o.fill(f)
				ours, theirs := o.copies(value)
				if !reflect.DeepEqual(ours, theirs) || !reflect.DeepEqual(ours, value.Interface()) {
					t.Fatalf("of\n%#v\nours is\n%#v\ntheirs is\n%#v", value.Interface(), ours, theirs)
				}
				if where := shared("", value, reflect.ValueOf(ours)); where != "" {
					t.Fatalf("%s is the same variable in the copy", where)
				}
			}
		})
	}
	t.Logf("%d types, %d values each", len(objects), values)
}

// TestAllocations counts: of no value may ours allocate more often.
func TestAllocations(t *testing.T) {
	var sumOurs, sumTheirs float64
	for _, o := range objects {
		f := o.filler().NilChance(.2).NumElements(0, 3)
		for range 3 {
			value := o.fill(f)
			original, asTheirs := value.Interface().(runtime.Object), as(o.theirs, value)
			ours := testing.AllocsPerRun(3, func() { original.DeepCopyObject() })
			theirs := testing.AllocsPerRun(3, func() { asTheirs.DeepCopyObject() })
			if ours > theirs {
				t.Errorf("%s: %v allocations, %v with upstream's", o.name, ours, theirs)
			}
			sumOurs, sumTheirs = sumOurs+ours, sumTheirs+theirs
		}
	}
	t.Logf("%v allocations in all, %v with upstream's", sumOurs, sumTheirs)
}

// sharesDecimals reports whether apimachinery's own copies of a quantity share its decimal, as they do since v0.38.
var sharesDecimals = func() bool {
	decimal := func(q resource.Quantity) uintptr {
		return reflect.ValueOf(q).FieldByName("d").FieldByName("Dec").Pointer()
	}
	q := resource.MustParse("1.000000000001")
	return decimal(q) == decimal(q.DeepCopy())
}()

// shared returns where a value and its copy refer to the same memory; nothing if they do nowhere.
func shared(path string, a, b reflect.Value) string {
	if a.Type() == reflect.TypeFor[time.Time]() {
		return "" // the location of a time is never changed
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || a.Type().Elem().Size() == 0 || sharesDecimals && a.Type().String() == "*inf.Dec" {
			return ""
		}
		if a.Pointer() == b.Pointer() {
			return path
		}
		return shared(path, a.Elem(), b.Elem())
	case reflect.Interface:
		if a.IsNil() {
			return ""
		}
		return shared(path, a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if where := shared(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i)); where != "" {
				return where
			}
		}
	case reflect.Slice:
		if a.Cap() > 0 && a.Type().Elem().Size() > 0 && a.Pointer() == b.Pointer() {
			return path
		}
		return sharedElements(path, a, b)
	case reflect.Array:
		return sharedElements(path, a, b)
	case reflect.Map:
		if !a.IsNil() && a.Pointer() == b.Pointer() {
			return path
		}
		for _, key := range a.MapKeys() {
			if where := shared(fmt.Sprintf("%s[%v]", path, key), a.MapIndex(key), b.MapIndex(key)); where != "" {
				return where
			}
		}
	}
	return ""
}

func sharedElements(path string, a, b reflect.Value) string {
	for i := range a.Len() {
		if where := shared(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i)); where != "" {
			return where
		}
	}
	return ""
}

// TestSharedIsSeen shows that what is shared would be found, however deep it is.
func TestSharedIsSeen(t *testing.T) {
	type leaf struct{ list []int }
	type tree struct {
		Leaves map[string][1]*leaf
		Any    any
	}
	one := &leaf{[]int{1}}
	for want, pair := range map[string][2]tree{
		"":              {{Leaves: map[string][1]*leaf{"a": {{}}}}, {Leaves: map[string][1]*leaf{"a": {{}}}}},
		".Leaves[a][0]": {{Leaves: map[string][1]*leaf{"a": {one}}}, {Leaves: map[string][1]*leaf{"a": {one}}}},
		".Any.list":     {{Any: *one}, {Any: *one}},
	} {
		if got := shared("", reflect.ValueOf(pair[0]), reflect.ValueOf(pair[1])); got != want {
			t.Errorf("%q is said to be shared, not %q", got, want)
		}
	}
}
