package controller

import (
	"context"
	"fmt"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/metadata"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Object is a pointer to an API type, such as *corev1.Pod.
type Object = informer.Object

// Reconciler reconciles objects of type T. Its methods are called concurrently for different objects, but never concurrently for
// the same object. Arguments are copies and may be modified. The context ends when the controller stops, after a time for
// reconciles in flight to finish. All methods may return errors, which are retried.
type Reconciler[T Object] interface {
	// Reconcile is called after an event about the object or an object that it owns, but not after its own writes of the status, see
	// the package comment. With a finalizer, see WithFinalizer, the object has it and is not being deleted. Without one, it may be
	// being deleted: then Sync does nothing.
	Reconcile(ctx context.Context, object T) (Result, error)
	// ReconcileDeleted is called after the object is gone, unless a new object with the same name exists. It may be called more than once.
	ReconcileDeleted(ctx context.Context, name cache.ObjectName) error
}

// Finalizer is the additional method of a reconciler for WithFinalizer.
type Finalizer[T Object] interface {
	// Finalize is called for an object that is being deleted. The finalizer is removed when Finalize returns nil.
	Finalize(ctx context.Context, object T) error
}

// Result is the result of a successful reconcile.
type Result struct {
	// RequeueAfter is the time after which the object is reconciled again, even without an event; 0 means never.
	RequeueAfter time.Duration
}

// kindOf returns the kind of T: set, or if that is empty, the kind that follows from the resource and the Go type.
func kindOf[T Object](resource schema.GroupVersionResource, set schema.GroupVersionKind) (schema.GroupVersionKind, error) {
	if set.Kind != "" {
		return set, nil
	}
	t := reflect.TypeFor[T]()
	switch {
	case t == reflect.TypeFor[*unstructured.Unstructured](), t == reflect.TypeFor[*metav1.PartialObjectMetadata](),
		t.Kind() != reflect.Pointer, t.Elem().Name() == "":
		return set, fmt.Errorf("the type %v does not say what the kind of %s is: use WithKind", t, resource.GroupResource())
	}
	return resource.GroupVersion().WithKind(t.Elem().Name()), nil
}

// newFinalizing returns an error if the reconciler or the client lacks a method that a finalizer needs.
func newFinalizing[T Object](name string, reconciler Reconciler[T], source informer.Source[T]) (*metadata.Finalizer[T], error) {
	if _, ok := reconciler.(Finalizer[T]); !ok {
		return nil, fmt.Errorf("WithFinalizer: a %T has no method Finalize(context.Context, %v) error", reconciler, reflect.TypeFor[T]())
	}
	return metadata.NewFinalizer(name, source)
}
