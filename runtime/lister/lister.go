package lister

import (
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// Lister reads objects of one type from an indexer. The zero value is not usable, see [New].
type Lister[T Object] struct{ objects objects }

// New returns a lister that reads from an indexer, whose objects must all be of type T. The resource is for NotFound errors. Lists
// of one namespace are fast if the indexer has cache.NamespaceIndex, as indexers of informers have.
func New[T Object](indexer cache.Indexer, resource schema.GroupResource) Lister[T] {
	return Lister[T]{newObjects(indexer, resource)}
}

// Get returns an object, or a NotFound error. For cluster-scoped kinds, namespace is empty.
func (l Lister[T]) Get(namespace, name string) (T, error) {
	return get[T](l.objects.in(namespace), name)
}

// List returns the objects in all namespaces whose labels match the selector, in no particular order. The error is always nil.
func (l Lister[T]) List(selector labels.Selector) ([]T, error) {
	return list[T](l.objects, selector), nil
}

// In returns a lister for one namespace. For cluster-scoped kinds, namespace is empty.
func (l Lister[T]) In(namespace string) NamespaceLister[T] {
	return NamespaceLister[T]{l.objects.in(namespace)}
}

// Copies returns a lister that returns deep copies, which may be modified.
func (l Lister[T]) Copies() Lister[T] { return Lister[T]{l.objects.copied()} }

// Indexer returns the indexer that the lister reads from: after Copies, one with deep copies.
func (l Lister[T]) Indexer() cache.Indexer { return l.objects.indexer() }

// ByIndex returns the objects that an index has for a key. Prefer the methods of an [Index], which are typed.
func (l Lister[T]) ByIndex(indexName, indexedValue string) ([]any, error) {
	return l.objects.indexer().ByIndex(indexName, indexedValue)
}

func (l Lister[T]) read() objects { return l.objects }

// NamespaceLister reads the objects of one namespace.
type NamespaceLister[T Object] struct{ objects objects }

// Get returns an object, or a NotFound error.
func (l NamespaceLister[T]) Get(name string) (T, error) { return get[T](l.objects, name) }

// List returns the objects in the namespace whose labels match the selector, in no particular order. The error is always nil.
func (l NamespaceLister[T]) List(selector labels.Selector) ([]T, error) {
	return list[T](l.objects, selector), nil
}

func (l NamespaceLister[T]) read() objects { return l.objects }
