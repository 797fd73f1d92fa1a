package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

var _ cache.Indexer = &Store{}

// Add implements cache.Store. It does not notify the informer's handlers.
func (s *Store) Add(obj any) error {
	name, err := NameOf(obj)
	if err == nil {
		s.Set(name, obj)
	}
	return err
}

// Update implements cache.Store. It does not notify the informer's handlers.
func (s *Store) Update(obj any) error { return s.Add(obj) }

// Delete implements cache.Store. It does not notify the informer's handlers.
func (s *Store) Delete(obj any) error {
	name, err := NameOf(obj)
	if err == nil {
		s.Remove(name)
	}
	return err
}

// List implements cache.Store.
func (s *Store) List() []any { return s.in(metav1.NamespaceAll) }

// ListKeys implements cache.Store.
func (s *Store) ListKeys() []string {
	s.reading.RLock()
	defer s.reading.RUnlock()
	keys := make([]string, 0, s.count)
	for name := range s.objects.All() {
		keys = append(keys, name.String())
	}
	return keys
}

// Get implements cache.Store.
func (s *Store) Get(obj any) (item any, exists bool, err error) {
	name, err := NameOf(obj)
	if err != nil {
		return nil, false, err
	}
	item, exists = s.GetByName(name.Namespace, name.Name)
	return item, exists, nil
}

// GetByKey implements cache.Store.
func (s *Store) GetByKey(key string) (item any, exists bool, err error) {
	// cache.ParseObjectName allocates. No object has an invalid key.
	namespace, name, found := strings.Cut(key, "/")
	if !found {
		namespace, name = metav1.NamespaceNone, key
	}
	item, exists = s.GetByName(namespace, name)
	return item, exists, nil
}

// Replace implements cache.Store. It does not notify the informer's handlers.
func (s *Store) Replace(list []any, version string) error {
	fresh := Objects{}
	for _, obj := range list {
		name, err := NameOf(obj)
		if err != nil {
			return err
		}
		fresh.Put(name, obj)
	}
	s.Swap(metav1.NamespaceAll, func(Objects) Objects { return fresh }, func() { s.Bookmark(version) })
	return nil
}

// Resync implements cache.Store. It does nothing.
func (s *Store) Resync() error { return nil }

// LastStoreSyncResourceVersion returns the resource version that the store has reached, see KEP-5647: it has all changes up to
// that version. It is empty if that is not known.
func (s *Store) LastStoreSyncResourceVersion() string {
	s.reading.RLock()
	defer s.reading.RUnlock()
	return s.version
}

// Bookmark records the resource version that the store has reached.
func (s *Store) Bookmark(version string) {
	s.reading.Lock()
	defer s.reading.Unlock()
	s.version = version
}

// Index implements cache.Indexer: it returns the objects that share a key with obj, without duplicates.
func (s *Store) Index(indexName string, obj any) (list []any, err error) {
	s.reading.RLock()
	defer s.reading.RUnlock()
	index, err := s.index(indexName)
	if err != nil {
		return nil, err
	}
	keys, err := index.keysOf(obj)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		list, _ = s.appendFound(list, indexName, key) // the index exists
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
func (s *Store) IndexKeys(indexName, key string) (keys []string, err error) {
	s.reading.RLock()
	defer s.reading.RUnlock()
	index, err := s.index(indexName)
	if err != nil {
		return nil, err
	}
	if index.entries == nil {
		for name := range s.objects[key] {
			keys = append(keys, cache.NewObjectName(key, name).String())
		}
	}
	for obj := range index.entries[key] {
		name, _ := NameOf(obj) // it was stored by its name
		keys = append(keys, name.String())
	}
	return keys, nil
}

// ListIndexFuncValues implements cache.Indexer.
func (s *Store) ListIndexFuncValues(indexName string) []string {
	s.reading.RLock()
	defer s.reading.RUnlock()
	index, err := s.index(indexName)
	switch {
	case err != nil:
		return nil
	case index.entries == nil:
		return slices.Collect(maps.Keys(s.objects))
	}
	return slices.Collect(maps.Keys(index.entries))
}

// ByIndex implements cache.Indexer.
func (s *Store) ByIndex(indexName, key string) ([]any, error) {
	return s.AppendByIndex(nil, indexName, key)
}

// GetIndexers implements cache.Indexer.
func (s *Store) GetIndexers() cache.Indexers {
	s.reading.RLock()
	defer s.reading.RUnlock()
	indexers := make(cache.Indexers, len(s.indexes))
	for name, index := range s.indexes {
		indexers[name] = index.keysOf
	}
	return indexers
}

// AddIndexers implements cache.Indexer. It also indexes objects that are already stored. If an index exists, it adds none.
func (s *Store) AddIndexers(indexers cache.Indexers) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	for name := range indexers {
		if _, ok := s.indexes[name]; ok {
			return fmt.Errorf("indexer conflict: duplicate index %q", name)
		}
	}
	s.add(indexers)
	return nil
}

// AddMissing adds the indexes that do not exist yet. Unlike functions, names can be compared: an index with the name of another
// is taken for the same.
func (s *Store) AddMissing(indexers cache.Indexers) {
	s.writing.Lock()
	defer s.writing.Unlock()
	missing := maps.Clone(indexers)
	maps.DeleteFunc(missing, func(name string, _ cache.IndexFunc) bool { return s.indexes[name] != nil })
	s.add(missing)
}

// RemoveIndexer removes an index.
func (s *Store) RemoveIndexer(name string) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.reading.Lock()
	defer s.reading.Unlock()
	delete(s.indexes, name)
}

// add adds indexes that do not exist. The caller holds writing.
func (s *Store) add(indexers cache.Indexers) {
	added := map[string]*index{}
	for name, keysOf := range indexers {
		added[name] = newIndex(name, keysOf)
		if added[name].entries != nil {
			added[name].entries = added[name].of(s.objects)
		}
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	maps.Copy(s.indexes, added)
}
