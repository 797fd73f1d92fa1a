package controllers

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

// A reconcile must not run on caches that have not seen the writes of the previous reconcile: it would write them again. So
// the resource versions of all writes are kept until the caches have reached them, as in KEP-5647.

// Wrote records an object that the reconcile of ctx has written, as the API server returned it. The next reconcile is held
// back until the cache has this version, see WithConsistencyTimeout. Sync and the helpers for status and finalizers call
// Wrote. It has no effect for objects of kinds that the controller does not watch, and outside of reconciles.
func Wrote(ctx context.Context, object metav1.Object) {
	if s := sessionFrom(ctx); s != nil {
		s.record(object, false)
	}
}

// Deleted records an object that the reconcile of ctx has deleted, or that the API server no longer has. The next reconcile is
// held back until the object is gone from the cache, or has a deletion timestamp there if finalizers keep it.
func Deleted(ctx context.Context, object metav1.Object) {
	if s := sessionFrom(ctx); s != nil {
		s.record(object, true)
	}
}

// Record calls Wrote for the result of a request that changes an object, or Deleted if the object was not found. It returns
// the error of the request.
func Record(ctx context.Context, object, written metav1.Object, err error) error {
	switch {
	case err == nil:
		Wrote(ctx, written)
	case IsNotFound(err):
		Deleted(ctx, object)
	}
	return err
}

// write is a write to an object that a cache should hold.
type write struct {
	key     waitKey
	uid     types.UID
	version uint64
	// gone is set if the object was deleted. The version is then that of the object before its deletion.
	gone bool
	// known is set if the cache held the object at the time of the write.
	known bool
}

// seen reports whether the cache has the object in the version that was written, or in a later one.
func (w write) seen() bool {
	if !w.gone && w.key.watch.version(w.key.object.Namespace) >= w.version {
		return true
	}
	cached := w.key.watch.cached(w.key.object)
	switch {
	case cached == nil:
		return w.gone || w.known
	case w.gone:
		return cached.GetUID() != w.uid || cached.GetDeletionTimestamp() != nil
	}
	return versionOf(cached) >= w.version
}

// versionOf returns the resource version of an object, or 0 if it cannot be compared. Versions of one resource are ordered as
// numbers, see KEP-5504.
func versionOf(object metav1.Object) uint64 { return parseVersion(object.GetResourceVersion()) }

func parseVersion(resourceVersion string) uint64 {
	version, err := strconv.ParseUint(resourceVersion, 10, 64)
	if err != nil {
		return 0
	}
	return version
}

// unseen has, by item, the writes that caches did not have at the end of the item's last reconcile, and the items that are
// held back for them. The zero value is ready to use.
type unseen struct {
	// count is the number of items with writes. Reconciles only take the lock if it is not 0.
	count  atomic.Int64
	lock   sync.Mutex
	writes map[cache.ObjectName][]write
	held   map[cache.ObjectName]*hold
}

// hold is an item that is held back.
type hold struct {
	since time.Time
	// waits are the objects whose events enqueue the item.
	waits []waitKey
	// recheck enqueues the item after a while, in case there is no event about the objects.
	recheck *time.Timer
}

// recheckPeriod is how often held items are checked in the absence of events.
const recheckPeriod = time.Second

func (u *unseen) add(name cache.ObjectName, writes []write) {
	u.lock.Lock()
	defer u.lock.Unlock()
	if u.writes == nil {
		u.writes, u.held = map[cache.ObjectName][]write{}, map[cache.ObjectName]*hold{}
	}
	u.writes[name] = append(u.writes[name], writes...)
	u.count.Store(int64(len(u.writes)))
}

// left returns the writes of an item that are still unseen, and the hold of the item, or nil if it is not held back. It
// returns false if the last reconcile left nothing unseen.
func (u *unseen) left(name cache.ObjectName) ([]write, *hold, bool) {
	if u.count.Load() == 0 {
		return nil, nil, false
	}
	u.lock.Lock()
	defer u.lock.Unlock()
	writes, ok := u.writes[name]
	if !ok {
		return nil, nil, false
	}
	writes = slices.DeleteFunc(writes, write.seen)
	u.writes[name] = writes
	return writes, u.held[name], true
}

// hold holds an item back. The function recheck must enqueue it.
func (u *unseen) hold(name cache.ObjectName, now time.Time, recheck func()) *hold {
	u.lock.Lock()
	defer u.lock.Unlock()
	u.held[name] = &hold{since: now, recheck: time.AfterFunc(recheckPeriod, recheck)}
	return u.held[name]
}

// release drops the writes of an item, and its hold.
func (u *unseen) release(name cache.ObjectName) {
	u.lock.Lock()
	defer u.lock.Unlock()
	delete(u.writes, name)
	delete(u.held, name)
	u.count.Store(int64(len(u.writes)))
}

// stop ends all rechecks.
func (u *unseen) stop() {
	u.lock.Lock()
	defer u.lock.Unlock()
	for _, held := range u.held {
		held.recheck.Stop()
	}
}

// keepUnseen keeps the writes of a reconcile that the caches do not have, unless the object is gone: it would never be
// reconciled again, so its writes would never be forgotten.
func (c *Controller[T]) keepUnseen(name cache.ObjectName, s *session) {
	writes := s.unseen()
	if len(writes) == 0 || c.settings.consistencyTimeout == 0 {
		return
	}
	if _, err := c.cached(name); err == nil {
		c.unseen.add(name, writes)
	}
}

// heldBack is the cause of items that are queued because caches may now have the writes of their last reconcile.
var heldBack = cause{event: "held back"}

// holdBack reports whether an item must not be reconciled yet, because caches do not have the writes of its last reconcile.
// Events about the objects that were written enqueue the item again.
func (c *Controller[T]) holdBack(ctx context.Context, it item) bool {
	writes, held, ok := c.unseen.left(it.name)
	if !ok {
		return false
	}
	if len(writes) == 0 {
		c.endHold(it.name, held, false)
		return false
	}
	logger, s := klog.LoggerWithValues(klog.FromContext(ctx), "object", it.name), c.settings
	if held == nil {
		logger.V(4).Info("Held back until caches have the writes of the last reconcile", "writes", len(writes))
		held = c.unseen.hold(it.name, s.clock.Now(), func() { c.enqueue(it, heldBack) })
	}
	if s.clock.Since(held.since) >= s.consistencyTimeout {
		first := writes[0].key
		logger.Info("Caches are behind the writes of the last reconcile, reconciling anyway",
			"after", s.consistencyTimeout, "resource", first.watch.probe.resource, "written", first.object)
		c.endHold(it.name, held, true)
		return false
	}
	for _, w := range writes {
		c.known.waiters.add(w.key, it)
		if !slices.Contains(held.waits, w.key) { // from an earlier check
			held.waits = append(held.waits, w.key)
		}
	}
	if !slices.ContainsFunc(writes, func(w write) bool { return !w.seen() }) {
		c.endHold(it.name, held, false) // they have arrived in the meantime
		return false
	}
	held.recheck.Reset(recheckPeriod)
	return true
}

// endHold releases an item, if it is held back.
func (c *Controller[T]) endHold(name cache.ObjectName, held *hold, stale bool) {
	c.unseen.release(name)
	if held == nil {
		return
	}
	held.recheck.Stop()
	for _, key := range held.waits {
		c.known.waiters.remove(key, name)
	}
	c.settings.metrics.HeldBack(c.settings.name, c.settings.clock.Since(held.since), stale)
}
