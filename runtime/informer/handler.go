package informer

import (
	"fmt"
	"reflect"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
)

// Handler handles the events of an informer, one at a time and in order. Objects are shared and must not be modified. A slow
// handler delays no other; its queue is unbounded.
type Handler[T Object] interface {
	// OnAdd is called for an added object. Initial is set if it was there before the handler, or is part of the informer's first list.
	OnAdd(object T, initial bool)
	// OnUpdate is called for an object that was updated, and at each resync for all objects: then both arguments are the same. After is a
	// new object of the same name, with another UID, if the informer missed a deletion.
	OnUpdate(before, after T)
	// OnDelete is called for an object that was deleted. Last is its last known state. If the informer did not see the deletion,
	// that may be older than what was deleted; if the last state is not known, it is nil. The name is always known.
	OnDelete(name cache.ObjectName, last T)
}

// HandlerFuncs is a [Handler] whose methods call functions. Each may be nil.
type HandlerFuncs[T Object] struct {
	Added   func(object T, initial bool)
	Updated func(before, after T)
	Deleted func(name cache.ObjectName, last T)
}

// OnAdd calls Added.
func (h HandlerFuncs[T]) OnAdd(object T, initial bool) {
	if h.Added != nil {
		h.Added(object, initial)
	}
}

// OnUpdate calls Updated.
func (h HandlerFuncs[T]) OnUpdate(before, after T) {
	if h.Updated != nil {
		h.Updated(before, after)
	}
}

// OnDelete calls Deleted.
func (h HandlerFuncs[T]) OnDelete(name cache.ObjectName, last T) {
	if h.Deleted != nil {
		h.Deleted(name, last)
	}
}

// typedHandler is a cache.ResourceEventHandler that calls a Handler.
type typedHandler[T Object] struct{ handler Handler[T] }

// OnAdd implements cache.ResourceEventHandler.
func (h typedHandler[T]) OnAdd(obj any, initial bool) {
	if object, ok := typedObject[T](obj); ok {
		h.handler.OnAdd(object, initial)
	}
}

// OnUpdate implements cache.ResourceEventHandler.
func (h typedHandler[T]) OnUpdate(before, after any) {
	was, typed := typedObject[T](before)
	is, typedToo := typedObject[T](after)
	if typed && typedToo {
		h.handler.OnUpdate(was, is)
	}
}

// OnDelete implements cache.ResourceEventHandler.
func (h typedHandler[T]) OnDelete(obj any) {
	name, err := cache.DeletionHandlingObjectToName(obj)
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	if unknown, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = unknown.Obj
	}
	last, _ := obj.(T) // nil if it is not known
	h.handler.OnDelete(name, last)
}

// HandlerType names the handler in logs and reports.
func (h typedHandler[T]) HandlerType() reflect.Type { return reflect.TypeOf(h.handler) }

// typedObject returns an object as a T. It logs an error for another object, which only a transform function can make.
func typedObject[T Object](obj any) (T, bool) {
	object, ok := obj.(T)
	if !ok {
		utilruntime.HandleError(fmt.Errorf("skipped an event: the object is a %T, not a %v; does a transform function replace it?",
			obj, reflect.TypeFor[T]()))
	}
	return object, ok
}
