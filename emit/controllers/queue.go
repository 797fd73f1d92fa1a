package controllers

import (
	"sync"

	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	klog "k8s.io/klog/v2"
)

// queue is a work queue with two lanes: an urgent one for events, and a low one for items that can wait, such as those of
// the initial list.
type queue struct {
	workqueue.TypedRateLimitingInterface[cache.ObjectName]
	logger klog.Logger

	// adding makes announcing an item and adding it one atomic step.
	adding sync.Mutex
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

// add adds an item. An item already in the queue can only be promoted.
func (q *queue) add(name cache.ObjectName, urgent bool) {
	q.adding.Lock()
	defer q.adding.Unlock()
	q.lanes.announce(name, urgent)
	q.Add(name)
	q.lanes.added()
}

// agingShare is the number of items after which the low lane gets a turn while the urgent lane is not empty.
const agingShare = 8

// lanes orders the items of a work queue. Urgent items come first, but every agingShare-th item is the oldest of the low
// lane, so that no item waits forever.
type lanes struct {
	lock sync.Mutex
	// adding is the item being added; announced is set until it reaches a lane. Items that the queue adds on its own, after
	// a delay, are never announced and count as urgent.
	adding    item
	announced bool
	// busy holds items that were added during processing, and whether one of the additions was urgent. They reach a lane
	// when processing finishes.
	busy   map[cache.ObjectName]bool
	urgent []cache.ObjectName
	// low may still hold items that were promoted; waiting holds those that were not.
	low     []cache.ObjectName
	waiting map[cache.ObjectName]struct{}
	// pops counts the items taken while both lanes had some.
	pops uint64
}

type item struct {
	name   cache.ObjectName
	urgent bool
}

func newLanes() *lanes {
	return &lanes{busy: map[cache.ObjectName]bool{}, waiting: map[cache.ObjectName]struct{}{}}
}

var _ workqueue.Queue[cache.ObjectName] = &lanes{}

// announce sets the priority of the item that is about to be added.
func (l *lanes) announce(name cache.ObjectName, urgent bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.adding, l.announced = item{name, urgent}, true
}

// added is called after the item was added. If it has not reached a lane by then, it is being processed.
func (l *lanes) added() {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.announced {
		l.busy[l.adding.name] = l.busy[l.adding.name] || l.adding.urgent
		l.announced = false
	}
}

// arrives reports whether an item that reaches a lane is urgent. The caller holds the lock.
func (l *lanes) arrives(name cache.ObjectName) bool {
	urgent, known := l.busy[name]
	delete(l.busy, name)
	if l.announced && l.adding.name == name {
		l.announced = false
		return urgent || l.adding.urgent
	}
	return urgent || !known
}

// Touch implements workqueue.Queue. It promotes an item of the low lane that was added again with urgency.
func (l *lanes) Touch(name cache.ObjectName) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if !l.arrives(name) {
		return
	}
	if _, low := l.waiting[name]; low {
		delete(l.waiting, name)
		l.urgent = append(l.urgent, name)
	}
}

// Push implements workqueue.Queue.
func (l *lanes) Push(name cache.ObjectName) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.arrives(name) {
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
