package controllers

import (
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"
)

// waiters holds the items that wait for an event about an object. The zero value is ready to use.
type waiters struct {
	// count is the number of objects that are waited for. It spares events about others the lock.
	count atomic.Int64
	lock  sync.Mutex
	items map[waitKey]map[cache.ObjectName]bool
}

// waitKey identifies an object by the cache that holds it.
type waitKey struct {
	watch  *watcher
	object cache.ObjectName
}

// add has an item wait for the next event about an object. The caller then has to check again whether the item must wait:
// the event may have come before.
func (w *waiters) add(key waitKey, it item) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.items == nil {
		w.items = map[waitKey]map[cache.ObjectName]bool{}
	}
	if w.items[key] == nil {
		w.items[key] = map[cache.ObjectName]bool{}
	}
	w.items[key][it.name] = w.items[key][it.name] || it.urgent
	w.count.Store(int64(len(w.items)))
}

// remove ends the wait of an item.
func (w *waiters) remove(key waitKey, name cache.ObjectName) {
	w.lock.Lock()
	defer w.lock.Unlock()
	delete(w.items[key], name)
	w.shrink(key)
}

// take returns the items that wait for an event about an object, and ends their wait.
func (w *waiters) take(key waitKey) []item {
	if w.count.Load() == 0 {
		return nil
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	var items []item
	for name, urgent := range w.items[key] {
		items = append(items, item{name, urgent})
	}
	clear(w.items[key])
	w.shrink(key)
	return items
}

// shrink drops an object that nothing waits for. The caller holds the lock.
func (w *waiters) shrink(key waitKey) {
	if len(w.items[key]) == 0 {
		delete(w.items, key)
	}
	w.count.Store(int64(len(w.items)))
}
