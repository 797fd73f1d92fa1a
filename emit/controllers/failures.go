package controllers

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

// failures counts consecutive failures per item. The zero value is ready to use.
type failures struct {
	lock   sync.Mutex
	counts map[cache.ObjectName]int
}

// add counts a failure and returns the number of failures in a row.
func (f *failures) add(name cache.ObjectName) int {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.counts == nil {
		f.counts = map[cache.ObjectName]int{}
	}
	f.counts[name]++
	return f.counts[name]
}

// forget resets the count of an item.
func (f *failures) forget(name cache.ObjectName) {
	f.lock.Lock()
	defer f.lock.Unlock()
	delete(f.counts, name)
}
