package reader

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// ResourceIndexer reads the objects of one namespace, or all. It is embedded in generated listers of one namespace under the
// name that listers of client-go have for this, so that handwritten methods may use it, and is a third of the size: each call
// that asks a lister for a namespace allocates one.
type ResourceIndexer[T Object] struct {
	source    *source[T]
	namespace string
}

// In returns the objects of a namespace.
func (r ResourceIndexer[T]) In(namespace string) ResourceIndexer[T] {
	return ResourceIndexer[T]{r.source, namespace}
}

// Namespace returns the namespace; "" if the objects are those of all namespaces.
func (r ResourceIndexer[T]) Namespace() string { return r.namespace }

// Copies returns a lister of deep copies, of all namespaces.
func (r ResourceIndexer[T]) Copies() Lister[T] {
	l := New[T](r.source.indexer, r.source.resource)
	l.source.lister = r.source.lister
	return l.Copies()
}

// Get returns an object, or a NotFound error.
func (r ResourceIndexer[T]) Get(name string) (object T, err error) {
	s, key := r.source, name
	if r.namespace != "" {
		if s.names != nil {
			return r.getByName(name)
		}
		key = keyOf(r.namespace, name)
	}
	obj, exists, err := s.indexer.GetByKey(key)
	if err != nil || !exists {
		return object, r.notFound(name, err)
	}
	if object = obj.(T); s.copies {
		object = deepCopy(object)
	}
	return object, nil
}

func (r ResourceIndexer[T]) getByName(name string) (object T, err error) {
	obj, exists := r.source.names.GetByName(r.namespace, name)
	if !exists {
		return object, r.notFound(name, nil)
	}
	if object = obj.(T); r.source.copies {
		object = deepCopy(object)
	}
	return object, nil
}

func (r ResourceIndexer[T]) notFound(name string, err error) error {
	if err != nil {
		return err
	}
	return apierrors.NewNotFound(r.source.resource, name)
}

// Exists reports whether there is an object of that name.
func (r ResourceIndexer[T]) Exists(name string) bool {
	_, exists, err := r.source.find(r.namespace, name)
	r.report(err)
	return exists
}

// List returns the objects whose labels match the selector.
func (r ResourceIndexer[T]) List(selector labels.Selector) ([]T, error) {
	if _, selectable := selector.Requirements(); !selectable {
		return nil, nil
	}
	if r.source.lister != nil {
		return r.source.lister.results(r.source, r.namespace, selector)
	}
	objects, err := r.source.objects(r.namespace)
	if err != nil || selector.Empty() {
		return r.source.results(objects), err
	}
	list := matching[T](objects, selector)
	if r.source.copies {
		for i, object := range list {
			list[i] = deepCopy(object)
		}
	}
	return list, nil
}

// manyObjects are more than the cache of a processor holds, with their labels.
const manyObjects = 4096

// matching returns the objects whose labels match the selector.
func matching[T Object](objects []any, selector labels.Selector) (list []T) {
	if len(objects) > manyObjects {
		return matchingOfMany[T](objects, selector)
	}
	for _, obj := range objects {
		if object := obj.(T); selector.Matches(labels.Set(object.GetLabels())) {
			list = append(list, object)
		}
	}
	return list
}

// matchingOfMany is matching for objects that are scattered in memory. It first reads the labels of several objects, then the
// sizes of these maps, then their entries. The processor can then wait for several objects at the same time.
func matchingOfMany[T Object](objects []any, selector labels.Selector) (list []T) {
	var all [64]map[string]string
	var sizes [len(all)]int
	unlabeled := selector.Matches(labels.Set(nil))
	for block := range slices.Chunk(objects, len(all)) {
		for i, obj := range block {
			all[i] = obj.(T).GetLabels()
		}
		for i := range block {
			sizes[i] = len(all[i])
		}
		for i, obj := range block {
			if sizes[i] == 0 && unlabeled || sizes[i] > 0 && selector.Matches(labels.Set(all[i])) {
				list = append(list, obj.(T))
			}
		}
	}
	return list
}

// All iterates over the objects, in no particular order.
func (r ResourceIndexer[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		if r.source.store != nil {
			r.source.store.Range(r.namespace, func(obj any) bool { return yield(r.source.result(obj)) })
			return
		}
		objects, err := r.source.objects(r.namespace)
		r.report(err)
		for _, obj := range objects {
			if !yield(r.source.result(obj)) {
				return
			}
		}
	}
}

// Sorted returns the objects, sorted by namespace and name.
func (r ResourceIndexer[T]) Sorted() []T {
	list, err := r.List(labels.Everything())
	r.report(err)
	slices.SortFunc(list, func(a, b T) int {
		if order := strings.Compare(a.GetNamespace(), b.GetNamespace()); order != 0 {
			return order
		}
		return strings.Compare(a.GetName(), b.GetName())
	})
	return list
}

// Len returns the number of objects.
func (r ResourceIndexer[T]) Len() int {
	if r.source.store != nil {
		return r.source.store.Len(r.namespace)
	}
	objects, err := r.source.objects(r.namespace)
	r.report(err)
	return len(objects)
}

// report logs an error that a method does not return. Indexers do not fail; other implementations of listers may.
func (r ResourceIndexer[T]) report(err error) {
	if err != nil {
		utilruntime.HandleError(fmt.Errorf("read %s: %w", r.source.resource, err))
	}
}
