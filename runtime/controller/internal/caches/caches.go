// Package caches runs the informers that a controller watches, and waits until they have synced.
package caches

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/ownerlabel"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/waiters"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

// Set has the informers that a controller watches. Everything may be called concurrently, except Watch, Start, Unregister and End.
type Set struct {
	factory *informer.Factory
	tracker *consistency.Tracker
	// wake enqueues an item that waits for an event about an object of a resource.
	wake func(item cache.ObjectName, resource string)

	all     []*Watcher
	waiting waiters.Set[*Watcher]
	// attached begin what runs while the set does, and ends end it again.
	attached []func(ctx context.Context) (end func())
	ends     []func()
	// said is when it was last logged that items wait, in nanoseconds.
	said atomic.Int64
}

// Attach adds a function that begins something before the informers run, and returns a function that ends it after them.
func (s *Set) Attach(begin func(ctx context.Context) (end func())) {
	s.attached = append(s.attached, begin)
}

// New returns a set without informers. The function wake is called for each item of [Set.Await] after the event that it waits for.
func New(
	factory *informer.Factory, tracker *consistency.Tracker, wake func(item cache.ObjectName, resource string),
) *Set {
	return &Set{factory: factory, tracker: tracker, wake: wake}
}

// Of returns the watcher for objects of a Go type in a namespace, and prefers a watcher of owned objects. It returns nil if no
// watcher, or more than one, fits.
func (s *Set) Of(object reflect.Type, namespace string) *Watcher {
	fit := map[bool][]*Watcher{} // by owned
	for _, w := range s.all {
		if w.object == object && Covers(w.source.Namespaces(), namespace) {
			fit[w.owned] = append(fit[w.owned], w)
		}
	}
	if found := fit[len(fit[true]) > 0]; len(found) == 1 {
		return found[0]
	}
	return nil
}

// Owned returns the label by which the owned objects of a Go type are watched, and whether they have a namespace. It returns zero values if
// they are not watched.
func (s *Set) Owned(object reflect.Type) (label ownerlabel.Label, namespaced bool) {
	for _, w := range s.all {
		if w.owned && w.object == object {
			return w.Label, w.namespaced
		}
	}
	return ownerlabel.Label{}, false
}

// Pending reports whether a cache has not listed a namespace that is being added.
func (s *Set) Pending(namespace string) bool {
	return slices.ContainsFunc(s.all, func(w *Watcher) bool { return w.source.Pending(namespace) })
}

// Unserved returns the resources that the API server does not serve yet, or no longer, or that could not be listed since it does.
func (s *Set) Unserved() (resources []string) {
	for _, w := range s.all {
		if w.source.Unserved() || !w.source.HasSynced() {
			resources = append(resources, w.resource.String())
		}
	}
	return resources
}

// Describe returns the states of the informers.
func (s *Set) Describe() (all informer.Description) {
	for _, w := range s.all {
		status := w.source.Describe()
		status.MissingFields = w.definition.Missing()
		all = append(all, status)
	}
	return all
}

// Awaits reports whether an item waits for an event about an object.
func (s *Set) Awaits(w *Watcher, object cache.ObjectName) bool {
	return s.waiting.Has(waiters.Key[*Watcher]{Cache: w, Object: object})
}

// Sweep ends the watches of objects outside of the caches that no item awaits.
func (s *Set) Sweep() {
	for _, w := range s.all {
		if w.Outside != nil {
			w.Outside.Sweep()
		}
	}
}

// Changed wakes the items that wait for an event about an object outside of the cache.
func (s *Set) Changed(w *Watcher, object cache.ObjectName) {
	for _, item := range s.waiting.Take(waiters.Key[*Watcher]{Cache: w, Object: object}) {
		s.wake(item, w.resource.String())
	}
}

// Await wakes an item after the next event about an object. The caller must check the cache again: the event may have occurred before.
func (s *Set) Await(w *Watcher, object, item cache.ObjectName) {
	s.waiting.Add(waiters.Key[*Watcher]{Cache: w, Object: object}, item)
}

// Forget ends all waits of an item.
func (s *Set) Forget(item cache.ObjectName) { s.waiting.Forget(item) }

// Awaited returns the number of objects that items wait for.
func (s *Set) Awaited() int { return s.waiting.Len() }

// Unregister removes all handlers, which may still be called for events that are being delivered.
func (s *Set) Unregister() {
	for _, w := range s.all {
		w.unregister()
	}
}

// End removes all handlers. Informers end, unless others need them.
func (s *Set) End() {
	for _, w := range s.all {
		w.unregister()
		if w.release != nil {
			w.release()
			w.release = nil
		}
	}
	for _, end := range slices.Backward(s.ends) {
		end()
	}
	s.ends = nil
}

// ByIndex returns the objects that an index of an informer has for a key.
func ByIndex[O informer.Object](objects *informer.Informer[O], index, key string) ([]O, error) {
	found, err := objects.ByIndex(index, key)
	if err != nil {
		return nil, err
	}
	all := make([]O, 0, len(found))
	for _, object := range found {
		if object, ok := object.(O); ok {
			all = append(all, object)
		}
	}
	return all, nil
}

// Objects has the objects that are reconciled.
type Objects[T informer.Object] struct {
	*informer.Informer[T]

	lister lister.Lister[T]
}

// ObjectsOf returns the objects of an informer.
func ObjectsOf[T informer.Object](i *informer.Informer[T]) Objects[T] {
	return Objects[T]{i, i.Lister()}
}

// Get returns an object from the cache. It must not be modified.
func (o Objects[T]) Get(name cache.ObjectName) (T, error) {
	object, err := o.lister.Get(name.Namespace, name.Name)
	if err != nil && !Covers(o.Namespaces(), name.Namespace) {
		return object, notWatchedError(name.Namespace)
	}
	return object, err
}

// notWatchedError is the error for objects of a namespace that the informer does not watch, or no longer watches: nobody knows
// whether they exist.
type notWatchedError string

// Error implements error.
func (e notWatchedError) Error() string { return fmt.Sprintf("namespace %q is not watched", string(e)) }

// IsNotWatched reports whether an error of Get means that the namespace of an object is not watched.
func IsNotWatched(err error) bool {
	_, ok := err.(notWatchedError) //nolint:errorlint // a reconciler may wrap the error of another controller
	return ok
}

// Covers reports whether a namespace is watched.
func Covers(watched []string, namespace string) bool {
	return slices.Contains(watched, namespace) || slices.Contains(watched, metav1.NamespaceAll)
}
