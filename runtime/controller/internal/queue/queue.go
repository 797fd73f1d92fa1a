// Package queue has the work queue of controllers: client-go's, with two lanes and a backoff with jitter.
package queue

import (
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	klog "k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// Item is an item of the queue and its lane.
type Item struct {
	Name cache.ObjectName
	// Urgent items come first. The others can wait, such as those of the initial list.
	Urgent bool
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
}

// Queue is a work queue with two lanes: urgent for events, and low for items that can wait.
type Queue struct {
	workqueue.TypedRateLimitingInterface[cache.ObjectName]

	Logger klog.Logger
	lanes  *lanes
}

// New returns a queue. ShutDown ends its goroutines.
func New(c Config) *Queue {
	q := &Queue{Logger: c.Logger, lanes: newLanes()}
	limiter := c.Limiter
	if limiter == nil {
		limiter = DefaultLimiter()
	}
	config := workqueue.TypedQueueConfig[cache.ObjectName]{
		Name: c.Name, MetricsProvider: c.Metrics, Clock: c.Clock, Queue: q.lanes,
	}
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
func (q *Queue) Enqueue(it Item) {
	if it.Urgent {
		q.lanes.forget(it.Name)
		q.Add(it.Name)
		return
	}
	q.lanes.whileLow(it.Name, func() { q.Add(it.Name) })
}

// Take waits for the next item. Pass the item to Finish.
func (q *Queue) Take() (it Item, shutdown bool) {
	name, shutdown := q.Get()
	return Item{name, !q.lanes.wasLow(name)}, shutdown
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
