package fake

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/testing"
)

// knownKinds describes the kinds of all clients.
type knownKinds struct {
	scheme  *runtime.Scheme
	decoder runtime.Decoder
	// resources are the resources of the kinds.
	resources map[schema.GroupVersionKind]string
}

// kindOf returns the kind of a resource, and whether a client has it.
func (k knownKinds) kindOf(gvr schema.GroupVersionResource) (schema.GroupVersionKind, bool) {
	for kind, resource := range k.resources {
		if kind.GroupVersion().WithResource(resource) == gvr {
			return kind, true
		}
	}
	return schema.GroupVersionKind{}, false
}

// subresourceTracker is an object tracker that distinguishes requests to a subresource from those to the resource.
type subresourceTracker interface {
	testing.ObjectTracker
	// through returns the tracker for requests to a subresource, or to the resource itself if it is empty.
	through(subresource string) testing.ObjectTracker
}

// objectTracker stores objects under the resources of their kinds. The tracker of client-go guesses the resource, which fails
// for irregular plurals.
type objectTracker struct {
	testing.ObjectTracker
	known knownKinds
}

func newObjectTracker(known knownKinds) objectTracker {
	return objectTracker{ObjectTracker: testing.NewObjectTracker(known.scheme, known.decoder), known: known}
}

// through implements subresourceTracker. Without field management, subresources need no distinction.
func (t objectTracker) through(string) testing.ObjectTracker { return t }

// Add implements testing.ObjectTracker. The items of a list are added one by one.
func (t objectTracker) Add(obj runtime.Object) error {
	if meta.IsListType(obj) {
		return t.addItems(obj)
	}
	kinds, _, err := t.known.scheme.ObjectKinds(obj)
	if err != nil {
		return t.ObjectTracker.Add(obj)
	}
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	known := false
	for _, kind := range kinds {
		resource, ok := t.known.resources[kind]
		if !ok {
			continue
		}
		known = true
		if err := t.Create(kind.GroupVersion().WithResource(resource), obj, accessor.GetNamespace()); err != nil {
			return err
		}
	}
	if !known {
		return t.ObjectTracker.Add(obj)
	}
	return nil
}

func (t objectTracker) addItems(list runtime.Object) error {
	items, err := meta.ExtractList(list)
	if err != nil {
		return err
	}
	if errs := runtime.DecodeList(items, t.known.decoder); len(errs) > 0 {
		return errs[0]
	}
	for _, item := range items {
		if err := t.Add(item); err != nil {
			return err
		}
	}
	return nil
}
