package queue

import (
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"
)

// Failures counts consecutive failures and conflicts per item. The zero value is ready to use. It may be used concurrently.
type Failures struct {
	// items is the number of items with counts. Successes only take the lock if it is not 0.
	items  atomic.Int64
	lock   sync.Mutex
	counts map[cache.ObjectName]failureCounts
}

// failureCounts are the consecutive failures, ignoring conflicts in between, and the consecutive conflicts.
type failureCounts struct{ failures, conflicts int }

// AddFailure counts a failure and returns the number of consecutive failures.
func (f *Failures) AddFailure(name cache.ObjectName) int {
	return f.add(name, func(c *failureCounts) { c.failures, c.conflicts = c.failures+1, 0 }).failures
}

// AddConflict counts a conflict and returns the number of consecutive conflicts.
func (f *Failures) AddConflict(name cache.ObjectName) int {
	return f.add(name, func(c *failureCounts) { c.conflicts++ }).conflicts
}

func (f *Failures) add(name cache.ObjectName, count func(*failureCounts)) failureCounts {
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

// Forget resets the counts of an item.
func (f *Failures) Forget(name cache.ObjectName) {
	if f.items.Load() == 0 {
		return
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	delete(f.counts, name)
	f.items.Store(int64(len(f.counts)))
}

// Reset resets the counts of all items.
func (f *Failures) Reset() {
	f.lock.Lock()
	defer f.lock.Unlock()
	clear(f.counts)
	f.items.Store(0)
}
