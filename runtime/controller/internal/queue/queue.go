// Package queue has the work queue of controllers: client-go's, with two lanes and a backoff with jitter.
package queue

import (
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	klog "k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
)

// Item is an item of the queue and its lane.
type Item struct {
	Name cache.ObjectName
	// Urgent items come first. The others can wait, such as items of the initial list.
	Urgent bool
	// Origin is set by Take if there is no other record of it, see progress.Log.Begin.
	Origin *progress.Origin
}

// NewFunc makes a work queue. If it ignores config.Queue, all items have the same priority.
type NewFunc func(
	workqueue.TypedRateLimiter[cache.ObjectName], workqueue.TypedQueueConfig[cache.ObjectName],
) workqueue.TypedRateLimitingInterface[cache.ObjectName]

// Config configures a queue. Limiter may be nil for the default backoff, and New for client-go's queue.
type Config struct {
	Name    string
	Limiter workqueue.TypedRateLimiter[cache.ObjectName]
	Metrics workqueue.MetricsProvider
	Clock   clock.WithTicker
	New     NewFunc
	Logger  klog.Logger
	// Progress notes when and why items are queued and delayed.
	Progress *progress.Log
}

// Queue is a work queue with two lanes: urgent for events, and low for items that can wait.
type Queue struct {
	workqueue.TypedRateLimitingInterface[cache.ObjectName]

	Logger   klog.Logger
	lanes    *lanes
	progress *progress.Log
	// own is set for work queues of others, which may not use the lanes.
	own bool
}

// New returns a queue. ShutDown ends its goroutines.
func New(c Config) *Queue {
	q := &Queue{Logger: c.Logger, lanes: newLanes(), progress: c.Progress, own: c.New != nil}
	limiter := c.Limiter
	if limiter == nil {
		limiter = DefaultLimiter()
	}
	limiter = noted{limiter, c.Progress}
	config := workqueue.TypedQueueConfig[cache.ObjectName]{Name: c.Name, MetricsProvider: c.Metrics, Clock: c.Clock, Queue: q.lanes}
	if c.New != nil {
		q.TypedRateLimitingInterface = c.New(limiter, config)
		return q
	}
	q.TypedRateLimitingInterface = workqueue.NewTypedRateLimitingQueueWithConfig(limiter,
		workqueue.TypedRateLimitingQueueConfig[cache.ObjectName]{
			DelayingQueue: workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[cache.ObjectName]{
				Logger: &c.Logger, Name: c.Name, MetricsProvider: c.Metrics, Clock: c.Clock,
				Queue: workqueue.NewTypedWithConfig(config),
			}),
		})
	return q
}

// Enqueue adds an item. An item already in the queue can only be promoted.
func (q *Queue) Enqueue(it Item, why progress.Cause) {
	origin := q.progress.Queued(it.Name, why, it.Urgent || q.own)
	if it.Urgent {
		q.lanes.forget(it.Name)
		q.Add(it.Name)
		return
	}
	q.lanes.whileLow(lowItem{it.Name, origin}, func() { q.Add(it.Name) })
}

// AddAfter adds an item after a delay.
func (q *Queue) AddAfter(name cache.ObjectName, d time.Duration) {
	q.progress.Delayed(name, d)
	q.TypedRateLimitingInterface.AddAfter(name, d)
}

// Take waits for the next item. Pass the item to Finish.
func (q *Queue) Take() (it Item, shutdown bool) {
	name, shutdown := q.Get()
	origin, low := q.lanes.wasLow(name)
	return Item{name, !low, origin}, shutdown
}

// Lane returns the lane of a queued item, "urgent" or "low", and its origin if there is no other record of it. The lane is empty if
// the item is not queued, or the work queue does not use the lanes.
func (q *Queue) Lane(name cache.ObjectName) (lane string, origin *progress.Origin) {
	return q.lanes.find(name)
}

// Lens returns the numbers of items by lane. All items of a work queue that does not use the lanes are urgent.
func (q *Queue) Lens() (urgent, low int) {
	low = q.lanes.lowLen()
	return max(0, q.Len()-low), low
}

// Finish marks an item as processed. If again is set, the queue will add it again after a delay, and it stays in its lane. Items
// that were added during processing are urgent.
func (q *Queue) Finish(it Item, again bool) {
	q.Done(it.Name)
	if again && !it.Urgent {
		q.lanes.defers(it.Name)
	}
}

// The default backoff doubles from backoffBase to BackoffMax. Jitter adds up to half of that, so that items that failed
// together are not retried together.
const (
	backoffBase   = 5 * time.Millisecond
	BackoffMax    = 5 * time.Minute
	backoffJitter = 0.5
)

// DefaultLimiter returns a rate limiter with an exponential backoff with jitter for each item, from 5 ms to 5 minutes.
func DefaultLimiter() workqueue.TypedRateLimiter[cache.ObjectName] {
	return jittered{workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](backoffBase, BackoffMax)}
}

// jittered adds jitter to the delays of a rate limiter.
type jittered struct {
	workqueue.TypedRateLimiter[cache.ObjectName]
}

// When implements workqueue.TypedRateLimiter.
func (j jittered) When(name cache.ObjectName) time.Duration {
	return Jitter(j.TypedRateLimiter.When(name))
}

// Jitter adds up to half of a duration to it.
func Jitter(d time.Duration) time.Duration { return wait.Jitter(d, backoffJitter) }

// noted notes the delays of a rate limiter.
type noted struct {
	workqueue.TypedRateLimiter[cache.ObjectName]

	progress *progress.Log
}

// When implements workqueue.TypedRateLimiter.
func (n noted) When(name cache.ObjectName) time.Duration {
	d := n.TypedRateLimiter.When(name)
	n.progress.Delayed(name, d)
	return d
}
