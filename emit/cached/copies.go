package cached

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

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

// copyOf returns a deep copy of an API object.
func copyOf(obj any) any {
	if object, ok := obj.(runtime.Object); ok {
		return object.DeepCopyObject()
	}
	return obj
}
