package controllers

import (
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"
)

// waiters has the items that wait for an event about an object. The zero value is ready to use.
type waiters struct {
	// count is the number of objects that items wait for. Events only take the lock if it is not 0.
	count atomic.Int64
	lock  sync.Mutex
	items map[waitKey]map[cache.ObjectName]bool
}

// waitKey identifies an object by the cache that holds it.
type waitKey struct {
	watch  *watcher
	object cache.ObjectName
}

// add makes an item wait for the next event about an object. The caller must then check again whether the item has to wait: the
// event may have occurred before.
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

// remove stops the wait of an item.
func (w *waiters) remove(key waitKey, name cache.ObjectName) {
	w.lock.Lock()
	defer w.lock.Unlock()
	delete(w.items[key], name)
	w.shrink(key)
}

// take returns the items that wait for an event about an object, and stops their wait.
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

// shrink drops an object that no item waits for. The caller holds the lock.
func (w *waiters) shrink(key waitKey) {
	if len(w.items[key]) == 0 {
		delete(w.items, key)
	}
	w.count.Store(int64(len(w.items)))
}
