package controller

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/queue"
)

// A reconcile must not run on caches that have not seen the writes of the previous reconcile: it would write them again. So
// the writes that are pending hold an item back, see package consistency.

// Wrote records an object that the reconcile of ctx has written, as the API server returned it. The next reconcile is held
// back until the cache has this version, see WithConsistencyTimeout. Sync and the helpers for status and finalizers call
// Wrote. It has no effect for objects of kinds that the controller does not watch, and outside of reconciles.
func Wrote(ctx context.Context, object metav1.Object) { consistency.Wrote(ctx, object) }

// Deleted records an object that the reconcile of ctx has deleted, or that the API server no longer has. The next reconcile is
// held back until the object is gone from the cache, or has a deletion timestamp there if finalizers keep it.
func Deleted(ctx context.Context, object metav1.Object) { consistency.Deleted(ctx, object) }

// Record calls Wrote for the result of a request that changes an object, or Deleted if the object was not found. It returns
// the error of the request.
func Record(ctx context.Context, object, written metav1.Object, err error) error {
	return consistency.Record(ctx, object, written, err)
}

// catchUp waits for the writes of the previous leader: before that, the caches may lack children that it has created.
func (c *Controller[T]) catchUp(ctx context.Context) {
	if c.settings.handover == nil {
		return
	}
	behind := c.settings.handover.CatchUp(ctx, c.settings.name, c.writes.Tracker)
	if len(behind) > 0 && ctx.Err() == nil {
		klog.FromContext(ctx).Info("Caches are behind the writes of the previous leader, reconciling anyway",
			"after", c.settings.consistencyTimeout, "written", behind)
	}
}

// holdBack reports whether an item must not be reconciled yet, because writes of its last reconcile are pending. Events about the
// objects that were written enqueue the item again.
func (c *Controller[T]) holdBack(ctx context.Context, it queue.Item) bool {
	if c.writes.Ready(it.Name) {
		return false
	}
	if logger := klog.FromContext(ctx).V(4); logger.Enabled() {
		logger.Info("Held back until caches have the writes of the last reconcile", "object", it.Name,
			"pending", len(c.writes.Pending(it.Name)))
	}
	c.progress.Held(it.Name, it.Origin)
	c.writes.Notify(it.Name, func() { c.enqueue(it, cause{Event: "held back"}) })
	return true
}

// released reports that an item is no longer held back.
func (c *Controller[T]) released(r consistency.Release) {
	stale := len(r.Pending) > 0
	if q := c.queue.Load(); q != nil && stale {
		q.Logger.Info("Caches are behind the writes of the last reconcile, reconciling anyway", "object", r.Item,
			"after", c.settings.consistencyTimeout, "resource", r.Pending[0].Resource.GroupResource(), "written", r.Pending[0].Object)
	}
	c.settings.metrics.HeldBack(c.settings.name, r.Waited, stale)
}
