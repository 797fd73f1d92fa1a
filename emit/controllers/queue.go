package controllers

import (
	"sync"
	"time"

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
	q.lanes.prefer(it)
	q.Add(it.name)
}

// take waits for the next item.
func (q *queue) take() (it item, shutdown bool) {
	name, shutdown := q.Get()
	return item{name, q.lanes.taken(name)}, shutdown
}

// retry adds an item to its lane again, after the delay of the rate limiter.
func (q *queue) retry(it item) {
	q.lanes.prefer(it)
	q.AddRateLimited(it.name)
}

// addAfter adds an item to its lane again, after a delay.
func (q *queue) addAfter(it item, delay time.Duration) {
	q.lanes.prefer(it)
	q.AddAfter(it.name, delay)
}

// agingShare is the number of items after which the low lane gets a turn while the urgent lane is not empty.
const agingShare = 8

// lanes orders the items of a work queue. Urgent items come first, but every agingShare-th item is the oldest of the low
// lane, so that no item waits forever.
type lanes struct {
	lock sync.Mutex
	// priority holds whether items are urgent that have been added, or will be after a delay, until they are taken. Items
	// without a priority are urgent.
	priority map[cache.ObjectName]bool
	urgent   []cache.ObjectName
	// low may still hold items that were promoted; waiting holds those that were not.
	low     []cache.ObjectName
	waiting map[cache.ObjectName]struct{}
	// pops counts the items taken while both lanes had some.
	pops uint64
}

func newLanes() *lanes {
	return &lanes{priority: map[cache.ObjectName]bool{}, waiting: map[cache.ObjectName]struct{}{}}
}

var _ workqueue.Queue[cache.ObjectName] = &lanes{}

// prefer sets the priority of an item that is about to be added. It never demotes an item.
func (l *lanes) prefer(it item) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.priority[it.name] = l.priority[it.name] || it.urgent
}

// taken forgets the priority of an item that was taken from the queue, and returns it.
func (l *lanes) taken(name cache.ObjectName) (urgent bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	urgent = l.isUrgent(name)
	delete(l.priority, name)
	return urgent
}

// isUrgent reports whether an item is urgent. The caller holds the lock.
func (l *lanes) isUrgent(name cache.ObjectName) bool {
	urgent, ok := l.priority[name]
	return urgent || !ok
}

// Touch implements workqueue.Queue. It promotes an item of the low lane that was added again with urgency.
func (l *lanes) Touch(name cache.ObjectName) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if _, low := l.waiting[name]; low && l.isUrgent(name) {
		delete(l.waiting, name)
		l.urgent = append(l.urgent, name)
		if len(l.waiting) == 0 {
			l.low = nil // nothing but promoted items
		}
	}
}

// Push implements workqueue.Queue. It is called for items that are added, and for items that were added during processing
// once that ends.
func (l *lanes) Push(name cache.ObjectName) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.isUrgent(name) {
		l.urgent = append(l.urgent, name)
		return
	}
	l.low = append(l.low, name)
	l.waiting[name] = struct{}{}
}

// Len implements workqueue.Queue.
func (l *lanes) Len() int {
	l.lock.Lock()
	defer l.lock.Unlock()
	return len(l.urgent) + len(l.waiting)
}

// Pop implements workqueue.Queue.
func (l *lanes) Pop() cache.ObjectName {
	l.lock.Lock()
	defer l.lock.Unlock()
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
