package reader

import (
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
)

// AnyLister is what generated listers have in common.
type AnyLister[T Object] interface {
	List(selector labels.Selector) ([]T, error)
}

// AnyNamespaceLister is what listers for one namespace and those of cluster-scoped kinds have in common.
type AnyNamespaceLister[T Object] interface {
	AnyLister[T]
	Get(name string) (T, error)
}

// FromLister returns the objects of a lister of any implementation, such as a mock. The indexers are those that
// lookups ask for: they list and call the index functions.
func FromLister[T Object](resource schema.GroupResource, indexers cache.Indexers, all AnyLister[T], in func(namespace string) AnyNamespaceLister[T]) ResourceIndexer[T] {
	l := &lister[T]{cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers), indexers, all, in}
	return ResourceIndexer[T]{source: &source[T]{indexer: l, lister: l, resource: resource}}
}

// lister is an indexer with the objects of a lister. Changes have no effect.
type lister[T Object] struct {
	cache.Indexer
	indexers cache.Indexers
	all      AnyLister[T]
	in       func(namespace string) AnyNamespaceLister[T]
}

func (l *lister[T]) list(namespace string, selector labels.Selector) ([]T, error) {
	if namespace == metav1.NamespaceAll {
		return l.all.List(selector)
	}
	return l.in(namespace).List(selector)
}

func (l *lister[T]) results(s *source[T], namespace string, selector labels.Selector) ([]T, error) {
	list, err := l.list(namespace, selector)
	list = slices.Clone(list) // callers may sort
	for i, object := range list {
		list[i] = s.result(object)
	}
	return list, err
}

func (l *lister[T]) objects(namespace string) ([]any, error) {
	list, err := l.list(namespace, labels.Everything())
	objects := make([]any, 0, len(list))
	for _, object := range list {
		objects = append(objects, object)
	}
	return objects, err
}

// List implements cache.Store. Errors are logged.
func (l *lister[T]) List() []any {
	objects, err := l.objects(metav1.NamespaceAll)
	if err != nil {
		utilruntime.HandleError(err)
	}
	return objects
}

// GetByKey implements cache.Store.
func (l *lister[T]) GetByKey(key string) (item any, exists bool, err error) {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return nil, false, err
	}
	object, err := l.in(namespace).Get(name)
	var none T
	switch {
	case apierrors.IsNotFound(err):
		return nil, false, nil
	case err != nil || any(object) == any(none):
		return nil, false, err
	}
	return object, true, nil
}

// Index implements cache.Indexer for the index by namespace, which handwritten methods list with.
func (l *lister[T]) Index(indexName string, obj any) ([]any, error) {
	if object, ok := obj.(metav1.Object); ok && indexName == cache.NamespaceIndex {
		return l.objects(object.GetNamespace())
	}
	return nil, fmt.Errorf("index with name %s does not exist", indexName)
}

// ByIndex implements cache.Indexer.
func (l *lister[T]) ByIndex(indexName, key string) ([]any, error) {
	keysOf, ok := l.indexers[indexName]
	if !ok {
		return nil, fmt.Errorf("index with name %s does not exist", indexName)
	}
	objects, err := l.objects(metav1.NamespaceAll)
	return slices.DeleteFunc(objects, func(obj any) bool {
		keys, keysErr := keysOf(obj)
		return keysErr != nil || !slices.Contains(keys, key)
	}), err
}

// copying is an indexer that returns deep copies.
type copying struct{ cache.Indexer }

func copyOf(obj any) any {
	if object, ok := obj.(runtime.Object); ok {
		return object.DeepCopyObject()
	}
	return obj
}

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
