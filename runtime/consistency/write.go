package consistency

import (
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// Write is a write that a session recorded.
type Write struct {
	Resource schema.GroupVersionResource
	Object   cache.ObjectName
	// ResourceVersion is the version that was written or, of a deleted object, the last known one.
	ResourceVersion string
	// Deleted is set if the object was deleted.
	Deleted bool
	// Replaced is the version that the write replaced, see [Session.Replaced]. Of other writes, it is empty.
	Replaced string

	cache *Cache
	// object is as it was written.
	object  metav1.Object
	uid     types.UID
	version uint64
	// known is set if the cache held the object at the time of the write.
	known bool
	// released is set if the write took the last finalizer of an object that was being deleted: nothing keeps it any more.
	released bool
}

// String returns a form such as "deployments.apps shop/web at resource version 7".
func (w Write) String() string {
	if w.Deleted {
		return fmt.Sprintf("the deletion of %s %s", w.Resource.GroupResource(), w.Object)
	}
	return fmt.Sprintf("%s %s at resource version %s", w.Resource.GroupResource(), w.Object, w.ResourceVersion)
}

// arrived reports whether the cache has the object in the version that was written, or in a later one.
//
// The version that the cache has reached decides, not the versions of events: after a restore from a backup, old events have higher
// versions than new writes.
func (w Write) arrived() bool {
	namespace := w.Object.Namespace
	if !w.cache.watches(namespace) || !w.known && !w.cache.inShards(w.object) {
		return true // since the write, the informer has stopped watching the namespace or the shard
	}
	if !w.Deleted && parseVersion(w.cache.reached(namespace)) >= w.version {
		return true
	}
	cached := w.cache.Get(w.Object)
	switch {
	case cached == nil:
		return w.Deleted || w.known
	case w.Deleted:
		return cached.GetUID() != w.uid || !w.released && cached.GetDeletionTimestamp() != nil
	}
	return versionOf(cached) >= w.version
}

// isReleased reports whether a write has removed the object that it returned: the API server deletes an object that is being deleted
// and has no finalizers. It then answers with the version that the object had before.
func isReleased(object metav1.Object) bool {
	grace := object.GetDeletionGracePeriodSeconds()
	return object.GetDeletionTimestamp() != nil && len(object.GetFinalizers()) == 0 && (grace == nil || *grace == 0)
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
