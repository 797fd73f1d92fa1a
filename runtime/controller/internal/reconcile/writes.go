package reconcile

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
)

// Writes knows the writes of the reconciles of a controller. That has two uses: an item is held back until the caches have the writes
// of its last reconcile, and events that only answer them do not enqueue it.
type Writes struct {
	*consistency.Tracker

	Echoes   Filter
	resource schema.GroupVersionResource
}

// NewWrites returns a Writes for reconciles of objects of a resource.
func NewWrites(resource schema.GroupVersionResource, options ...consistency.Option) *Writes {
	return &Writes{Tracker: consistency.NewTracker(options...), resource: resource}
}

// Begin begins a reconcile of an item. The context has the session, which records writes.
func (w *Writes) Begin(ctx context.Context, item cache.ObjectName) (context.Context, *consistency.Session) {
	w.Echoes.Begin(item)
	return w.Tracker.Begin(ctx, item)
}

// End ends a reconcile. It keeps the writes that are pending, unless the object of the item is gone: it would never be reconciled again,
// so its writes would never be forgotten. It reports whether an event of somebody else came during the reconcile.
func (w *Writes) End(item cache.ObjectName, session *consistency.Session, isGone func(cache.ObjectName) bool) (foreign bool) {
	writes := session.Writes()
	var own []Change
	for _, one := range writes {
		if one.Resource == w.resource && one.Object == item {
			own = append(own, Change{From: one.Replaced, To: one.ResourceVersion})
		}
	}
	foreign = w.Echoes.End(item, own...)
	switch {
	case len(writes) == 0:
	case isGone(item):
		w.Echoes.Forget(item)
		w.Forget(item)
	default:
		session.End()
	}
	return foreign
}

// Wrote records a write outside of reconciles: the item is held back until the caches have it.
func (w *Writes) Wrote(item cache.ObjectName, object metav1.Object) {
	_, session := w.Tracker.Begin(context.Background(), item)
	session.Wrote(object)
	session.End()
}
