package shared

import (
	"fmt"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
)

// store has the objects of an informer by namespace and name, and by indexes. It implements cache.Indexer, and the methods that
// generated listers use to read without allocating: AppendByIndex, GetByName, Range and Len.
type store struct {
	cache.Indexer // nil, see Informer

	lock sync.RWMutex
	// objects has the objects by namespace and name. It uses the strings of the objects, so no key is allocated.
	objects  map[string]map[string]any
	count    int
	indexers cache.Indexers
	// indexes has the objects by name of the index and key. There is no index by namespace, because objects are stored by
	// namespace.
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

// nameOf returns the name of an object, a key, or a cache.DeletedFinalStateUnknown.
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

// byNamespace reports whether an index is the index by namespace, which is not kept in indexes.
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

// keys returns the keys of an object in an index. If the index function fails, the object is not indexed.
func (s *store) keys(indexName string, name cache.ObjectName, obj any) []string {
	keys, err := s.indexers[indexName](obj)
	if err != nil {
		utilruntime.HandleError(fmt.Errorf("index %q omits %s: %w", indexName, name, err))
	}
	return keys
}

// set adds or replaces an object and returns the previous object, if any.
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
		// The key is a string of the old object. Without the deletion, the map would keep its memory.
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

// remove removes an object and returns it, or nil.
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

// names returns the names of the objects in one namespace or all.
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

// AppendByIndex appends the objects that an index has for a key, in one namespace or all. A lookup in a namespace is as fast as
// one in all namespaces if there is also an index "namespace/<index>" with keys "<namespace>/<key>".
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
	var buffer [256]byte // avoids allocating the strings below
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

// Range calls yield for a snapshot of the objects in one namespace or all, until yield returns false. It holds no lock while it
// calls yield, which may read from the store.
func (s *store) Range(namespace string, yield func(obj any) bool) {
	for _, obj := range s.in(namespace) {
		if !yield(obj) {
			return
		}
	}
}

// in returns the objects in one namespace or all.
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

// Len returns the number of objects in one namespace or all.
func (s *store) Len(namespace string) int {
	s.lock.RLock()
	defer s.lock.RUnlock()
	if namespace == metav1.NamespaceAll {
		return s.count
	}
	return len(s.objects[namespace])
}

// GetByName returns an object. It does not allocate a key.
func (s *store) GetByName(namespace, name string) (obj any, exists bool) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	obj, exists = s.objects[namespace][name]
	return obj, exists
}

// sample returns some of the objects.
func (s *store) sample(most int) (objects []any) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	for _, byName := range s.objects {
		for _, obj := range byName {
			if len(objects) == most {
				return objects
			}
			objects = append(objects, obj)
		}
	}
	return objects
}
