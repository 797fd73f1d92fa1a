package reconcile

import (
	"sync"

	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/client-go/tools/cache"
)

// Change is a change of an object from one resource version to another.
type Change struct{ From, To string }

// Filter distinguishes events that only answer a controller's own writes from events about changes of others. It knows the own writes
// whose echoes have not come. The zero value is ready to use. It may be used concurrently.
//
// A write that carried a resource version, and changed nothing but the status or finalizers, replaced exactly that version. So the event
// from that version to the one of the answer is an echo: it has nothing that the reconcile does not know. Any other event may have the
// change of somebody else, such as one of a relist that skips versions, or one to a version that a write only answered with because it
// changed nothing.
type Filter struct {
	lock  sync.Mutex
	items map[cache.ObjectName]*item
}

// item is an object that is being reconciled, or whose echoes have not come.
type item struct {
	own []Change
	// busy is set from Begin to End. Events of that time are undecided: they may come before the answer of the write.
	busy      bool
	undecided []event
	// foreign is set if there were too many events to keep.
	foreign bool
}

// event is an update event, and whether it enqueues the object unless it is an echo.
type event struct {
	Change

	matters bool
}

// maxUndecided limits the events that are kept during a reconcile, which has few writes.
const maxUndecided = 16

// Begin begins a reconcile of an object. Reconciles of the same object must not overlap.
func (f *Filter) Begin(name cache.ObjectName) {
	f.lock.Lock()
	defer f.lock.Unlock()
	it := f.items[name]
	if it == nil {
		it = &item{}
		if f.items == nil {
			f.items = map[cache.ObjectName]*item{}
		}
		f.items[name] = it
	}
	it.busy = true
}

// End ends a reconcile, which made the given writes. It reports whether an event since Begin must enqueue the object.
func (f *Filter) End(name cache.ObjectName, own ...Change) (foreign bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	it := f.items[name]
	if it == nil {
		return false
	}
	for _, write := range own {
		if write.From != "" && write.From != write.To {
			it.own = append(it.own, write)
		}
	}
	foreign = it.foreign
	for _, e := range it.undecided {
		foreign = !it.takes(e.Change) && e.matters || foreign
	}
	it.busy, it.undecided, it.foreign = false, nil, false
	f.tidy(name, it)
	return foreign
}

// Updated is called for each update event, in order. It reports whether the event must enqueue the object: it matters and is no echo.
// During a reconcile, it returns false, and End decides.
func (f *Filter) Updated(name cache.ObjectName, change Change, matters bool) (foreign bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	it := f.items[name]
	switch {
	case it == nil:
		return matters
	case !it.busy:
		foreign = !it.takes(change) && matters
		f.tidy(name, it)
		return foreign
	case len(it.undecided) < maxUndecided:
		it.undecided = append(it.undecided, event{change, matters})
	default:
		it.foreign = it.foreign || matters
	}
	return false
}

// Forget is called for each addition and deletion: older writes have no echoes any more.
func (f *Filter) Forget(name cache.ObjectName) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if it := f.items[name]; it != nil {
		it.own = nil
		f.tidy(name, it)
	}
}

// Len returns the number of objects that are being reconciled or whose echoes have not come.
func (f *Filter) Len() int {
	f.lock.Lock()
	defer f.lock.Unlock()
	return len(f.items)
}

// tidy drops an item that nobody needs. The caller holds the lock.
func (f *Filter) tidy(name cache.ObjectName, it *item) {
	if !it.busy && len(it.own) == 0 {
		delete(f.items, name)
	}
}

// takes reports whether an event is the echo of an own write. It forgets the writes whose echoes can no longer come.
func (it *item) takes(event Change) (echo bool) {
	left := it.own[:0]
	for _, write := range it.own {
		if write == event {
			echo = true
		}
		if isOlder(event.From, event.To) && isOlder(event.To, write.To) {
			left = append(left, write)
		}
	}
	it.own = left
	return echo
}

// isOlder reports whether a resource version is older than another. Versions that cannot be compared are not: after a restore from a
// backup, versions begin with lower ones.
func isOlder(version, than string) bool {
	order, err := resourceversion.CompareResourceVersion(version, than)
	return err == nil && order < 0
}
