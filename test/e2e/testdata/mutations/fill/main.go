// Command fill prints an object of each kind of the examples, as JSON, in which every field has a value.
package main

import (
	"encoding/json"
	"log"
	"os"
	"reflect"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1alpha1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	reviewv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/review/v1"
)

func main() {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		edgev1alpha1.AddToScheme, fleetv1.AddToScheme, fleetv1alpha1.AddToScheme, fleetv1beta1.AddToScheme, reviewv1.AddToScheme,
	} {
		check(add(scheme))
	}
	filler := randfill.NewWithSeed(1).NilChance(0).NumElements(1, 1).MaxDepth(20).Funcs(values()...)
	out := json.NewEncoder(os.Stdout)
	for kind, typ := range scheme.AllKnownTypes() {
		if !strings.Contains(typ.PkgPath(), "/examples/apis/") || strings.HasSuffix(kind.Kind, "List") {
			continue
		}
		object, err := scheme.New(kind)
		check(err)
		filler.Fill(object)
		noZeros(reflect.ValueOf(object))
		object.GetObjectKind().SetGroupVersionKind(kind)
		check(out.Encode(object))
	}
}

// noZeros sets values of named types, which filler leaves empty at random. Types of apimachinery have functions in values.
func noZeros(v reflect.Value) {
	named := v.Type().PkgPath() != ""
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			noZeros(v.Elem())
		}
	case reflect.Struct:
		if strings.HasPrefix(v.Type().PkgPath(), "k8s.io/apimachinery/") {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				noZeros(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			noZeros(v.Index(i))
		}
	case reflect.String:
		if named && v.CanSet() {
			v.SetString("value")
		}
	case reflect.Bool:
		if named && v.CanSet() {
			v.SetBool(true)
		}
	default:
	}
}

// values fill types whose JSON differs from their fields. Other values are the least that an API server accepts.
func values() []any {
	day := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	return []any{
		func(s *string, _ randfill.Continue) { *s = "value" },
		func(i *int32, _ randfill.Continue) { *i = 1 },
		func(i *int64, _ randfill.Continue) { *i = 1 },
		func(b *bool, _ randfill.Continue) { *b = true },
		func(t *metav1.Time, _ randfill.Continue) { t.Time = day },
		func(t *metav1.MicroTime, _ randfill.Continue) { t.Time = day },
		func(d *metav1.Duration, _ randfill.Continue) { d.Duration = time.Hour },
		func(q *resource.Quantity, _ randfill.Continue) { *q = resource.MustParse("1") },
		func(i *intstr.IntOrString, _ randfill.Continue) { *i = intstr.FromInt32(1) },
		func(r *runtime.RawExtension, _ randfill.Continue) { r.Raw = []byte(`{"any": "value"}`) },
		func(c *metav1.Condition, _ randfill.Continue) {
			*c = metav1.Condition{
				Type: "Ready", Status: metav1.ConditionTrue, ObservedGeneration: 1, LastTransitionTime: metav1.Time{Time: day}, Reason: "Reason", Message: "value",
			}
		},
		func(m *metav1.ObjectMeta, _ randfill.Continue) { m.Name = "object" },
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
