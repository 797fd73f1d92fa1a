package shared

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
)

// store holds the objects of an informer by namespace and name, and by indexes. It implements cache.Indexer, and what
// generated listers ask of an indexer to read from it without allocating: AppendByIndex, Range and Len.
type store struct {
	cache.Indexer // nil, for the same reason as that of Informer

	lock sync.RWMutex
	// objects are by namespace and name. The names are those of the objects, so no key is allocated.
	objects  map[string]map[string]any
	count    int
	indexers cache.Indexers
	// indexes are by name of the index and by key. There is none for the namespace, see byNamespace.
	indexes map[string]map[string]map[cache.ObjectName]any
	version string
}

func newStore(indexers cache.Indexers) *store {
	s := &store{objects: map[string]map[string]any{}, indexers: cache.Indexers{}, indexes: map[string]map[string]map[cache.ObjectName]any{}}
	for name, keys := range indexers {
		s.addIndex(name, keys)
	}
	return s
}

// nameOf returns the name of an object, of a key as a string, or of an object whose deletion was missed.
func nameOf(obj any) (cache.ObjectName, error) {
	if deleted, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		return cache.ParseObjectName(deleted.Key)
	}
	if key, ok := obj.(cache.ExplicitKey); ok {
		return cache.ParseObjectName(string(key))
	}
	object, err := meta.Accessor(obj)
	if err != nil {
		return cache.ObjectName{}, cache.KeyError{Obj: obj, Err: fmt.Errorf("object has no meta: %w", err)}
	}
	return cache.ObjectName{Namespace: object.GetNamespace(), Name: object.GetName()}, nil
}

// byNamespace reports whether an index is the one by namespace, which needs no index of its own.
func byNamespace(name string, keys cache.IndexFunc) bool {
	return name == cache.NamespaceIndex && reflect.ValueOf(keys).Pointer() == reflect.ValueOf(cache.MetaNamespaceIndexFunc).Pointer()
}

func (s *store) addIndex(name string, keys cache.IndexFunc) {
	s.indexers[name] = keys
	if byNamespace(name, keys) {
		return
	}
	index := map[string]map[cache.ObjectName]any{}
	s.indexes[name] = index
	for namespace, objects := range s.objects {
		for objectName, obj := range objects {
			s.enter(name, index, cache.ObjectName{Namespace: namespace, Name: objectName}, obj)
		}
	}
}

// enter adds an object to an index.
func (s *store) enter(indexName string, index map[string]map[cache.ObjectName]any, name cache.ObjectName, obj any) {
	for _, key := range s.keys(indexName, name, obj) {
		if index[key] == nil {
			index[key] = map[cache.ObjectName]any{}
		}
		index[key][name] = obj
	}
}

// leave removes an object from an index.
func (s *store) leave(indexName string, index map[string]map[cache.ObjectName]any, name cache.ObjectName, obj any) {
	for _, key := range s.keys(indexName, name, obj) {
		delete(index[key], name)
		if len(index[key]) == 0 {
			delete(index, key)
		}
	}
}

// keys returns the keys of an object in an index. An object that an index function fails on is not in this index.
func (s *store) keys(indexName string, name cache.ObjectName, obj any) []string {
	keys, err := s.indexers[indexName](obj)
	if err != nil {
		utilruntime.HandleError(fmt.Errorf("index %q leaves out %s: %w", indexName, name, err))
	}
	return keys
}

// set adds or replaces an object, and returns the one that was there.
func (s *store) set(name cache.ObjectName, obj any) (before any) {
	s.lock.Lock()
	defer s.lock.Unlock()
	objects := s.objects[name.Namespace]
	if objects == nil {
		objects = map[string]any{}
		s.objects[name.Namespace] = objects
	}
	before, replaced := objects[name.Name]
	if replaced {
		// The key is a part of the object that goes: without this, the map would keep the memory of the old string.
		delete(objects, name.Name)
	} else {
		s.count++
	}
	objects[name.Name] = obj
	for indexName, index := range s.indexes {
		if replaced {
			s.leave(indexName, index, name, before)
		}
		s.enter(indexName, index, name, obj)
	}
	return before
}

// remove removes an object and returns it; nil if it is not there.
func (s *store) remove(name cache.ObjectName) (before any) {
	s.lock.Lock()
	defer s.lock.Unlock()
	objects := s.objects[name.Namespace]
	before, found := objects[name.Name]
	if !found {
		return nil
	}
	s.count--
	delete(objects, name.Name)
	if len(objects) == 0 {
		delete(s.objects, name.Namespace)
	}
	for indexName, index := range s.indexes {
		s.leave(indexName, index, name, before)
	}
	return before
}

// names returns the names of all objects, or of those of one namespace.
func (s *store) names(namespace string) []cache.ObjectName {
	s.lock.RLock()
	defer s.lock.RUnlock()
	var names []cache.ObjectName
	for in, objects := range s.objects {
		if namespace == metav1.NamespaceAll || in == namespace {
			for name := range objects {
				names = append(names, cache.ObjectName{Namespace: in, Name: name})
			}
		}
	}
	return names
}

// AppendByIndex appends the objects that an index has under a key, all of them or those of one namespace. A lookup in a
// namespace is as quick as one in all if there is also an index "namespace/<index>" with keys "<namespace>/<key>".
func (s *store) AppendByIndex(dst []any, index, namespace, key string) ([]any, error) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	found, ok := s.indexes[index]
	if !ok {
		return dst, fmt.Errorf("index with name %s does not exist", index)
	}
	if namespace == metav1.NamespaceAll {
		return appendAll(dst, found[key]), nil
	}
	var buffer [256]byte // the strings below are not allocated
	if namespaced, ok := s.indexes[string(append(append(buffer[:0], "namespace/"...), index...))]; ok {
		return appendAll(dst, namespaced[string(append(append(append(buffer[:0], namespace...), '/'), key...))]), nil
	}
	for name, obj := range found[key] {
		if name.Namespace == namespace {
			dst = append(dst, obj)
		}
	}
	return dst, nil
}

// Range calls yield for all objects, or for those of one namespace, until it returns false: the objects that were there when
// it was called. It holds no lock meanwhile, so that yield may read from the store.
func (s *store) Range(namespace string, yield func(obj any) bool) {
	for _, obj := range s.in(namespace) {
		if !yield(obj) {
			return
		}
	}
}

// in returns all objects, or those of one namespace.
func (s *store) in(namespace string) []any {
	s.lock.RLock()
	defer s.lock.RUnlock()
	if namespace != metav1.NamespaceAll {
		return appendAll(make([]any, 0, len(s.objects[namespace])), s.objects[namespace])
	}
	list := make([]any, 0, s.count)
	for _, objects := range s.objects {
		list = appendAll(list, objects)
	}
	return list
}

func appendAll[K comparable](list []any, objects map[K]any) []any {
	for _, obj := range objects {
		list = append(list, obj)
	}
	return list
}

// Len returns the number of objects, of all or of one namespace.
func (s *store) Len(namespace string) int {
	s.lock.RLock()
	defer s.lock.RUnlock()
	if namespace == metav1.NamespaceAll {
		return s.count
	}
	return len(s.objects[namespace])
}

// Add implements cache.Store. The informer's handlers are not told.
func (s *store) Add(obj any) error {
	name, err := nameOf(obj)
	if err == nil {
		s.set(name, obj)
	}
	return err
}

// Update implements cache.Store. The informer's handlers are not told.
func (s *store) Update(obj any) error { return s.Add(obj) }

// Delete implements cache.Store. The informer's handlers are not told.
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
	item, exists = s.get(name)
	return item, exists, nil
}

// GetByKey implements cache.Store.
func (s *store) GetByKey(key string) (item any, exists bool, err error) {
	name, err := cache.ParseObjectName(key)
	if err != nil {
		return nil, false, nil // no object has such a name
	}
	item, exists = s.get(name)
	return item, exists, nil
}

func (s *store) get(name cache.ObjectName) (item any, exists bool) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	item, exists = s.objects[name.Namespace][name.Name]
	return item, exists
}

// Replace implements cache.Store. The informer's handlers are not told.
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

// Resync implements cache.Store. There is nothing to do.
func (s *store) Resync() error { return nil }

// LastStoreSyncResourceVersion returns a resource version that the store has reached, see KEP-5647: all changes up to it
// are there.
func (s *store) LastStoreSyncResourceVersion() string {
	s.lock.RLock()
	defer s.lock.RUnlock()
	return s.version
}

// Bookmark notes a resource version that the store has reached.
func (s *store) Bookmark(version string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.version = version
}

// Index implements cache.Indexer: it returns the objects that share a key with obj, each once.
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

// appendFound appends the objects that an index has under a key. The caller holds the lock.
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

// has returns an error if there is no such index.
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

// AddIndexers implements cache.Indexer. Objects that are there already are indexed too.
func (s *store) AddIndexers(indexers cache.Indexers) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	for name := range indexers {
		if _, ok := s.indexers[name]; ok {
			return fmt.Errorf("indexer conflict: there is an index %q already", name)
		}
	}
	for name, keys := range indexers {
		s.addIndex(name, keys)
	}
	return nil
}
