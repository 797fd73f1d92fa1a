package controller

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/names"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/queue"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/leading"
)

// Run starts the informers and reconciles until ctx is done. It then waits for reconciles in flight, see WithDrainTimeout, and
// returns when everything that it started has stopped, except for informers of a shared factory, which end in the background. It
// returns an error if the informers do not sync in time, see WithSyncTimeout, if reconciles were cut short, or if a controller of
// the same name runs already on the same factory or with the same metrics. Run can be called once.
func (c *Controller[T]) Run(ctx context.Context) error { return c.withCaches(ctx, c.run) }

// withCaches starts the informers, calls a function when all caches have synced, unless ctx is done first, and stops the
// informers. It can be called once.
func (c *Controller[T]) withCaches(ctx context.Context, use func(context.Context) error) error {
	if c.life.started.Swap(true) {
		return c.errorf("already started")
	}
	unshared := []any{c.Factory()} // by controllers of the same name
	if c.settings.metrics != Metrics(NoMetrics{}) {
		unshared = append(unshared, c.settings.metrics)
	}
	release, err := names.Claim(c.settings.name, unshared...)
	if err != nil {
		return c.errorf("%w", err)
	}
	defer release()
	defer caches.Enter(c.Factory())()
	ctx = klog.NewContext(ctx, klog.LoggerWithValues(klog.FromContext(ctx), "controller", c.settings.name))
	defer c.caches.End()
	if err := c.caches.Start(ctx, c.settings.syncTimeout); err != nil {
		return c.errorf("%w", err)
	}
	if ctx.Err() != nil {
		return nil
	}
	return use(ctx)
}

// run reconciles until ctx is done, whenever the controller is elected.
func (c *Controller[T]) run(ctx context.Context) error {
	c.life.synced.Store(true)
	close(c.life.everSynced)
	defer c.life.synced.Store(false)
	defer c.writes.Stop()
	klog.FromContext(ctx).Info("Controller is ready")
	ready := sync.OnceFunc(func() {
		c.settings.metrics.Ready(c.settings.name, c.settings.workers)
		c.settings.metrics.LongestRunning(c.settings.name, c.LongestRunning)
		c.settings.metrics.Paused(c.settings.name, c.progress.Paused)
		c.settings.metrics.MissingFields(c.settings.name, c.caches.MissingFields)
		if c.settings.share != nil {
			c.settings.metrics.Buckets(c.settings.name, c.settings.share.Count)
		}
	})
	return leading.Each(ctx, c.settings.lead, func(ctx, term context.Context) error { return c.serve(ctx, term, ready) })
}

// serve reconciles until ctx or the term is done.
func (c *Controller[T]) serve(ctx, term context.Context, ready func()) error {
	c.life.elected.Store(true)
	defer c.life.elected.Store(false)
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(term, cancel)()
	c.catchUp(working)
	if working.Err() != nil {
		return nil
	}
	logger := klog.FromContext(ctx)
	logger.Info("Starting workers", "workers", c.settings.workers)
	q := queue.New(c.settings.queueConfig(logger, c.progress))
	defer q.ShutDown()
	ready()
	c.queue.Store(q)
	if err := c.work(working, term, q); err != nil || term.Err() == nil {
		return err
	}
	c.queue.Store(nil)
	c.progress.Dropped()
	c.labels.Again()
	return nil
}

// enqueueAll queues all objects, or the objects whose names count, in any order.
func (c *Controller[T]) enqueueAll(why cause, counts func(cache.ObjectName) bool) {
	for _, object := range c.objects.Indexer().List() {
		if object, ok := object.(T); ok && (counts == nil || counts(cache.MetaObjectToName(object))) {
			c.enqueue(queue.Item{Name: cache.MetaObjectToName(object)}, why)
		}
	}
}

// enqueueLost queues the objects of WithKnown that no longer exist. It asks until ctx is done.
func (c *Controller[T]) enqueueLost(ctx context.Context) {
	for _, name := range queue.Known(ctx, c.settings.known) {
		if _, err := c.objects.Get(name); IsNotFound(err) && c.settings.share.Lost(name) {
			c.enqueue(queue.Item{Name: name}, cause{Event: "lost"})
		}
	}
}

// errCutShort is the cause of the cancellation of reconciles that exceed the drain timeout.
var errCutShort = errors.New("the controller has stopped")

// work runs the workers until ctx is done: at the end of the term, or before. Then it waits for up to the drain timeout, unless the
// term has ended. They start with all objects; later, event handlers queue objects.
func (c *Controller[T]) work(ctx, term context.Context, q *queue.Queue) error {
	working, cutShort := context.WithCancelCause(context.WithoutCancel(term))
	defer cutShort(nil)
	defer context.AfterFunc(term, func() { cutShort(fmt.Errorf("%w: %w", errCutShort, context.Cause(term))) })()
	var workers sync.WaitGroup
	for range c.settings.workers {
		workers.Go(func() { q.Work(ctx, func(it queue.Item) (again bool) { return c.process(working, q, it) }) })
	}
	if c.settings.resync > 0 { // it does not depend on the resync period of the factory
		workers.Go(func() {
			queue.Spread(ctx, c.settings.clock, c.settings.resync, func(now func(cache.ObjectName) bool) {
				c.enqueueAll(cause{Event: "resynced"}, now)
			})
		})
	}
	c.enqueueAll(found, nil)
	if c.settings.known != nil {
		workers.Go(func() { c.settings.share.Each(ctx, func() { c.enqueueLost(ctx) }) })
	}
	<-ctx.Done()
	q.ShutDown()
	drained := queue.Ended(&workers)
	logger := klog.FromContext(ctx)
	if term.Err() != nil {
		logger.Info("Canceling reconciles in flight", "cause", context.Cause(term))
		<-drained
		return nil
	}
	logger.Info("Stopping controller")
	c.caches.Unregister()
	deadline := c.settings.clock.NewTimer(c.settings.drainTimeout)
	defer deadline.Stop()
	select {
	case <-drained:
		return nil
	case <-deadline.C():
	}
	logger.Info("Canceling reconciles in flight", "after", c.settings.drainTimeout)
	cutShort(errCutShort)
	<-drained
	return c.errorf("reconciles were cut short after %v", c.settings.drainTimeout)
}
