package queue

import (
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// agingShare is the number of items after which the low lane gets a turn while the urgent lane is not empty.
const agingShare = 8

// lanes orders the items of a work queue. Urgent items come first, but every agingShare-th item is the oldest of the low
// lane, so that no item waits forever.
//
// A controller starts with all of its objects in the low lane, so items of that lane need no entry in a map. The maps have the
// exceptions.
type lanes struct {
	// Only the methods of workqueue.Queue use these fields. They are called with the lock of the work queue.
	urgent, low []cache.ObjectName
	// promoted are the items of low that have moved to urgent. Their places in low stay until their turn.
	promoted map[cache.ObjectName]struct{}
	// known are the items of urgent. It is empty while low is.
	known map[cache.ObjectName]struct{}
	// pops counts the items taken while neither lane was empty.
	pops uint64

	// adding is the item that is being added without urgency. The lock serializes such additions.
	adding     atomic.Pointer[cache.ObjectName]
	addingLock sync.Mutex

	// marks is the number of items in the maps below. The lock is only taken if it is not 0.
	marks atomic.Int64
	lock  sync.Mutex
	// deferred has the items whose next addition is not urgent, popped the items of the low lane that are being taken.
	deferred, popped map[cache.ObjectName]struct{}
}

func newLanes() *lanes {
	return &lanes{
		promoted: map[cache.ObjectName]struct{}{}, known: map[cache.ObjectName]struct{}{},
		deferred: map[cache.ObjectName]struct{}{}, popped: map[cache.ObjectName]struct{}{},
	}
}

var _ workqueue.Queue[cache.ObjectName] = &lanes{}

// whileLow calls a function that adds an item, which then goes to the low lane.
func (l *lanes) whileLow(name cache.ObjectName, add func()) {
	l.addingLock.Lock()
	defer l.addingLock.Unlock()
	l.adding.Store(&name)
	defer l.adding.Store(nil)
	add()
}

// isLow reports whether an item is being added without urgency.
func (l *lanes) isLow(name cache.ObjectName) bool {
	if adding := l.adding.Load(); adding != nil && *adding == name {
		return true
	}
	return l.forget(name)
}

// mark modifies deferred and popped.
func (l *lanes) mark(change func()) {
	l.lock.Lock()
	defer l.lock.Unlock()
	change()
	l.marks.Store(int64(len(l.deferred) + len(l.popped)))
}

// defers makes the next addition of an item go to the low lane.
func (l *lanes) defers(name cache.ObjectName) {
	l.mark(func() { l.deferred[name] = struct{}{} })
}

// forget undoes defers, and reports whether there was something to undo.
func (l *lanes) forget(name cache.ObjectName) (deferred bool) {
	if l.marks.Load() == 0 {
		return false
	}
	l.mark(func() {
		_, deferred = l.deferred[name]
		delete(l.deferred, name)
	})
	return deferred
}

// wasLow reports whether an item that was taken from the work queue came from the low lane.
func (l *lanes) wasLow(name cache.ObjectName) (low bool) {
	if l.marks.Load() == 0 {
		return false
	}
	l.mark(func() {
		_, low = l.popped[name]
		delete(l.popped, name)
	})
	return low
}

// Touch implements workqueue.Queue. It promotes an item of the low lane that was added again with urgency.
func (l *lanes) Touch(name cache.ObjectName) {
	if len(l.low) == 0 {
		return
	}
	if _, urgent := l.known[name]; urgent || l.isLow(name) {
		return
	}
	l.promoted[name] = struct{}{}
	l.urgent = append(l.urgent, name)
	l.known[name] = struct{}{}
	l.tidy()
}

// Push implements workqueue.Queue.
func (l *lanes) Push(name cache.ObjectName) {
	if !l.isLow(name) {
		l.urgent = append(l.urgent, name)
		if len(l.low) > 0 {
			l.known[name] = struct{}{}
		}
		return
	}
	if _, hasPlace := l.promoted[name]; hasPlace {
		delete(l.promoted, name)
		return
	}
	if len(l.low) == 0 {
		for _, urgent := range l.urgent {
			l.known[urgent] = struct{}{}
		}
	}
	l.low = append(l.low, name)
}

// tidy drops the low lane if only promoted items are left there.
func (l *lanes) tidy() {
	if len(l.low) == len(l.promoted) {
		l.low = nil
		clear(l.promoted)
		clear(l.known)
	}
}

// Len implements workqueue.Queue.
func (l *lanes) Len() int { return len(l.urgent) + len(l.low) - len(l.promoted) }

// Pop implements workqueue.Queue.
func (l *lanes) Pop() cache.ObjectName {
	low := len(l.urgent) == 0
	if !low && len(l.low) > 0 {
		l.pops++
		low = l.pops%agingShare == 0
	}
	if !low {
		name := shift(&l.urgent)
		if len(l.known) > 0 {
			delete(l.known, name)
		}
		return name
	}
	for {
		name := shift(&l.low)
		if len(l.promoted) > 0 {
			if _, promoted := l.promoted[name]; promoted {
				delete(l.promoted, name)
				continue
			}
		}
		l.tidy()
		l.mark(func() { l.popped[name] = struct{}{} })
		return name
	}
}

// shift removes the first item of a lane.
func shift(lane *[]cache.ObjectName) cache.ObjectName {
	first := (*lane)[0]
	(*lane)[0] = cache.ObjectName{} // the backing array would keep the strings alive
	*lane = (*lane)[1:]
	return first
}
