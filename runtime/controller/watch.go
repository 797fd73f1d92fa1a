package controller

import (
	"context"
	"maps"
	"slices"

	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/faults"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/queue"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Predicate reports whether a change of an object matters. It is not asked about new and deleted objects, which always matter, nor about
// an object that replaces another one of the same name.
type Predicate[O Object] func(before, after O) bool

// GenerationChanged is a [Predicate] for changes of the spec. Objects without a generation always match.
func GenerationChanged[O Object](before, after O) bool {
	return after.GetGeneration() == 0 || before.GetGeneration() != after.GetGeneration()
}

// LabelsChanged is a [Predicate] for changes of labels.
func LabelsChanged[O Object](before, after O) bool {
	return !maps.Equal(before.GetLabels(), after.GetLabels())
}

// AnnotationsChanged is a [Predicate] for changes of annotations.
func AnnotationsChanged[O Object](before, after O) bool {
	return !maps.Equal(before.GetAnnotations(), after.GetAnnotations())
}

// DeletionStarted is a [Predicate] for objects that begin to be deleted.
func DeletionStarted[O Object](before, after O) bool {
	return (before.GetDeletionTimestamp() == nil) != (after.GetDeletionTimestamp() == nil)
}

// Watch makes a controller watch the objects of a source: each change enqueues the objects that names returns for the object before
// and after it. Empty names are ignored. If there are predicates, updates only count if one of them matches. The informer comes from
// the controller's factory, see [informer.For], with the options of [WithReferred]. Run waits until it has synced, and so does
// HasSynced. Watch must be called before Run. For references that objects have in a field, [Refer] does more.
// If names or a predicate panics, the panic is counted and passed to apimachinery's panic handlers, and the change enqueues nothing.
func Watch[O, T Object](
	c *Controller[T], source informer.Source[O], names func(O) []cache.ObjectName, predicates ...Predicate[O],
) (*informer.Informer[O], error) {
	if c.life.started.Load() {
		return nil, c.errorf("already started: call Watch before Run")
	}
	objects := referred(c, source)
	if err := c.whole().Err(); err != nil {
		return nil, c.errorf("%w", err)
	}
	names = faults.Guarded(c.settings.name, c.panicked, names)
	matters := faults.Guarded(c.settings.name, c.panicked, func(change [2]O) bool {
		return len(predicates) == 0 || slices.ContainsFunc(predicates, func(p Predicate[O]) bool { return p(change[0], change[1]) })
	})
	caches.Watch(c.caches, objects, source.Fields(), func(e caches.Event[O]) {
		// An object that was replaced is seen as updated if a watch was broken in between.
		if e.Event != progress.Updated || e.Before.GetUID() != e.After.GetUID() || matters([2]O{e.Before, e.After}) {
			enqueueNamed(c, e, names)
		}
	})
	return objects, nil
}

// enqueueNamed enqueues the objects that names returns for the object before and after an event.
func enqueueNamed[O, T Object](c *Controller[T], e caches.Event[O], names func(O) []cache.ObjectName) {
	seen := map[cache.ObjectName]bool{}
	e.Each(func(object O) {
		for _, name := range names(object) {
			if name.Name != "" && !seen[name] {
				seen[name] = true
				c.enqueue(queue.Item{Name: name, Urgent: !e.Initial}, e.Cause)
			}
		}
	})
}

// WatchChannel makes a controller receive events, such as events of a system outside of the cluster: each enqueues the objects that names
// returns for it. Events are received from the start of Run until the channel is closed, also after Run has returned, so that senders
// never hang. They are dropped unless the controller reconciles: Run starts with all objects anyway. If the channel is never closed, a
// goroutine receives forever. WatchChannel must be called before Run.
func WatchChannel[E any, T Object](
	c *Controller[T], events <-chan E, names func(event E) []cache.ObjectName, options ...ChannelOption,
) error {
	if err := c.checkChannel(options); err != nil {
		return err
	}
	if c.life.started.Load() {
		return c.errorf("already started: call WatchChannel before Run")
	}
	names = faults.Guarded(c.settings.name, c.panicked, names)
	receive := func() {
		for event := range events {
			if !c.HasSynced() {
				continue
			}
			for _, name := range names(event) {
				c.enqueue(queue.Item{Name: name, Urgent: true}, cause{Event: "channel"})
			}
		}
	}
	c.caches.Attach(func(context.Context) (end func()) {
		go receive()
		return func() {} // Run may return before the channel is closed
	})
	return nil
}
