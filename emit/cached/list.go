package cached

import (
	"iter"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// Object is a pointer to an API type. It must be a basic interface: if it embedded comparable, the compiler would instantiate
// generic functions for each type instead of sharing code.
type Object interface {
	runtime.Object
	metav1.Object
}

// ResourceIndexer reads typed objects. It is embedded in namespace listers with handwritten methods, as listers.ResourceIndexer is
// in client-go's. It is a third of that size, which matters because each call that returns a namespace lister allocates one.
type ResourceIndexer[T Object] struct{ ListerSource }

// Get returns an object, or a NotFound error.
func (r ResourceIndexer[T]) Get(name string) (T, error) { return Get[T](r.Objects, name) }

// List returns the objects whose labels match the selector.
func (r ResourceIndexer[T]) List(selector labels.Selector) ([]T, error) {
	return List[T](r.Objects, selector)
}

// Get returns an object, or a NotFound error.
func Get[T Object](o Objects, name string) (object T, err error) {
	obj, err := o.get(name)
	if err != nil {
		return object, err
	}
	return obj.(T), nil
}

// List returns the objects whose labels match the selector.
func List[T Object](o Objects, selector labels.Selector) ([]T, error) {
	b := newBuffer()
	list := typed[T](o, o.list(b, selector))
	b.release()
	return list, nil
}

// Sorted returns all objects, sorted by namespace and name.
func Sorted[T Object](o Objects) []T { return typed[T](o, o.sorted()) }

// All iterates over all objects, in no particular order.
//
//go:noinline
func All[T Object](o Objects) iter.Seq[T] {
	return func(yield func(T) bool) {
		o.each(func(obj any) bool {
			if o.source.copies {
				obj = copyOf(obj)
			}
			return yield(obj.(T))
		})
	}
}

// typed converts the result of a read to a slice of typed objects, or nil if there are none.
func typed[T Object](o Objects, objects []any) []T {
	if len(objects) == 0 {
		return nil
	}
	list := make([]T, len(objects))
	for i, obj := range objects {
		list[i] = obj.(T)
	}
	if o.source.copies {
		for i, object := range list {
			list[i] = object.DeepCopyObject().(T)
		}
	}
	return list
}
