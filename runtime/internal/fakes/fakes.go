// Package fakes finds client-go's testing.Fake in fake clientsets.
package fakes

import (
	"fmt"
	"reflect"

	"k8s.io/client-go/testing"
)

// Of returns the testing.Fake that a clientset embeds.
func Of(clientset any) (*testing.Fake, error) {
	if fake := embeddedFake(reflect.ValueOf(clientset)); fake != nil {
		return fake, nil
	}
	return nil, fmt.Errorf("a %T does not embed client-go's testing.Fake: pass a pointer to a fake clientset", clientset)
}

// embeddedFake returns the Fake in a struct and the structs that it embeds, or nil.
func embeddedFake(v reflect.Value) *testing.Fake {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return nil
	}
	if v.Type() == reflect.TypeFor[testing.Fake]() && v.CanAddr() && v.Addr().CanInterface() {
		return v.Addr().Interface().(*testing.Fake) //nolint:forcetypeassert // the type is checked above
	}
	for i := range v.NumField() {
		if !v.Type().Field(i).Anonymous {
			continue
		}
		if fake := embeddedFake(v.Field(i)); fake != nil {
			return fake
		}
	}
	return nil
}
