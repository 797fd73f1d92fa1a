package controller

import (
	"fmt"
	"slices"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/metadata"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/ownerlabel"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/pause"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/queue"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/reconcile"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Controller calls a reconciler for each object of its kind that changes, or that owns an object that changes. Its methods may be
// called concurrently, also from event handlers; [Own] must be called before Run.
type Controller[T Object] struct {
	settings   *settings
	reconciler Reconciler[T]
	// finalizing is nil without a finalizer.
	finalizing *metadata.Finalizer[T]
	gate       pause.Gate[T]

	objects caches.Objects[T]
	// caches must sync before Run reconciles.
	caches *caches.Set
	// labels has the labels of the objects of Own.
	labels *ownerlabel.Set
	refs   references[T]

	life     life
	queue    atomic.Pointer[queue.Queue]
	progress *progress.Log
	writes   *reconcile.Writes
}

// life is how far the life of a controller has come.
type life struct {
	started, synced, elected atomic.Bool
	// everSynced is closed when all caches have synced for the first time.
	everSynced chan struct{}
}

// New returns a controller for the objects of a source. Start it with Run. Its informer, with the options of [WithReconciled], is that
// of a factory of its own, or of the one of [WithFactory], where it may run already. New returns an error for options that are invalid
// or contradict each other, and if the factory has errors, see [informer.Factory.Err].
func New[T Object](source informer.Source[T], reconciler Reconciler[T], options ...Option) (*Controller[T], error) {
	resource := source.Resource()
	s := newSettings(resource.GroupResource().String(), options)
	c := &Controller[T]{
		settings: s, reconciler: reconciler, labels: ownerlabel.NewSet(s.clock), refs: references[T]{informers: map[[2]any]any{}},
		life: life{everSynced: make(chan struct{})}, progress: progress.New(s.clock),
	}
	if err := s.check(); err != nil {
		return nil, c.errorf("%w", err)
	}
	objects := informer.For(s.ownFactory(), source, s.reconciled...)
	c.objects = caches.ObjectsOf(objects)
	c.gate = c.newGate()
	c.useShare()
	err := c.Factory().Err()
	if err == nil {
		s.kind, err = kindOf[T](resource, s.kind)
	}
	if err == nil && s.finalizer != "" {
		c.finalizing, err = newFinalizing(s.finalizer, reconciler, source)
	}
	if err != nil {
		return nil, c.errorf("%w", err)
	}
	c.writes = reconcile.NewWrites(resource,
		consistency.WithClock(s.clock), consistency.WithTimeout(s.consistencyTimeout), consistency.WithReleased(c.released),
		consistency.WithUnselected(c.unselected))
	c.caches = caches.New(c.Factory(), c.writes.Tracker, func(item cache.ObjectName, resource string) {
		c.enqueue(queue.Item{Name: item, Urgent: true}, cause{Resource: resource, Event: "awaited"})
	})
	caches.Watch(c.caches, objects, source.Fields(), c.changed)
	return c, nil
}

// errorf returns an error that names the controller.
func (c *Controller[T]) errorf(format string, args ...any) error {
	return fmt.Errorf("controller %s: %w", c.settings.name, fmt.Errorf(format, args...))
}

// Kind returns the kind that references to owners have.
func (c *Controller[T]) Kind() schema.GroupVersionKind { return c.settings.kind }

// Informer returns the informer for the objects of the kind.
func (c *Controller[T]) Informer() *informer.Informer[T] { return c.objects.Informer }

// Factory returns the factory of the informers. Run waits until all informers of the controller's own factory have synced, including
// informers requested for other purposes. With [WithFactory], it only runs and waits for informers that the controller watches.
func (c *Controller[T]) Factory() *informer.Factory { return c.objects.Factory() }

// HasSynced reports whether all caches have synced and Run has not returned. The controller then reconciles or is on standby,
// see WithElected.
func (c *Controller[T]) HasSynced() bool { return c.life.synced.Load() }

// Synced returns a channel that is closed when all caches have synced. The controller then reconciles or is on standby, see WithElected.
func (c *Controller[T]) Synced() <-chan struct{} { return c.life.everSynced }

// Unserved returns the resources that a running controller does without for now, because the API server does not serve them, see
// [informer.WhenServed], or has not let them be listed since it does: group resources such as "gateways.gateway.networking.k8s.io".
// While a resource is not served, the controller keeps reconciling.
func (c *Controller[T]) Unserved() []string { return c.caches.Unserved() }

// Enqueue adds an object to the queue, for reasons that the controller does not watch. It has no effect before Run reconciles,
// because Run starts with all objects anyway.
func (c *Controller[T]) Enqueue(name cache.ObjectName) {
	c.enqueue(queue.Item{Name: name, Urgent: true}, cause{Event: "requested"})
}

// cause is the reason why an item is queued, such as an event about an object of a resource.
type cause = progress.Cause

// found is the cause for objects that exist at the start, or that another replica hands over.
var found = cause{Event: "found"}

// enqueue adds an item to the queue. Before the queue exists, it does nothing.
func (c *Controller[T]) enqueue(it queue.Item, why cause) {
	q := c.queue.Load()
	if q == nil {
		return
	}
	if logger := q.Logger.V(4); logger.Enabled() {
		logger.Info("Queued", "object", it.Name, "resource", why.Resource, "event", why.Event, "urgent", it.Urgent)
	}
	q.Enqueue(it, why)
}

// changed enqueues an object of the kind that has changed.
func (c *Controller[T]) changed(e caches.Event[T]) {
	for _, observer := range c.refs.observers {
		e.Each(observer)
	}
	if e.Event == progress.Updated {
		change := reconcile.Change{From: e.Before.GetResourceVersion(), To: e.After.GetResourceVersion()}
		matters := !c.settings.specOnly || matters(e.Before, e.After) || c.gate.Rule.Changed(e.Before, e.After)
		if !c.writes.Echoes.Updated(e.Name, change, matters) {
			return
		}
	} else {
		c.writes.Echoes.Forget(e.Name)
		if e.Event == progress.Deleted && !c.isGone(e.Name, e.Before) {
			return
		}
	}
	c.enqueue(queue.Item{Name: e.Name, Urgent: !e.Initial}, e.Cause)
}

// matters reports whether an update changes more than the status and metadata that reconcilers ignore. Updates of
// objects without a generation always matter.
func matters[T Object](before, after T) bool {
	return after.GetGeneration() == 0 || before.GetGeneration() != after.GetGeneration() || before.GetUID() != after.GetUID() ||
		(before.GetDeletionTimestamp() == nil) != (after.GetDeletionTimestamp() == nil) ||
		!slices.Equal(before.GetFinalizers(), after.GetFinalizers())
}
