package controller

import (
	"context"
	"maps"
	"slices"

	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/faults"
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
	if c.started.Load() {
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
	resource := source.Resource().GroupResource().String()
	wake := func(event string, urgent bool, names ...cache.ObjectName) {
		for _, name := range names {
			if name.Name == "" {
				continue
			}
			c.enqueue(queue.Item{Name: name, Urgent: urgent}, cause{Resource: resource, Event: event})
		}
	}
	caches.Watch(c.caches, objects, source.Fields(), informer.HandlerFuncs[O]{
		Added: func(object O, initial bool) { wake("added", !initial, names(object)...) },
		Updated: func(before, after O) {
			replaced := before.GetUID() != after.GetUID() // seen as an update if a watch was broken in between
			if repeated(before, after) || !replaced && !matters([2]O{before, after}) {
				return
			}
			is := names(after)
			wake("updated", true, is...)
			wake("updated", true, slices.DeleteFunc(names(before), func(name cache.ObjectName) bool { return slices.Contains(is, name) })...)
		},
		Deleted: func(_ cache.ObjectName, last O) {
			if any(last) != any(*new(O)) {
				wake("deleted", true, names(last)...)
			}
		},
	})
	return objects, nil
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
	if c.started.Load() {
		return c.errorf("already started: call WatchChannel before Run")
	}
	names = faults.Guarded(c.settings.name, c.panicked, names)
	c.attached = append(c.attached, receiver(func() {
		for event := range events {
			if !c.HasSynced() {
				continue
			}
			for _, name := range names(event) {
				c.enqueue(queue.Item{Name: name, Urgent: true}, received)
			}
		}
	}))
	return nil
}

// receiver receives until a channel is closed.
type receiver func()

// Begin implements attachment.
func (r receiver) Begin(context.Context) { go r() }

// End implements attachment. It does not wait, because Run may return before the channel is closed.
func (receiver) End() {}
