package sharing

import (
	"context"
	"hash/fnv"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Entry is a reconcile of an object of an open bucket.
type Entry struct {
	// UID is the object's. It is empty for a name whose object is gone.
	UID types.UID

	share   *Share
	name    cache.ObjectName
	bucket  int
	cancel  context.CancelCauseFunc
	refused chan struct{}
}

// refuse ends the contexts of an entry. The caller holds the lock of the share.
func (e *Entry) refuse(cause error) {
	select {
	case <-e.refused:
	default:
		close(e.refused)
		e.cancel(cause)
	}
}

// key is the key of entries in contexts.
type key struct{}

// Refused reports whether a context belongs to a reconcile that must not write any more, because its bucket has moved on. Contexts that are
// derived from it without its end count, too.
func Refused(ctx context.Context) bool {
	entry, ok := ctx.Value(key{}).(*Entry)
	if !ok {
		return false
	}
	select {
	case <-entry.refused:
		return true
	default:
		return false
	}
}

// Enter begins the reconcile of an object. It returns nil if another replica has the object, or if this one has not listed the bucket: then
// the object is queued when it has. Leave must be called when the reconcile has returned.
func (s *Share) Enter(ctx context.Context, name cache.ObjectName, uid types.UID, urgent bool) (context.Context, *Entry) {
	s.lock.Lock()
	defer s.lock.Unlock()
	bucket := int(informer.BucketOf(uid))
	if s.states[bucket] == opening {
		s.parked[name] = parked{bucket, urgent}
	}
	delete(s.gone, name)
	return s.enter(ctx, &Entry{UID: uid, name: name, bucket: bucket})
}

// EnterGone begins the reconcile of a name without an object in the caches. It returns nil unless the deletion of an object was seen
// in a bucket that is open.
func (s *Share) EnterGone(ctx context.Context, name cache.ObjectName) (context.Context, *Entry) {
	s.lock.Lock()
	defer s.lock.Unlock()
	bucket, ok := s.gone[name]
	if !ok {
		return ctx, nil
	}
	return s.enter(ctx, &Entry{name: name, bucket: bucket})
}

// enter adds an entry if its bucket is open. The caller holds the lock.
func (s *Share) enter(ctx context.Context, entry *Entry) (context.Context, *Entry) {
	if s.states[entry.bucket] != open {
		return ctx, nil
	}
	entry.share, entry.refused = s, make(chan struct{})
	ctx, entry.cancel = context.WithCancelCause(context.WithValue(ctx, key{}, entry))
	s.entries[entry] = struct{}{}
	return ctx, entry
}

// Leave ends a reconcile. Nil is a reconcile without a share.
func (e *Entry) Leave() {
	if e == nil {
		return
	}
	e.share.lock.Lock()
	defer e.share.lock.Unlock()
	e.cancel(nil)
	delete(e.share.entries, e)
	if len(e.share.closings) > 0 {
		e.share.settle()
	}
}

// Reported forgets a deletion: it was reported, or the name has another object.
func (e *Entry) Reported() {
	e.share.lock.Lock()
	defer e.share.lock.Unlock()
	delete(e.share.gone, e.name)
}

// Deleted notes that an object has left the caches. It reports whether this replica has its bucket, so that the name has to be reconciled.
func (s *Share) Deleted(name cache.ObjectName, uid types.UID) bool {
	return s.note(name, int(informer.BucketOf(uid)))
}

// Lost notes the name of an object of an earlier run that may be gone. It reports whether this replica has to find out: the bucket of
// the name decides, since nobody knows the UID.
func (s *Share) Lost(name cache.ObjectName) bool { return s.note(name, bucketOfName(name)) }

func (s *Share) note(name cache.ObjectName, bucket int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	if state := s.states[bucket]; state != open && state != opening {
		return false
	}
	s.gone[name] = bucket
	return true
}

// bucketOfName returns the bucket of a name.
func bucketOfName(name cache.ObjectName) int {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name.String()))
	return int(hash.Sum32() % Buckets)
}
