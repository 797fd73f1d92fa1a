package controllers

import (
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	klog "k8s.io/klog/v2"
)

// queue is a work queue with two lanes: an urgent one for events, and a low one for items that can wait, such as those of
// the initial list.
type queue struct {
	workqueue.TypedRateLimitingInterface[cache.ObjectName]
	logger klog.Logger
	lanes  *lanes
}

func newQueue(s *settings, logger klog.Logger) *queue {
	q := &queue{logger: logger, lanes: newLanes()}
	config := workqueue.TypedQueueConfig[cache.ObjectName]{
		Name: s.name, MetricsProvider: s.metricsProvider, Clock: s.clock, Queue: q.lanes,
	}
	if s.newQueue != nil {
		q.TypedRateLimitingInterface = s.newQueue(s.limiter, config)
		return q
	}
	q.TypedRateLimitingInterface = workqueue.NewTypedRateLimitingQueueWithConfig(s.limiter, workqueue.TypedRateLimitingQueueConfig[cache.ObjectName]{
		DelayingQueue: workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[cache.ObjectName]{
			Logger: &logger, Name: s.name, MetricsProvider: s.metricsProvider, Clock: s.clock,
			Queue: workqueue.NewTypedWithConfig(config),
		}),
	})
	return q
}

// item is an item of the queue, and the lane that it came from.
type item struct {
	name   cache.ObjectName
	urgent bool
}

// add adds an item. An item already in the queue can only be promoted.
func (q *queue) add(it item) {
	if it.urgent {
		q.lanes.forget(it.name)
		q.Add(it.name)
		return
	}
	q.lanes.defers(it.name)
	q.Add(it.name)
	q.lanes.forget(it.name) // it was in the queue, or is being processed
}

// take waits for the next item.
func (q *queue) take() (it item, shutdown bool) {
	name, shutdown := q.Get()
	return item{name, !q.lanes.wasLow(name)}, shutdown
}

// done ends the processing of an item. If the queue will add it again after a delay, that keeps it in its lane. Items that
// were added during processing are urgent.
func (q *queue) done(it item, again bool) {
	q.Done(it.name)
	if again && !it.urgent {
		q.lanes.defers(it.name)
	}
}

// agingShare is the number of items after which the low lane gets a turn while the urgent lane is not empty.
const agingShare = 8

// lanes orders the items of a work queue. Urgent items come first, but every agingShare-th item is the oldest of the low
// lane, so that no item waits forever.
type lanes struct {
	// These fields are left to the methods of workqueue.Queue, which are called with the lock of the work queue.
	urgent []cache.ObjectName
	// low may still hold items that were promoted; waiting holds those that were not.
	low     []cache.ObjectName
	waiting map[cache.ObjectName]struct{}
	// pops counts the items taken while both lanes had some.
	pops uint64

	// marks is the number of items in the maps below. It spares urgent items the lock.
	marks atomic.Int64
	lock  sync.Mutex
	// deferred holds the items whose next addition is not urgent, popped those from the low lane that are being taken.
	deferred, popped map[cache.ObjectName]struct{}
}

func newLanes() *lanes {
	return &lanes{
		waiting: map[cache.ObjectName]struct{}{}, deferred: map[cache.ObjectName]struct{}{}, popped: map[cache.ObjectName]struct{}{},
	}
}

var _ workqueue.Queue[cache.ObjectName] = &lanes{}

// mark changes deferred and popped.
func (l *lanes) mark(change func()) {
	l.lock.Lock()
	defer l.lock.Unlock()
	change()
	l.marks.Store(int64(len(l.deferred) + len(l.popped)))
}

// defers puts an item into the low lane when it is added the next time.
func (l *lanes) defers(name cache.ObjectName) {
	l.mark(func() { l.deferred[name] = struct{}{} })
}

// forget takes back what defers did, and reports whether there was something to take back.
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

// wasLow reports whether an item that was taken from the work queue comes from the low lane.
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
	if _, low := l.waiting[name]; !low || l.forget(name) {
		return
	}
	delete(l.waiting, name)
	l.urgent = append(l.urgent, name)
	if len(l.waiting) == 0 {
		l.low = nil // nothing but promoted items
	}
}

// Push implements workqueue.Queue.
func (l *lanes) Push(name cache.ObjectName) {
	if !l.forget(name) {
		l.urgent = append(l.urgent, name)
		return
	}
	l.low = append(l.low, name)
	l.waiting[name] = struct{}{}
}

// Len implements workqueue.Queue.
func (l *lanes) Len() int { return len(l.urgent) + len(l.waiting) }

// Pop implements workqueue.Queue.
func (l *lanes) Pop() cache.ObjectName {
	low := len(l.urgent) == 0
	if !low && len(l.waiting) > 0 {
		l.pops++
		low = l.pops%agingShare == 0
	}
	if !low {
		return shift(&l.urgent)
	}
	for { // skip items that were promoted
		before, name := len(l.waiting), shift(&l.low)
		delete(l.waiting, name)
		if len(l.waiting) < before {
			l.mark(func() { l.popped[name] = struct{}{} })
			return name
		}
	}
}

// shift removes the first item of a lane.
func shift(lane *[]cache.ObjectName) cache.ObjectName {
	first := (*lane)[0]
	(*lane)[0] = cache.ObjectName{} // the backing array would keep the strings alive
	*lane = (*lane)[1:]
	return first
}
