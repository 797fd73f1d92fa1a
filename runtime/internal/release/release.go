// Package release knows additions to client-go after the oldest release that the library supports. The library compiles with all
// later releases, too, so it looks for methods and fields by reflection, and only here.
package release

import (
	"reflect"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Has38 reports whether the program is built with client-go v0.38 or later, by a method that v0.38 added to all informers.
func Has38() bool {
	_, has := reflect.TypeFor[cache.SharedInformer]().MethodByName("SetShardSelector")
	return has
}

// DropsManagedFields reports whether a configuration asks for objects without managed fields: rest.Config.DropManagedFields, since
// client-go v0.38.
func DropsManagedFields(config *rest.Config) bool { return isSet(config, "DropManagedFields") }

// isSet reports whether a struct has a field of type bool that is true.
func isSet(pointer any, field string) bool {
	value := reflect.ValueOf(pointer).Elem().FieldByName(field)
	return value.IsValid() && value.Bool()
}
