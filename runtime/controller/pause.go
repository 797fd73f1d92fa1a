package controller

import (
	"cmp"

	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/pause"
)

// PauseOption configures [WithPause].
type PauseOption func(*pause.Rule)

// PauseDeletion pauses objects that are being deleted, too: Finalize is not called, so an object with a finalizer stays in Terminating
// until the annotation is removed. By default, deletions go on.
func PauseDeletion() PauseOption { return func(r *pause.Rule) { r.Deletion = true } }

// WithPause pauses the objects that have an annotation, such as "example.com/paused", whatever its value, but for "false". The reconciler
// is not called for a paused object, its timers and retries have no effect, and nothing that it owns is written or labeled. Adding and
// removing the annotation enqueues the object, also with [WithGenerationFilter]. ReconcileDeleted is called as for other objects.
//
// If the type has status.conditions, a list of metav1.Condition, and the client has UpdateStatus, a paused object has the condition Paused,
// which is written by the field manager "<name of the controller>-pause" and removed by the controller when the object goes on. For all
// kinds, there are an event, the outcome [OutcomePaused], a metric, and the state [ObjectPaused].
//
// The empty annotation pauses nothing, and makes an exception from manager.WithPause.
func WithPause(annotation string, options ...PauseOption) Option {
	rule := &pause.Rule{Annotation: annotation}
	for _, option := range options {
		option(rule)
	}
	return func(s *settings) { s.pause = rule }
}

// WithDefaultPause is [WithPause] for a controller that has no other one before or after it. A manager passes it to all of its controllers.
func WithDefaultPause(annotation string, options ...PauseOption) Option {
	with := WithPause(annotation, options...)
	return func(s *settings) {
		if s.pause == nil {
			with(s)
		}
	}
}

// newGate returns what keeps paused objects from being reconciled.
func (c *Controller[T]) newGate() pause.Gate[T] {
	s := c.settings
	return pause.Gate[T]{
		Rule: *cmp.Or(s.pause, &pause.Rule{}), Source: c.objects.Source(), Controller: s.name, Recorder: s.recorder,
		Progress: c.progress, Clock: s.clock,
	}
}

// isPaused reports whether the object of an item is paused, as far as the cache knows.
func (c *Controller[T]) isPaused(item cache.ObjectName) bool {
	object, err := c.objects.Get(item)
	return err == nil && c.gate.Rule.Pauses(object)
}
