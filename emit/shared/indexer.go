package shared

import (
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// Add implements cache.Store. It does not notify the informer's handlers.
func (s *store) Add(obj any) error {
	name, err := nameOf(obj)
	if err == nil {
		s.set(name, obj)
	}
	return err
}

// Update implements cache.Store. It does not notify the informer's handlers.
func (s *store) Update(obj any) error { return s.Add(obj) }

// Delete implements cache.Store. It does not notify the informer's handlers.
func (s *store) Delete(obj any) error {
	name, err := nameOf(obj)
	if err == nil {
		s.remove(name)
	}
	return err
}

// List implements cache.Store.
func (s *store) List() []any { return s.in(metav1.NamespaceAll) }

// ListKeys implements cache.Store.
func (s *store) ListKeys() []string {
	names := s.names(metav1.NamespaceAll)
	keys := make([]string, 0, len(names))
	for _, name := range names {
		keys = append(keys, name.String())
	}
	return keys
}

// Get implements cache.Store.
func (s *store) Get(obj any) (item any, exists bool, err error) {
	name, err := nameOf(obj)
	if err != nil {
		return nil, false, err
	}
	item, exists = s.GetByName(name.Namespace, name.Name)
	return item, exists, nil
}

// GetByKey implements cache.Store.
func (s *store) GetByKey(key string) (item any, exists bool, err error) {
	name, err := cache.ParseObjectName(key)
	if err != nil {
		return nil, false, nil // no object has an invalid key
	}
	item, exists = s.GetByName(name.Namespace, name.Name)
	return item, exists, nil
}

// Replace implements cache.Store. It does not notify the informer's handlers.
func (s *store) Replace(list []any, version string) error {
	fresh := newStore(s.GetIndexers())
	for _, obj := range list {
		if err := fresh.Add(obj); err != nil {
			return err
		}
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.objects, s.count, s.indexes, s.version = fresh.objects, fresh.count, fresh.indexes, version
	return nil
}

// Resync implements cache.Store. It does nothing.
func (s *store) Resync() error { return nil }

// LastStoreSyncResourceVersion returns a resource version that the store has reached, see KEP-5647: it has all changes up to
// that version.
func (s *store) LastStoreSyncResourceVersion() string {
	s.lock.RLock()
	defer s.lock.RUnlock()
	return s.version
}

// Bookmark records a resource version that the store has reached.
func (s *store) Bookmark(version string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.version = version
}

// Index implements cache.Indexer: it returns the objects that share a key with obj, without duplicates.
func (s *store) Index(indexName string, obj any) (list []any, err error) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	if err := s.has(indexName); err != nil {
		return nil, err
	}
	keys, err := s.indexers[indexName](obj)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if list, err = s.appendFound(list, indexName, key); err != nil {
			return nil, err
		}
	}
	if len(keys) > 1 {
		seen := map[any]bool{}
		list = slices.DeleteFunc(list, func(obj any) bool {
			before := seen[obj]
			seen[obj] = true
			return before
		})
	}
	return list, nil
}

// IndexKeys implements cache.Indexer.
func (s *store) IndexKeys(indexName, key string) (keys []string, err error) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	if err := s.has(indexName); err != nil {
		return nil, err
	}
	for name := range s.indexes[indexName][key] {
		keys = append(keys, name.String())
	}
	if byNamespace(indexName, s.indexers[indexName]) {
		for name := range s.objects[key] {
			keys = append(keys, cache.NewObjectName(key, name).String())
		}
	}
	return keys, nil
}

// ListIndexFuncValues implements cache.Indexer.
func (s *store) ListIndexFuncValues(indexName string) []string {
	s.lock.RLock()
	defer s.lock.RUnlock()
	if s.has(indexName) == nil && byNamespace(indexName, s.indexers[indexName]) {
		return slices.Collect(maps.Keys(s.objects))
	}
	return slices.Collect(maps.Keys(s.indexes[indexName]))
}

// ByIndex implements cache.Indexer.
func (s *store) ByIndex(indexName, key string) ([]any, error) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	return s.appendFound(nil, indexName, key)
}

// appendFound appends the objects that an index has for a key. The caller holds the lock.
func (s *store) appendFound(list []any, indexName, key string) ([]any, error) {
	if err := s.has(indexName); err != nil {
		return nil, err
	}
	if byNamespace(indexName, s.indexers[indexName]) {
		return appendAll(slices.Grow(list, len(s.objects[key])), s.objects[key]), nil
	}
	found := s.indexes[indexName][key]
	return appendAll(slices.Grow(list, len(found)), found), nil
}

// has returns an error if the index does not exist.
func (s *store) has(indexName string) error {
	if _, ok := s.indexers[indexName]; !ok {
		return fmt.Errorf("index with name %s does not exist", indexName)
	}
	return nil
}

// GetIndexers implements cache.Indexer.
func (s *store) GetIndexers() cache.Indexers {
	s.lock.RLock()
	defer s.lock.RUnlock()
	return maps.Clone(s.indexers)
}

// AddIndexers implements cache.Indexer. It also indexes objects that are already stored.
func (s *store) AddIndexers(indexers cache.Indexers) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	for name := range indexers {
		if _, ok := s.indexers[name]; ok {
			return fmt.Errorf("indexer conflict: duplicate index %q", name)
		}
	}
	for name, keys := range indexers {
		s.addIndex(name, keys)
	}
	return nil
}
