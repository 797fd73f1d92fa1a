// Package consistency lets reconcilers read their own writes from caches.
//
// Caches lag behind. A reconcile that does not see the writes of the previous one would create children twice. So a [Tracker]
// records the writes of a reconcile, and says whether the caches have them before the next one:
//
//	if !tracker.Ready(name) { // writes of the last reconcile are pending
//		tracker.Notify(name, func() { queue.Add(name) })
//		return
//	}
//	ctx, session := tracker.Begin(ctx, name)
//	defer session.End()
//	… // reconcile
//
// Items that wait occupy no worker. They are added to the queue again by the events about the objects that were written.
// [Tracker.WaitFor] blocks instead. After a minute, see [WithTimeout], an item is ready anyway. Package controller does all of
// that; this package is for reconcilers that have a work queue of their own.
//
// # What is recorded
//
// A [Session] records the writes of one reconcile. It is in the context: [Wrote], [Deleted] and [Record] find it there. A [Client]
// wraps any typed client and records all that it writes; [Apply] does so for server-side apply.
//
// [Watch] says which informers count. Writes to objects of other kinds are ignored, as are writes in namespaces that the informer
// does not watch, and new objects that its selectors leave out: no event would come about them. Deletions and NotFound answers of
// the server count as writes: the cache must lose the object.
//
// # client-go's informers
//
// [WatchShared] takes the informers of client-go's factories, so that a controller needs no other change than the calls above. The
// example ClientGo is such a controller. It needs client-go v0.36 or later, whose caches know their resource version. If the feature
// AtomicFIFO of client-go is disabled, only the cached object itself shows that a write has arrived.
//
// # When a write has arrived
//
// A write is pending until the informer has reached its resource version in the namespace, or the cache has the object in that or a
// later version. The namespaces of an informer are independent: one may lag behind another. After a restore of the API server from
// a backup, resource versions are lower than before; writes that were recorded since then are waited for as usual. Objects without
// a resource version, such as objects of fake clientsets that are not strict, are never waited for.
//
// # Concurrency
//
// Everything may be called concurrently, also from event handlers. A tracker calls functions of its user without holding a lock.
// Sessions of the same item must not overlap.
package consistency
