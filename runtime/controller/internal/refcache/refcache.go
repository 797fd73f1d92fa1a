// Package refcache caches the objects that others refer to: one implementation for each watch mode of package controller.
package refcache

import (
	"context"

	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Objects has the objects that others refer to. Its methods may be called concurrently.
type Objects[R informer.Object] interface {
	// Get returns an object, or false if it does not exist.
	Get(ctx context.Context, name cache.ObjectName) (R, bool, error)
	// Namespaces returns the watched namespaces.
	Namespaces() []string
	// Unserved reports whether the API server is known not to serve the resource.
	Unserved() bool
}

// Cached has the objects in the cache of an informer.
type Cached[R informer.Object] struct{ *informer.Informer[R] }

// Get implements Objects.
func (c Cached[R]) Get(_ context.Context, name cache.ObjectName) (object R, exists bool, err error) {
	found, exists, err := c.Indexer().GetByKey(name.String())
	if err != nil || !exists {
		return object, false, err
	}
	object, exists = found.(R)
	return object, exists, nil
}
