package lister

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// Copies returns a read-only indexer with deep copies of the objects of another one. Pass it to the constructor of a lister: all
// methods of the lister return copies, which may be modified. A copy is made when an object is read, so the indexer takes no
// memory, and is always up to date.
func Copies(indexer cache.Indexer) cache.Indexer {
	if already, ok := indexer.(copying); ok {
		return already
	}
	return copying{indexer}
}

// copying is a read-only indexer with deep copies of the objects of another one. It embeds that one for the methods that return
// no objects.
type copying struct{ cache.Indexer }

var errReadOnly = errors.New("an indexer of copies is read-only: write to the original")

// Add implements cache.Store. It returns an error, as the other methods that write.
func (copying) Add(any) error { return errReadOnly }

// Update implements cache.Store.
func (copying) Update(any) error { return errReadOnly }

// Delete implements cache.Store.
func (copying) Delete(any) error { return errReadOnly }

// Replace implements cache.Store.
func (copying) Replace([]any, string) error { return errReadOnly }

// AddIndexers implements cache.Indexer.
func (copying) AddIndexers(cache.Indexers) error { return errReadOnly }

// Bookmark implements cache.Store. It does nothing.
func (copying) Bookmark(string) {}

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

func copiesOf(objects []any) []any {
	copies := make([]any, 0, len(objects))
	for _, obj := range objects {
		copies = append(copies, copyOf(obj))
	}
	return copies
}

// copyOf returns a deep copy of an API object.
func copyOf(obj any) any {
	if object, ok := obj.(runtime.Object); ok {
		return object.DeepCopyObject()
	}
	return obj
}
