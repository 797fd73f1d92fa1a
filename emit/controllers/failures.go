package controllers

import (
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"
)

// failures counts consecutive failures and conflicts per item. The zero value is ready to use.
type failures struct {
	// items is the number of items with counts. Successes only take the lock if it is not 0.
	items  atomic.Int64
	lock   sync.Mutex
	counts map[cache.ObjectName]failureCounts
}

// failureCounts are the consecutive failures, ignoring conflicts in between, and the consecutive conflicts.
type failureCounts struct{ failures, conflicts int }

// addFailure counts a failure and returns the number of consecutive failures.
func (f *failures) addFailure(name cache.ObjectName) int {
	return f.add(name, func(c *failureCounts) { c.failures, c.conflicts = c.failures+1, 0 }).failures
}

// addConflict counts a conflict and returns the number of consecutive conflicts.
func (f *failures) addConflict(name cache.ObjectName) int {
	return f.add(name, func(c *failureCounts) { c.conflicts++ }).conflicts
}

func (f *failures) add(name cache.ObjectName, count func(*failureCounts)) failureCounts {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.counts == nil {
		f.counts = map[cache.ObjectName]failureCounts{}
	}
	counts := f.counts[name]
	count(&counts)
	f.counts[name] = counts
	f.items.Store(int64(len(f.counts)))
	return counts
}

// forget resets the counts of an item.
func (f *failures) forget(name cache.ObjectName) {
	if f.items.Load() == 0 {
		return
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	delete(f.counts, name)
	f.items.Store(int64(len(f.counts)))
}
