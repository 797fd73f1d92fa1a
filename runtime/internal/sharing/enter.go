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

// Enter begins the reconcile of the object with a name and a UID, which is empty if the caches have none. It returns false if another
// replica has the object, if this one has not listed the bucket, so that the object is queued when it has, or if no object of the
// name was deleted in an open bucket. Leave must be called when the reconcile has returned.
func (s *Share) Enter(ctx context.Context, name cache.ObjectName, uid types.UID, urgent bool) (context.Context, *Entry, bool) {
	if s == nil {
		return ctx, nil, true
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	bucket := int(informer.BucketOf(uid))
	if uid == "" {
		gone, ok := s.gone[name]
		if !ok {
			return ctx, nil, false
		}
		bucket = gone
	} else {
		delete(s.gone, name)
	}
	if s.states[bucket] == opening {
		s.parked[name] = parked{bucket, urgent}
	}
	if s.states[bucket] != open {
		return ctx, nil, false
	}
	entry := &Entry{UID: uid, share: s, name: name, bucket: bucket, refused: make(chan struct{})}
	ctx, entry.cancel = context.WithCancelCause(context.WithValue(ctx, key{}, entry))
	s.entries[entry] = struct{}{}
	return ctx, entry, true
}

// IsOther reports whether a UID is not the one of the object with which the reconcile has begun. That object has been replaced, for which
// there will be an event.
func (e *Entry) IsOther(uid types.UID) bool { return e != nil && e.UID != uid }

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
	return s == nil || s.note(name, int(informer.BucketOf(uid)))
}

// Lost notes the name of an object of an earlier run that may be gone. It reports whether this replica has to find out: the bucket of
// the name decides, since nobody knows the UID.
func (s *Share) Lost(name cache.ObjectName) bool { return s == nil || s.note(name, bucketOfName(name)) }

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
