package main

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// filler fills objects with values that differ between fields and, if the suffix differs, between objects.
type filler struct {
	suffix string
	number int64
	truth  bool
}

// The old object of updates, and the new one.
func before() *filler { return &filler{suffix: "-before", number: 100, truth: true} }
func after() *filler  { return &filler{suffix: "-after", number: 5000} }

// maxNesting is how deep types contain themselves.
const maxNesting = 12

// fill fills a value. Keys of maps, which may be those of resources, and the metadata that identifies an object stay the same.
func (f *filler) fill(v reflect.Value, path string) {
	if strings.Count(path, ".") > maxNesting || !v.CanSet() || path == ".metadata.managedFields" {
		return
	}
	f.number++
	switch of := v.Addr().Interface().(type) {
	case *metav1.TypeMeta:
		return
	case *metav1.ObjectMeta:
		f.metadata(of)
		return
	case *metav1.Time:
		of.Time = time.Unix(f.number, 0)
		return
	case *metav1.MicroTime:
		of.Time = time.Unix(f.number, 0)
		return
	case *metav1.Duration:
		of.Duration = time.Duration(f.number) * time.Second
		return
	case *resource.Quantity:
		*of = *resource.NewQuantity(f.number, resource.DecimalSI)
		return
	case *intstr.IntOrString:
		*of = intstr.FromInt32(int32(f.number))
		return
	case *runtime.RawExtension:
		of.Raw = fmt.Appendf(nil, `{"number":%d}`, f.number)
		return
	}
	f.fillKind(v, path)
}

func (f *filler) fillKind(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), path)
	case reflect.Struct:
		for i := range v.NumField() {
			name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			below := path + "." + name
			if strings.Contains(options, "inline") || name == "" {
				below = path
			}
			f.fill(v.Field(i), below)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(path + f.suffix))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0), path)
	case reflect.Map:
		element := reflect.New(v.Type().Elem()).Elem()
		f.fill(element, path)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("cpu").Convert(v.Type().Key()), element)
	case reflect.String:
		v.SetString(path + f.suffix)
	case reflect.Bool:
		v.SetBool(f.truth)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(f.number)
	case reflect.Float64:
		v.SetFloat(float64(f.number))
	}
}

// firstGeneration is a generation that no strategy sets.
const firstGeneration = 7

func (f *filler) metadata(m *metav1.ObjectMeta) {
	m.Name, m.Namespace, m.UID, m.Generation = "web", "shop", "1", firstGeneration
	m.Labels = map[string]string{"key": "label" + f.suffix}
	m.Annotations = map[string]string{"key": "annotation" + f.suffix}
	m.Finalizers = []string{"example.com/" + f.suffix}
	m.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "owner" + f.suffix, UID: "2"}}
}
