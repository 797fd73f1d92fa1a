package reader

import "k8s.io/client-go/tools/cache"

// listed is an indexer whose objects are listed for each read.
type listed struct {
	cache.Indexer // is empty, for methods that do not read
	list          func() []any
	indexers      cache.Indexers
}

func newListed(list func() []any, indexers cache.Indexers) listed {
	return listed{cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers), list, indexers}
}

// now returns an indexer with the objects that there are now.
func (l listed) now() cache.Indexer {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, l.indexers)
	for _, obj := range l.list() {
		_ = indexer.Add(obj) // fails only if an object has no metadata
	}
	return indexer
}

// List implements cache.Store.
func (l listed) List() []any { return l.list() }

// ListKeys implements cache.Store.
func (l listed) ListKeys() []string { return l.now().ListKeys() }

// Get implements cache.Store.
func (l listed) Get(obj any) (item any, exists bool, err error) { return l.now().Get(obj) }

// GetByKey implements cache.Store.
func (l listed) GetByKey(key string) (item any, exists bool, err error) { return l.now().GetByKey(key) }

// Index implements cache.Indexer.
func (l listed) Index(indexName string, obj any) ([]any, error) { return l.now().Index(indexName, obj) }

// ByIndex implements cache.Indexer.
func (l listed) ByIndex(indexName, key string) ([]any, error) { return l.now().ByIndex(indexName, key) }

// IndexKeys implements cache.Indexer.
func (l listed) IndexKeys(indexName, key string) ([]string, error) {
	return l.now().IndexKeys(indexName, key)
}

// ListIndexFuncValues implements cache.Indexer.
func (l listed) ListIndexFuncValues(indexName string) []string {
	return l.now().ListIndexFuncValues(indexName)
}

// GetIndexers implements cache.Indexer.
func (l listed) GetIndexers() cache.Indexers { return l.indexers }
