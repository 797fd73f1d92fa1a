// Package wanted checks the objects that calls of Sync desire, before anything is written.
package wanted

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
)

// Object is a desired object: an API object, or an apply configuration.
type Object struct {
	Name cache.ObjectName
	// Content is the object as JSON sends it. It is not used if the object has no name.
	Content any
}

// named is the common part of apply configurations.
type named interface{ GetName() *string }

// Of returns the desired object for an apply configuration or an API object, which may be nil.
func Of(content any) Object {
	if v := reflect.ValueOf(content); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return Object{}
	}
	switch object := content.(type) {
	case metav1.Object:
		return Object{cache.MetaObjectToName(object), content}
	case named:
		return Object{cache.NewObjectName(namespaceIn(content), ptr.Deref(object.GetName(), "")), content}
	}
	return Object{}
}

// KindOf returns the kind of an object: its field kind, which unstructured objects have, or the name of its Go type.
func KindOf(object runtime.Object) string {
	return cmp.Or(object.GetObjectKind().GroupVersionKind().Kind, reflect.TypeOf(object).Elem().Name())
}

// namespaceIn returns the namespace in an apply configuration. Apply configurations have a method for that since client-go
// v0.34; for others, the namespace is read from their JSON form.
func namespaceIn(config any) string {
	if config, ok := config.(interface{ GetNamespace() *string }); ok {
		return ptr.Deref(config.GetNamespace(), "")
	}
	var object metav1.PartialObjectMetadata
	if data, err := json.Marshal(config); err == nil {
		_ = json.Unmarshal(data, &object) // if this fails, the request fails too
	}
	return object.Namespace
}

// Call is a call of Sync for objects of a Go type.
type Call struct {
	Owner   metav1.Object
	Type    reflect.Type
	Objects []Object
	// Label is the key of the label that Sync adds to the objects, if there is one.
	Label string
	// Namespaced is true if the objects are known to have a namespace.
	Namespaced bool
	// Deletes reports whether the call deletes objects that it does not desire.
	Deletes bool
}

// kind is the kind of the objects, for messages.
func (c Call) kind() string { return c.Type.Elem().Name() }

// Validate returns an error if an object has no name, if two have the same one, or if the garbage collector does not accept the owner:
// the owner of an object is in the same namespace, or has none.
func (c Call) Validate() error {
	seen := map[cache.ObjectName]bool{}
	for _, object := range c.Objects {
		namespace := c.Owner.GetNamespace()
		switch {
		case object.Content == nil:
			return fmt.Errorf("desired %s is nil", c.kind())
		case object.Name.Name == "":
			return fmt.Errorf("desired %s has no name", c.kind())
		case seen[object.Name]:
			return fmt.Errorf("%s %s is desired twice", c.kind(), object.Name)
		case namespace != "" && object.Name.Namespace == "":
			return fmt.Errorf("%s %s has no namespace, but its owner %s has: the garbage collector would delete it",
				c.kind(), object.Name, cache.MetaObjectToName(c.Owner))
		case c.Namespaced && object.Name.Namespace == "":
			return fmt.Errorf("%s %s has no namespace", c.kind(), object.Name)
		case namespace != "" && object.Name.Namespace != namespace:
			return fmt.Errorf("%s %s is not in the namespace of its owner %s: the garbage collector would delete it",
				c.kind(), object.Name, cache.MetaObjectToName(c.Owner))
		}
		seen[object.Name] = true
	}
	return nil
}

// Log has the calls of one attempt. The zero value is empty. Its methods may be called concurrently.
type Log struct {
	lock  sync.Mutex
	calls map[subject][]call
}

// subject is what calls must agree on.
type subject struct {
	owner   types.UID
	objects reflect.Type
}

// call is a call in the log: the encoded objects.
type call struct {
	objects map[cache.ObjectName][]byte
	deletes bool
}

// remedy ends the messages about two calls.
const remedy = "pass all objects to one call of Sync, or use ApplyOnly or CreateOnly for different objects"

// Add adds a call to the log, or returns an error if it and an earlier one would undo each other's writes in every reconcile: one deletes
// objects that the other desires, or both desire different content of an object.
func (l *Log) Add(c Call) error {
	next := call{map[cache.ObjectName][]byte{}, c.Deletes}
	for _, object := range c.Objects {
		encoded, err := json.Marshal(object.Content)
		if err != nil {
			return fmt.Errorf("encode %s %s: %w", c.kind(), object.Name, err)
		}
		next.objects[object.Name] = encoded
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	about := subject{c.Owner.GetUID(), c.Type}
	for _, earlier := range l.calls[about] {
		if err := c.compare(earlier, next); err != nil {
			return err
		}
	}
	if l.calls == nil {
		l.calls = map[subject][]call{}
	}
	l.calls[about] = append(l.calls[about], next)
	return nil
}

// compare returns an error if the call would undo what an earlier one wrote, or the other way around.
func (c Call) compare(earlier, next call) error {
	for name, content := range next.objects {
		before, also := earlier.objects[name]
		switch {
		case !also && earlier.deletes:
			return fmt.Errorf("%s %s is not desired by an earlier call in this reconcile, which deletes others: %s", c.kind(), name, remedy)
		case also && !c.equal(before, content):
			return fmt.Errorf("%s %s is desired with different content by an earlier call in this reconcile: %s", c.kind(), name, remedy)
		}
	}
	for name := range earlier.objects {
		if _, also := next.objects[name]; !also && next.deletes {
			return fmt.Errorf("%s %s is desired by an earlier call in this reconcile, and this call would delete it: %s", c.kind(), name, remedy)
		}
	}
	return nil
}

// equal reports whether two objects are equal, apart from what Sync adds to the ones that it was given.
func (c Call) equal(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var objects [2]map[string]any
	for i, encoded := range [][]byte{a, b} {
		if json.Unmarshal(encoded, &objects[i]) != nil {
			return false
		}
		metadata, _ := objects[i]["metadata"].(map[string]any)
		labels, _ := metadata["labels"].(map[string]any)
		delete(labels, c.Label)
		if len(labels) == 0 {
			delete(metadata, "labels")
		}
		delete(metadata, "ownerReferences")
		delete(metadata, "uid")
	}
	return reflect.DeepEqual(objects[0], objects[1])
}
