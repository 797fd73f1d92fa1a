// Package waiters remembers which items of a work queue wait for an event about an object.
package waiters

import (
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"
)

// Key identifies an object by the cache that holds it.
type Key[C comparable] struct {
	Cache  C
	Object cache.ObjectName
}

// Set has the items that wait for an event about an object. The zero value is ready to use. It may be used concurrently; its lock
// is held for no call of other code.
type Set[C comparable] struct {
	// count is the number of objects that items wait for. Events only take the lock if it is not 0.
	count atomic.Int64
	lock  sync.Mutex
	// items has the items by object, and keys the objects by item.
	items map[Key[C]]map[cache.ObjectName]struct{}
	keys  map[cache.ObjectName]map[Key[C]]struct{}
}

// Add makes an item wait for the next event about an object. The caller must then check again whether the item has to wait: the
// event may have occurred before.
func (s *Set[C]) Add(key Key[C], item cache.ObjectName) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.items == nil {
		s.items = map[Key[C]]map[cache.ObjectName]struct{}{}
		s.keys = map[cache.ObjectName]map[Key[C]]struct{}{}
	}
	put(s.items, key, item)
	put(s.keys, item, key)
	s.count.Store(int64(len(s.items)))
}

// Take returns the items that wait for an event about an object, and ends their wait for it.
func (s *Set[C]) Take(key Key[C]) []cache.ObjectName {
	if s.count.Load() == 0 {
		return nil
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	var items []cache.ObjectName
	for item := range s.items[key] {
		items = append(items, item)
		remove(s.keys, item, key)
	}
	delete(s.items, key)
	s.count.Store(int64(len(s.items)))
	return items
}

// Has reports whether an item waits for an event about an object.
func (s *Set[C]) Has(key Key[C]) bool {
	if s.count.Load() == 0 {
		return false
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	return len(s.items[key]) > 0
}

// Forget ends all waits of an item.
func (s *Set[C]) Forget(item cache.ObjectName) {
	if s.count.Load() == 0 {
		return
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	for key := range s.keys[item] {
		remove(s.items, key, item)
	}
	delete(s.keys, item)
	s.count.Store(int64(len(s.items)))
}

// Len returns the number of objects that items wait for.
func (s *Set[C]) Len() int { return int(s.count.Load()) }

func put[K, V comparable](sets map[K]map[V]struct{}, key K, value V) {
	if sets[key] == nil {
		sets[key] = map[V]struct{}{}
	}
	sets[key][value] = struct{}{}
}

func remove[K, V comparable](sets map[K]map[V]struct{}, key K, value V) {
	delete(sets[key], value)
	if len(sets[key]) == 0 {
		delete(sets, key)
	}
}
