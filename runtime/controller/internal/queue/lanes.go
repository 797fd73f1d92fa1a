package queue

import (
	"slices"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
)

// agingShare is the number of items after which the low lane gets a turn while the urgent lane is not empty.
const agingShare = 8

// lanes orders the items of a work queue. Urgent items come first, but every agingShare-th item is the next of the low lane, so that no
// item waits forever. Within a lane, namespaces take turns.
//
// A controller starts with all of its objects in the low lane, so items of that lane need no entry in a map. The maps have the exceptions.
type lanes struct {
	// order guards the fields up to pops. Work queues call the methods of workqueue.Queue with a lock of their own, which those who only
	// look at the lanes cannot take.
	order  sync.Mutex
	urgent turns[cache.ObjectName]
	low    turns[lowItem]
	// promoted are the items of low that have moved to urgent. Their places in low stay until their turn.
	promoted map[cache.ObjectName]struct{}
	// known are the items of urgent or, if low got its first item while urgent had more than many, items of low that are not promoted. To
	// collect the others would take too long for one addition. It is empty while low is.
	known    map[cache.ObjectName]struct{}
	knowsLow bool
	many     int
	// pops counts the items taken while neither lane was empty.
	pops uint64

	// adding is the item that is being added without urgency. The lock serializes such additions.
	adding     atomic.Pointer[lowItem]
	addingLock sync.Mutex

	// marks is the number of items in the maps below. The lock is only taken if it is not 0.
	marks atomic.Int64
	lock  sync.Mutex
	// deferred has the items whose next addition is not urgent, popped the items of the low lane that are being taken.
	deferred map[cache.ObjectName]struct{}
	popped   map[cache.ObjectName]*progress.Origin
}

// lowItem is an item of the low lane. Origin is nil if the item was added after a delay.
type lowItem struct {
	cache.ObjectName

	origin *progress.Origin
}

func newLanes() *lanes {
	return &lanes{
		promoted: map[cache.ObjectName]struct{}{}, known: map[cache.ObjectName]struct{}{}, many: 100,
		deferred: map[cache.ObjectName]struct{}{}, popped: map[cache.ObjectName]*progress.Origin{},
	}
}

var _ workqueue.Queue[cache.ObjectName] = &lanes{}

// whileLow calls a function that adds an item, which then goes to the low lane.
func (l *lanes) whileLow(it lowItem, add func()) {
	l.addingLock.Lock()
	defer l.addingLock.Unlock()
	l.adding.Store(&it)
	defer l.adding.Store(nil)
	add()
}

// isLow reports whether an item is being added without urgency, and returns its origin.
func (l *lanes) isLow(name cache.ObjectName) (*progress.Origin, bool) {
	if adding := l.adding.Load(); adding != nil && adding.ObjectName == name {
		return adding.origin, true
	}
	return nil, l.forget(name)
}

// mark modifies deferred and popped.
func (l *lanes) mark(change func()) {
	l.lock.Lock()
	defer l.lock.Unlock()
	change()
	l.marks.Store(int64(len(l.deferred) + len(l.popped)))
}

// defers makes the next addition of an item go to the low lane.
func (l *lanes) defers(name cache.ObjectName) { l.mark(func() { l.deferred[name] = struct{}{} }) }

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

// wasLow reports whether an item that was taken from the work queue came from the low lane, and returns its origin.
func (l *lanes) wasLow(name cache.ObjectName) (origin *progress.Origin, low bool) {
	if l.marks.Load() == 0 {
		return nil, false
	}
	l.mark(func() {
		origin, low = l.popped[name]
		delete(l.popped, name)
	})
	return origin, low
}

// find returns the lane of an item, if it is in one, and its origin.
func (l *lanes) find(name cache.ObjectName) (lane string, origin *progress.Origin) {
	l.order.Lock()
	defer l.order.Unlock()
	if slices.Contains(l.urgent.of(name.Namespace), name) {
		return "urgent", nil
	}
	low := l.low.of(name.Namespace)
	at := slices.IndexFunc(low, func(it lowItem) bool { return it.ObjectName == name })
	if _, promoted := l.promoted[name]; promoted || at < 0 {
		return "", nil
	}
	return "low", low[at].origin
}

// lowLen returns the length of the low lane.
func (l *lanes) lowLen() int {
	l.order.Lock()
	defer l.order.Unlock()
	return l.low.len - len(l.promoted)
}

// Touch implements workqueue.Queue. It promotes an item of the low lane that was added again with urgency.
func (l *lanes) Touch(name cache.ObjectName) {
	l.order.Lock()
	defer l.order.Unlock()
	if l.low.len == 0 {
		return
	}
	if _, known := l.known[name]; known != l.knowsLow { // it is urgent
		return
	}
	if _, low := l.isLow(name); low {
		return
	}
	l.promoted[name] = struct{}{}
	l.urgent.push(name.Namespace, name)
	l.joins(name, true)
	l.tidy()
}

// Push implements workqueue.Queue.
func (l *lanes) Push(name cache.ObjectName) {
	l.order.Lock()
	defer l.order.Unlock()
	origin, low := l.isLow(name)
	if !low {
		l.urgent.push(name.Namespace, name)
		l.joins(name, true)
		return
	}
	if _, hasPlace := l.promoted[name]; hasPlace {
		delete(l.promoted, name)
		l.joins(name, false)
		return
	}
	if l.low.len == 0 {
		l.knowsLow = l.urgent.len > l.many
	}
	if l.low.len == 0 && !l.knowsLow {
		for _, line := range l.urgent.ring.all() {
			for _, urgent := range line.items.all() {
				l.known[urgent] = struct{}{}
			}
		}
	}
	l.low.push(name.Namespace, lowItem{name, origin})
	l.joins(name, false)
}

// joins updates known for an item that joins a lane.
func (l *lanes) joins(name cache.ObjectName, urgent bool) {
	if l.low.len > 0 && urgent != l.knowsLow {
		l.known[name] = struct{}{}
	} else {
		delete(l.known, name)
	}
}

// tidy drops the low lane if only promoted items are left there. Maps that were large are slow to clear.
func (l *lanes) tidy() {
	if l.low.len == len(l.promoted) {
		l.low = turns[lowItem]{}
		l.promoted, l.known = map[cache.ObjectName]struct{}{}, map[cache.ObjectName]struct{}{}
	}
}

// Len implements workqueue.Queue.
func (l *lanes) Len() int {
	l.order.Lock()
	defer l.order.Unlock()
	return l.urgent.len + l.low.len - len(l.promoted)
}

// Pop implements workqueue.Queue.
func (l *lanes) Pop() cache.ObjectName {
	l.order.Lock()
	defer l.order.Unlock()
	low := l.urgent.len == 0
	if !low && l.low.len > 0 {
		l.pops++
		low = l.pops%agingShare == 0
	}
	if !low {
		name := l.urgent.pop()
		delete(l.known, name)
		return name
	}
	for len(l.promoted) > 0 {
		next := l.low.next().ObjectName
		if _, promoted := l.promoted[next]; !promoted {
			break
		}
		delete(l.promoted, next)
		l.low.drop()
	}
	it := l.low.pop()
	delete(l.known, it.ObjectName)
	l.tidy()
	l.mark(func() { l.popped[it.ObjectName] = it.origin })
	return it.ObjectName
}
