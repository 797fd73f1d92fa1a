// Package store holds the objects of one informer by namespace, by name and by indexes.
//
// Objects are kept in a map for each namespace and use their own strings as keys, so a stored object needs no key of its own, and
// there is no index by namespace. A Store implements cache.Indexer, and a few methods with which package lister reads without
// allocating: GetByName, AppendByIndex, Range and Len.
//
// Two locks guard a Store. The lock writing serializes writers, and is held while index functions run. The lock reading is taken
// after it, only to publish a finished change: readers never wait for an index function, and see either all or nothing of a
// change, also if it replaces all objects.
package store

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// Objects has objects by namespace and name.
type Objects map[string]map[string]any

// Get returns an object.
func (o Objects) Get(name cache.ObjectName) (obj any, exists bool) {
	obj, exists = o[name.Namespace][name.Name]
	return obj, exists
}

// Put adds or replaces an object.
func (o Objects) Put(name cache.ObjectName, obj any) {
	objects := o[name.Namespace]
	if objects == nil {
		objects = map[string]any{}
		o[name.Namespace] = objects
	}
	objects[name.Name] = obj
}

// Prepare makes room for as many objects of a namespace as are stored, before the first one is put into fresh.
func (s *Store) Prepare(fresh Objects, namespace string) {
	if fresh[namespace] == nil {
		fresh[namespace] = make(map[string]any, s.Len(namespace))
	}
}

// All returns an iterator over all objects, in no particular order. Objects may be removed meanwhile.
func (o Objects) All() iter.Seq2[cache.ObjectName, any] {
	return func(yield func(cache.ObjectName, any) bool) {
		for namespace, objects := range o {
			for name, obj := range objects {
				if !yield(cache.ObjectName{Namespace: namespace, Name: name}, obj) {
					return
				}
			}
		}
	}
}

// Remove removes an object.
func (o Objects) Remove(name cache.ObjectName) {
	delete(o[name.Namespace], name.Name)
	if len(o[name.Namespace]) == 0 {
		delete(o, name.Namespace)
	}
}

// Store has the objects of an informer. See the package comment for its locks.
type Store struct {
	writing sync.Mutex

	// The fields below are read with either lock, and written with both.
	reading sync.RWMutex
	objects Objects
	count   int
	indexes map[string]*index
	version string
}

// New returns an empty store with indexes.
func New(indexers cache.Indexers) *Store {
	s := &Store{objects: Objects{}, indexes: map[string]*index{}}
	for name, keys := range indexers {
		s.indexes[name] = newIndex(name, keys)
	}
	return s
}

// NameOf returns the name of an object, of a cache.ExplicitKey, or of a cache.DeletedFinalStateUnknown.
func NameOf(obj any) (cache.ObjectName, error) {
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

// Set adds or replaces an object and returns the previous object, or nil.
func (s *Store) Set(name cache.ObjectName, obj any) (before any) {
	s.writing.Lock()
	defer s.writing.Unlock()
	before, replaced := s.objects.Get(name)
	changes := s.changes(name, before, obj)

	s.reading.Lock()
	defer s.reading.Unlock()
	if replaced {
		// The key is a string of the old object. Without the deletion, the map would keep its memory.
		delete(s.objects[name.Namespace], name.Name)
	} else {
		s.count++
	}
	s.objects.Put(name, obj)
	for _, change := range changes {
		change.publish()
	}
	return before
}

// Remove removes an object and returns it, or nil if there was none.
func (s *Store) Remove(name cache.ObjectName) (before any) {
	s.writing.Lock()
	defer s.writing.Unlock()
	before, found := s.objects.Get(name)
	if !found {
		return nil
	}
	changes := s.changes(name, before, nil)

	s.reading.Lock()
	defer s.reading.Unlock()
	s.count--
	s.objects.Remove(name)
	for _, change := range changes {
		change.publish()
	}
	return before
}

// Swap replaces the objects of a namespace, or of all, at once: no reader sees old and new objects together. The function decide
// returns the new objects, given the old ones. The store keeps the result, which must not have empty maps, nor objects of
// other namespaces. After it has published the new objects, and before anybody else can write, Swap calls published.
func (s *Store) Swap(namespace string, decide func(old Objects) Objects, published func()) {
	s.writing.Lock()
	defer s.writing.Unlock()
	old := s.objects
	if namespace != metav1.NamespaceAll {
		old = Objects{}
		if objects, exists := s.objects[namespace]; exists {
			old[namespace] = objects
		}
	}
	s.swap(namespace, old, decide(old))
	published()
}

// Patch is Swap for the objects of a namespace, or of all, for which within returns true. It leaves others as they are, and so decide gets
// and returns none of them.
func (s *Store) Patch(
	namespace string, within func(name cache.ObjectName, obj any) bool, decide func(old Objects) Objects, published func(),
) {
	s.writing.Lock()
	defer s.writing.Unlock()
	old := Objects{}
	for in, objects := range s.objects {
		if namespace != metav1.NamespaceAll && in != namespace {
			continue
		}
		for name, obj := range objects {
			if name := cache.NewObjectName(in, name); within(name, obj) {
				old.Put(name, obj)
			}
		}
	}
	s.patch(old, decide(old))
	published()
}

// patch publishes objects that replace others. The caller holds writing.
func (s *Store) patch(old, fresh Objects) {
	changes := s.changesOf(old, fresh)
	s.reading.Lock()
	defer s.reading.Unlock()
	for name := range old.All() {
		s.objects.Remove(name)
		s.count--
	}
	for name, obj := range fresh.All() {
		s.objects.Put(name, obj)
		s.count++
	}
	for _, change := range changes {
		change.publish()
	}
}

// swap publishes the new objects of a namespace, or of all. The caller holds writing.
func (s *Store) swap(namespace string, old, fresh Objects) {
	if namespace == metav1.NamespaceAll {
		count := 0
		for _, objects := range fresh {
			count += len(objects)
		}
		rebuilt := s.rebuilt(fresh)
		s.reading.Lock()
		defer s.reading.Unlock()
		s.objects, s.count = fresh, count
		for index, entries := range rebuilt {
			index.entries = entries
		}
		return
	}
	changes := s.changesOf(old, fresh)
	s.reading.Lock()
	defer s.reading.Unlock()
	s.count += len(fresh[namespace]) - len(old[namespace])
	delete(s.objects, namespace)
	maps.Copy(s.objects, fresh)
	for _, change := range changes {
		change.publish()
	}
}

// AppendByIndex appends the objects that an index has for a key to dst. It does not retain the key.
func (s *Store) AppendByIndex(dst []any, index, key string) ([]any, error) {
	s.reading.RLock()
	defer s.reading.RUnlock()
	return s.appendFound(dst, index, key)
}

// Range calls yield for a snapshot of the objects in one namespace or all, until yield returns false. It holds no lock while it
// calls yield, which may read from the store.
func (s *Store) Range(namespace string, yield func(obj any) bool) {
	for _, obj := range s.in(namespace) {
		if !yield(obj) {
			return
		}
	}
}

// in returns the objects in one namespace or all.
func (s *Store) in(namespace string) []any {
	s.reading.RLock()
	defer s.reading.RUnlock()
	if namespace != metav1.NamespaceAll {
		return slices.AppendSeq(make([]any, 0, len(s.objects[namespace])), maps.Values(s.objects[namespace]))
	}
	list := make([]any, 0, s.count)
	for _, objects := range s.objects {
		list = slices.AppendSeq(list, maps.Values(objects))
	}
	return list
}

// Len returns the number of objects in one namespace or all.
func (s *Store) Len(namespace string) int {
	s.reading.RLock()
	defer s.reading.RUnlock()
	if namespace == metav1.NamespaceAll {
		return s.count
	}
	return len(s.objects[namespace])
}

// GetByName returns an object. It does not allocate a key.
func (s *Store) GetByName(namespace, name string) (obj any, exists bool) {
	s.reading.RLock()
	defer s.reading.RUnlock()
	obj, exists = s.objects[namespace][name]
	return obj, exists
}
