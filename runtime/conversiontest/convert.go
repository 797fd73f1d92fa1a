package conversiontest

import (
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// conversions returns how objects are converted: by the scheme or by the methods of the spoke.
func (s *settings) conversions(hub, spoke reflect.Type) (toHub, toSpoke conversion, err error) {
	if s.scheme != nil {
		convert := func(from, to reflect.Value) error { return s.scheme.Convert(from.Interface(), to.Interface(), nil) }
		return convert, convert, nil
	}
	hubPointer, spokePointer := reflect.PointerTo(hub), reflect.PointerTo(spoke)
	if marker, ok := hubPointer.MethodByName("Hub"); !ok || marker.Type.NumIn() != 1 || marker.Type.NumOut() != 0 {
		return nil, nil, fmt.Errorf("%s is no hub: declare func (*%s) Hub() {}, or use WithScheme", hub, hub.Name())
	}
	convertTo, err := method(spokePointer, "ConvertTo", hubPointer)
	if err != nil {
		return nil, nil, err
	}
	convertFrom, err := method(spokePointer, "ConvertFrom", hubPointer)
	if err != nil {
		return nil, nil, err
	}
	toSpoke = func(from, to reflect.Value) error { return convertFrom(to, from) }
	return convertTo, toSpoke, nil
}

// method returns a method of the spoke that takes the hub, as an interface or as its own type.
func method(spoke reflect.Type, name string, hub reflect.Type) (conversion, error) {
	m, ok := spoke.MethodByName(name)
	if !ok || m.Type.NumIn() != 2 || !hub.AssignableTo(m.Type.In(1)) || m.Type.NumOut() != 1 || m.Type.Out(0) != reflect.TypeFor[error]() {
		return nil, fmt.Errorf("%s has no method %s(hub) error that takes a %s: declare it, or use WithScheme", spoke, name, hub)
	}
	return func(receiver, other reflect.Value) error {
		err, _ := reflect.TypeAssert[error](m.Func.Call([]reflect.Value{receiver, other})[0])
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return err
	}, nil
}

// internal reports whether an object has the version that has no JSON.
func (s *settings) internal(object any) bool {
	known, ok := object.(runtime.Object)
	if s.scheme == nil || !ok {
		return false
	}
	kinds, _, err := s.scheme.ObjectKinds(known)
	return err == nil && slices.ContainsFunc(kinds, func(k schema.GroupVersionKind) bool { return k.Version == runtime.APIVersionInternal })
}
