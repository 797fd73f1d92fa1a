package reader

import (
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
)

// FromLister returns the objects of any lister, such as a mock. The functions list and get call its methods, with an empty
// namespace for all. Lookups list objects and call the index functions of indexers.
func FromLister[T Object](
	resource schema.GroupResource, indexers cache.Indexers,
	list func(namespace string, selector labels.Selector) ([]T, error), get func(namespace, name string) (T, error),
) Objects {
	return fromLister(resource, &lister{
		cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers), indexers,
		func(namespace string, selector labels.Selector) ([]any, error) {
			list, err := list(namespace, selector)
			objects := make([]any, len(list))
			for i, object := range list {
				objects[i] = object
			}
			return objects, err
		},
		func(namespace, name string) (any, error) {
			object, err := get(namespace, name)
			var none T
			if any(object) == any(none) {
				return nil, err
			}
			return object, err
		},
	})
}

func fromLister(resource schema.GroupResource, l *lister) Objects {
	return Objects{source: &source{indexer: l, lister: l, resource: resource}}
}

// lister is a read-only indexer with the objects of a lister.
type lister struct {
	cache.Indexer
	indexers cache.Indexers
	list     func(namespace string, selector labels.Selector) ([]any, error)
	// get returns nil for a nil pointer.
	get func(namespace, name string) (any, error)
}

// List implements cache.Store. Errors are logged.
func (l *lister) List() []any {
	objects, err := l.list(metav1.NamespaceAll, labels.Everything())
	if err != nil {
		utilruntime.HandleError(err)
	}
	return objects
}

// GetByKey implements cache.Store.
func (l *lister) GetByKey(key string) (item any, exists bool, err error) {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return nil, false, err
	}
	object, err := l.get(namespace, name)
	switch {
	case apierrors.IsNotFound(err):
		return nil, false, nil
	case err != nil || object == nil:
		return nil, false, err
	}
	return object, true, nil
}

// Index implements cache.Indexer for the index by namespace, which handwritten methods use to list objects.
func (l *lister) Index(indexName string, obj any) ([]any, error) {
	if object, ok := obj.(metav1.Object); ok && indexName == cache.NamespaceIndex {
		return l.list(object.GetNamespace(), labels.Everything())
	}
	return nil, fmt.Errorf("index with name %s does not exist", indexName)
}

// ByIndex implements cache.Indexer.
func (l *lister) ByIndex(indexName, key string) ([]any, error) {
	keysOf, ok := l.indexers[indexName]
	if !ok {
		return nil, fmt.Errorf("index with name %s does not exist", indexName)
	}
	objects, err := l.list(metav1.NamespaceAll, labels.Everything())
	return slices.DeleteFunc(objects, func(obj any) bool {
		keys, keysErr := keysOf(obj)
		return keysErr != nil || !slices.Contains(keys, key)
	}), err
}

// copying is an indexer that returns deep copies.
type copying struct{ cache.Indexer }

func copiesOf(objects []any) []any {
	copies := make([]any, 0, len(objects))
	for _, obj := range objects {
		copies = append(copies, copyOf(obj))
	}
	return copies
}

// List implements cache.Store.
func (c copying) List() []any { return copiesOf(c.Indexer.List()) }

// Get implements cache.Store.
func (c copying) Get(obj any) (item any, exists bool, err error) {
	item, exists, err = c.Indexer.Get(obj)
	return copyOf(item), exists, err
}

// GetByKey implements cache.Store.
func (c copying) GetByKey(key string) (item any, exists bool, err error) {
	item, exists, err = c.Indexer.GetByKey(key)
	return copyOf(item), exists, err
}

// Index implements cache.Indexer.
func (c copying) Index(indexName string, obj any) ([]any, error) {
	objects, err := c.Indexer.Index(indexName, obj)
	return copiesOf(objects), err
}

// ByIndex implements cache.Indexer.
func (c copying) ByIndex(indexName, key string) ([]any, error) {
	objects, err := c.Indexer.ByIndex(indexName, key)
	return copiesOf(objects), err
}
