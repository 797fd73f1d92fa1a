package controller

import (
	"context"
	"errors"
	"sync"

	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/names"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/queue"
)

// Run starts the informers and reconciles until ctx is done. It then waits for reconciles in flight, see WithDrainTimeout, and
// returns when everything that it started has stopped, except for informers of a shared factory, which end in the background. It
// returns an error if the informers do not sync in time, see WithSyncTimeout, if reconciles were cut short, or if a controller of
// the same name runs already on the same factory or with the same metrics. Run can be called once.
func (c *Controller[T]) Run(ctx context.Context) error { return c.withCaches(ctx, c.run) }

// withCaches starts the informers, calls a function when all caches have synced, unless ctx is done first, and stops the
// informers. It can be called once.
func (c *Controller[T]) withCaches(ctx context.Context, use func(context.Context) error) error {
	if c.started.Swap(true) {
		return c.errorf("it has already been run")
	}
	release, err := names.Running.Claim(c.settings.name, c.settings.shared(c.Factory())...)
	if err != nil {
		return c.errorf("%w", err)
	}
	defer release()
	defer caches.Enter(c.Factory())()
	ctx = klog.NewContext(ctx, klog.LoggerWithValues(klog.FromContext(ctx), "controller", c.settings.name))
	for _, attached := range c.attached {
		attached.Begin(context.WithoutCancel(ctx)) // reconciles in flight outlive ctx
		defer attached.End()
	}
	defer c.caches.End()
	if err := c.caches.Start(ctx, c.settings.syncTimeout); err != nil {
		return c.errorf("%w", err)
	}
	if ctx.Err() != nil {
		return nil
	}
	return use(ctx)
}

// run reconciles until ctx is done, once the controller is elected.
func (c *Controller[T]) run(ctx context.Context) error {
	logger := klog.FromContext(ctx)
	c.synced.Store(true)
	close(c.everSynced)
	defer c.synced.Store(false)
	logger.Info("Controller is ready")
	select {
	case <-c.settings.elected:
	case <-ctx.Done():
		return nil
	}
	c.catchUp(ctx)
	if ctx.Err() != nil {
		return nil
	}
	logger.Info("Starting workers", "workers", c.settings.workers)
	q := queue.New(c.settings.queueConfig(logger, c.progress))
	defer q.ShutDown()
	defer c.tracker.Stop()
	c.settings.metrics.Ready(c.settings.name, c.settings.workers)
	c.settings.metrics.LongestRunning(c.settings.name, c.LongestRunning)
	c.settings.metrics.Paused(c.settings.name, c.progress.Paused)
	c.queue.Store(q)
	return c.work(ctx, q)
}

// enqueueAll queues all objects, or the objects whose names count, in any order.
func (c *Controller[T]) enqueueAll(why cause, counts func(cache.ObjectName) bool) {
	for _, object := range c.objects.Indexer().List() {
		if object, ok := object.(T); ok && (counts == nil || counts(nameOf(object))) {
			c.enqueue(queue.Item{Name: nameOf(object)}, why)
		}
	}
}

// enqueueLost queues the objects of WithKnown that no longer exist.
func (c *Controller[T]) enqueueLost() {
	for _, name := range c.settings.known {
		if _, err := c.cached(name); IsNotFound(err) {
			c.enqueue(queue.Item{Name: name}, lost)
		}
	}
}

// resync queues each object at its moment of each period until ctx is done. It does not depend on the resync period of the factory.
func (c *Controller[T]) resync(ctx context.Context) {
	ticker := c.settings.clock.NewTicker(max(1, c.settings.resync/queue.Moments))
	defer ticker.Stop()
	for now := uint32(0); ; now = (now + 1) % queue.Moments {
		select {
		case <-ticker.C():
			c.enqueueAll(resynced, func(name cache.ObjectName) bool { return queue.MomentOf(name) == now })
		case <-ctx.Done():
			return
		}
	}
}

// errCutShort is the cause of the cancellation of reconciles that exceed the drain timeout.
var errCutShort = errors.New("the controller has stopped")

// work runs the workers until ctx is done, and then for up to the drain timeout. They start with all objects; later, event
// handlers queue objects.
func (c *Controller[T]) work(ctx context.Context, q *queue.Queue) error {
	working, cutShort := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cutShort(nil)
	var workers sync.WaitGroup
	for range c.settings.workers {
		workers.Go(func() { c.runWorker(ctx, working, q) })
	}
	if c.settings.resync > 0 {
		workers.Go(func() { c.resync(ctx) })
	}
	c.enqueueAll(found, nil)
	c.enqueueLost()
	<-ctx.Done()
	logger := klog.FromContext(ctx)
	logger.Info("Stopping controller")
	c.caches.Unregister()
	q.ShutDown()

	drained := make(chan struct{})
	go func() {
		defer close(drained)
		workers.Wait()
	}()
	deadline := c.settings.clock.NewTimer(c.settings.drainTimeout)
	defer deadline.Stop()
	select {
	case <-drained:
		return nil
	case <-deadline.C():
	}
	logger.Info("Cancelling reconciles in flight", "after", c.settings.drainTimeout)
	cutShort(errCutShort)
	<-drained
	return c.errorf("reconciles were cut short after %v", c.settings.drainTimeout)
}

// runWorker processes items until ctx is done. Reconciles use the context working, which outlives ctx.
func (c *Controller[T]) runWorker(ctx, working context.Context, q *queue.Queue) {
	for {
		it, shutdown := q.Take()
		if shutdown {
			return
		}
		again := false
		if ctx.Err() == nil { // otherwise the next run processes the item
			again = c.process(working, q, it)
		}
		q.Finish(it, again)
	}
}
