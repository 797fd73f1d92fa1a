// Package controllers has the code that all generated controllers share: options, the work queue, and the loop that passes
// objects from the queue to a reconciler.
package controllers

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

// Object is a pointer to an API object. It does not embed comparable, so that the compiler shares code between types.
type Object interface {
	metav1.Object
	runtime.Object
}

// Config describes the kind that a controller reconciles, and how. Generated code fills it in.
type Config[T Object] struct {
	GroupKind  schema.GroupKind
	Resource   schema.GroupResource
	Namespaced bool
	// Finalizer is set on objects before the first call of Reconcile; "" for none.
	Finalizer string

	// Client is the client of the kind. It distinguishes controllers of the same name.
	Client any

	// The steps of the reconciler. Finalize is required if Finalizer is set.
	Reconcile        func(context.Context, T) (Result, error)
	ReconcileDeleted func(context.Context, cache.ObjectName) error
	Finalize         func(context.Context, T) error

	// Get and Patch call the API server. They are required if Finalizer is set. The patch is a JSON merge patch.
	Get   func(context.Context, cache.ObjectName) (T, error)
	Patch func(context.Context, cache.ObjectName, []byte) (T, error)
}

// Controller calls a reconciler for each object of its kind that changes, or that owns an object that changes.
type Controller[T Object] struct {
	config   Config[T]
	settings *settings

	objects Cache[T]
	known   knowledge
	own     ownFactories
	// shared are the shared factories that the controller takes informers from. Run starts them.
	shared []informerFactory

	started, synced atomic.Bool
	queue           atomic.Pointer[queue]

	failures failures
	unseen   unseen
}

// informerFactory is the part of a shared informer factory that Run needs. Generated factories and those of client-go
// implement it.
type informerFactory interface {
	Start(stopCh <-chan struct{})
	Shutdown()
}

// Cache reads the objects of one kind.
type Cache[T Object] struct {
	Informer cache.SharedIndexInformer
	// Get reads from the lister. Caches of owned objects do not need it.
	Get func(cache.ObjectName) (T, error)
	// List calls the API server for a namespace, or for all namespaces if it is empty, to find out why objects cannot be listed.
	List func(ctx context.Context, namespace string, options metav1.ListOptions) error
}

// ListError returns the error of a client's List, which is all that Cache.List needs.
func ListError[L any](_ L, err error) error { return err }

// New returns a controller without caches. Generated code adds them with Watch and Own.
func New[T Object](config Config[T], options []Option) (*Controller[T], error) {
	s, err := newSettings(config.Resource.String(), config.Client, options)
	c := &Controller[T]{config: config, settings: s}
	if err == nil {
		c.own, err = newFactories(c)
	}
	if err == nil {
		err = controllerNames.claim(s)
	}
	if err != nil {
		return nil, fmt.Errorf("controller %s: %w", s.name, err)
	}
	return c, nil
}

// Watch sets the cache for the objects of the kind.
func (c *Controller[T]) Watch(objects Cache[T]) {
	c.objects = objects
	list := func(ctx context.Context, namespace string, options metav1.ListOptions) error {
		c.settings.selectObjects(&options)
		return objects.List(ctx, namespace, options)
	}
	addWatch(c, c.handler(), objects.Informer, probe{c.config.Resource, c.settings.namespacesOf(c.config.Namespaced), list})
}

// addWatch adds the event handler of a cache to a controller. The handler also enqueues the items that wait for its events.
func addWatch[T, O Object](c *Controller[T], h handler[O], informer cache.SharedIndexInformer, p probe) {
	w := &watcher{objects: reflect.TypeFor[O](), informer: informer, probe: p}
	awaited := cause{p.resource.String(), "awaited"}
	h.seen = func(name cache.ObjectName, version uint64) {
		w.reach(name.Namespace, version)
		for _, it := range c.known.waiters.take(waitKey{w, name}) {
			c.enqueue(it, awaited)
		}
	}
	w.handler = h
	c.known.watches = append(c.known.watches, w)
}

// HasSynced reports whether all caches have synced and Run has not returned. The controller then reconciles or is on standby,
// see WithElected.
func (c *Controller[T]) HasSynced() bool { return c.synced.Load() }

// Enqueue adds an object to the queue, for reasons that the controller does not watch. It has no effect before Run reconciles,
// because Run starts with all objects anyway.
func (c *Controller[T]) Enqueue(name cache.ObjectName) { c.enqueue(item{name, true}, requested) }

// cause is the reason why an item is queued, such as an event about an object of a resource.
type cause struct{ resource, event string }

var (
	requested = cause{event: "requested"}
	found     = cause{event: "found"}
	lost      = cause{event: "lost"}
	resynced  = cause{event: "resynced"}
)

// enqueue adds an item to the queue. Before the queue exists, it does nothing.
func (c *Controller[T]) enqueue(it item, why cause) {
	q := c.queue.Load()
	if q == nil {
		return
	}
	if logger := q.logger.V(4); logger.Enabled() {
		logger.Info("Queued", "object", it.name, "resource", why.resource, "event", why.event, "urgent", it.urgent)
	}
	q.add(it)
}

// cached returns the object from the cache. It must not be modified.
func (c *Controller[T]) cached(name cache.ObjectName) (T, error) {
	if !covers(c.settings.namespacesOf(c.config.Namespaced), name.Namespace) {
		var none T
		return none, fmt.Errorf("namespace %q is not watched", name.Namespace)
	}
	return c.objects.Get(name)
}

// Resource returns the resource of the kind.
func (c *Controller[T]) Resource() schema.GroupResource { return c.config.Resource }

// Run starts the informers and reconciles until ctx is done. It then waits for reconciles in flight, see WithDrainTimeout,
// and returns when everything that it started has stopped. It returns an error if the informers do not sync in time, see
// WithSyncTimeout, or if reconciles were cut short. Run can be called once.
func (c *Controller[T]) Run(ctx context.Context) error { return c.withCaches(ctx, c.run) }

// withCaches starts the informers, calls a function when all caches have synced, unless ctx is done first, and stops the
// informers. It can be called once.
func (c *Controller[T]) withCaches(ctx context.Context, use func(context.Context) error) error {
	if c.started.Swap(true) {
		return fmt.Errorf("controller %s has already been run", c.settings.name)
	}
	defer controllerNames.release(c.settings)
	ctx = klog.NewContext(ctx, klog.LoggerWithValues(klog.FromContext(ctx), "controller", c.settings.name))
	// Caches and reconciles outlive ctx: reconciles in flight may still read from the caches.
	caching, stopCaching := context.WithCancel(context.WithoutCancel(ctx))
	defer c.stopFactories(stopCaching)
	defer c.unwatch()
	if err := c.start(ctx, caching); err != nil {
		return fmt.Errorf("controller %s: %w", c.settings.name, err)
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
	defer c.synced.Store(false)
	logger.Info("Controller is ready")
	select {
	case <-c.settings.elected:
	case <-ctx.Done():
		return nil
	}
	logger.Info("Starting workers", "workers", c.settings.workers)
	q := newQueue(c.settings, logger)
	defer q.ShutDown()
	defer c.unseen.stop()
	c.settings.metrics.Ready(c.settings.name, c.settings.workers)
	c.queue.Store(q)
	return c.work(ctx, q)
}

// start starts the informers and waits for their caches. It returns nil if ctx is done first.
func (c *Controller[T]) start(ctx, caching context.Context) error {
	for _, w := range c.known.watches {
		if err := w.register(klog.FromContext(ctx)); err != nil {
			return err
		}
	}
	for _, f := range c.shared {
		startFactory(ctx, f)
	}
	for _, f := range c.own.started() {
		startFactory(caching, f)
	}
	return waitForSync(ctx, c.known.watches, c.settings.syncTimeout)
}

// startFactory runs the informers of a factory until ctx is done. Factories for client-go before v0.36 do not take a
// context, so their informers log without its values.
func startFactory(ctx context.Context, f informerFactory) {
	if f, ok := f.(interface{ StartWithContext(ctx context.Context) }); ok {
		f.StartWithContext(ctx)
		return
	}
	f.Start(ctx.Done())
}

func (c *Controller[T]) unwatch() {
	for _, w := range c.known.watches {
		w.unregister()
	}
}

func (c *Controller[T]) stopFactories(stop context.CancelFunc) {
	stop()
	for _, f := range c.own.started() {
		f.Shutdown()
	}
}

// enqueueAll queues all objects, in any order.
func (c *Controller[T]) enqueueAll(why cause) {
	for _, object := range c.objects.Informer.GetIndexer().List() {
		if object, ok := object.(T); ok {
			c.enqueue(item{nameOf(object), false}, why)
		}
	}
}

// enqueueLost queues the objects of WithKnown that no longer exist.
func (c *Controller[T]) enqueueLost() {
	for _, name := range c.settings.known {
		if _, err := c.cached(name); IsNotFound(err) {
			c.enqueue(item{name, false}, lost)
		}
	}
}

// resync queues all objects after each period until ctx is done. It does not depend on the resync period of the factory.
func (c *Controller[T]) resync(ctx context.Context) {
	ticker := c.settings.clock.NewTicker(c.settings.resync)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C():
			c.enqueueAll(resynced)
		case <-ctx.Done():
			return
		}
	}
}

// errCutShort is the cause of the cancellation of reconciles that exceed the drain timeout.
var errCutShort = errors.New("the controller has stopped")

// work runs the workers until ctx is done, and then for up to the drain timeout. They start with all objects; later, event
// handlers queue objects.
func (c *Controller[T]) work(ctx context.Context, q *queue) error {
	working, cutShort := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cutShort(nil)
	var workers sync.WaitGroup
	for range c.settings.workers {
		workers.Add(1)
		go func() {
			defer workers.Done()
			c.runWorker(ctx, working, q)
		}()
	}
	if c.settings.resync > 0 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			c.resync(ctx)
		}()
	}
	c.enqueueAll(found)
	c.enqueueLost()
	<-ctx.Done()
	logger := klog.FromContext(ctx)
	logger.Info("Stopping controller")
	c.unwatch()
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
	return fmt.Errorf("controller %s: reconciles were cut short after %v", c.settings.name, c.settings.drainTimeout)
}

// runWorker processes items until ctx is done. Reconciles use the context working, which outlives ctx.
func (c *Controller[T]) runWorker(ctx, working context.Context, q *queue) {
	for {
		it, shutdown := q.take()
		if shutdown {
			return
		}
		again := false
		if ctx.Err() == nil { // otherwise the next run processes the item
			again = c.process(working, q, it)
		}
		q.done(it, again)
	}
}
