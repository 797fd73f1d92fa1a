package reader

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// listed is a read-only indexer whose objects come from a function. It has the index by namespace.
type listed struct {
	cache.Indexer
	list func() []any
}

func newListed(list func() []any) listed {
	return listed{cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}), list}
}

// List implements cache.Store.
func (l listed) List() []any { return l.list() }

// Get implements cache.Store.
func (l listed) Get(obj any) (item any, exists bool, err error) {
	key, err := cache.MetaNamespaceKeyFunc(obj)
	if err != nil {
		return nil, false, err
	}
	return l.GetByKey(key)
}

// GetByKey implements cache.Store.
func (l listed) GetByKey(key string) (item any, exists bool, err error) {
	for _, obj := range l.list() {
		if cache.MetaObjectToName(obj.(metav1.Object)).String() == key {
			return obj, true, nil
		}
	}
	return nil, false, nil
}

// Index implements cache.Indexer.
func (l listed) Index(indexName string, obj any) ([]any, error) {
	if object, ok := obj.(metav1.Object); ok {
		return l.ByIndex(indexName, object.GetNamespace())
	}
	return l.Indexer.Index(indexName, obj) // an error
}

// ByIndex implements cache.Indexer.
func (l listed) ByIndex(indexName, key string) ([]any, error) {
	if indexName != cache.NamespaceIndex {
		return l.Indexer.ByIndex(indexName, key) // an error
	}
	return slices.DeleteFunc(l.list(), func(obj any) bool { return obj.(metav1.Object).GetNamespace() != key }), nil
}
