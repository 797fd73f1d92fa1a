package consistency

import (
	"context"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/absent"
)

// Session records the writes of one reconcile of an item, from [Tracker.Begin] until End. Its methods may be called concurrently. A
// nil session records nothing.
type Session struct {
	tracker *Tracker
	item    cache.ObjectName

	lock   sync.Mutex
	writes []Write
}

// sessionContext is a context with a session, in one allocation.
type sessionContext struct {
	context.Context

	session Session
}

type sessionKey struct{}

// Value implements context.Context.
func (c *sessionContext) Value(key any) any {
	if key == (sessionKey{}) {
		return &c.session
	}
	return c.Context.Value(key)
}

// Begin begins a session for an item. The context has the session, for [Wrote] and for clients that record, see [NewClient].
func (t *Tracker) Begin(ctx context.Context, item cache.ObjectName) (context.Context, *Session) {
	c := &sessionContext{Context: ctx, session: Session{tracker: t, item: item}}
	return c, &c.session
}

// FromContext returns the session of a context, or nil if it has none.
func FromContext(ctx context.Context) *Session {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	return s
}

// Wrote records an object that was written, as the API server returned it. The item of the session is not ready until the caches
// have this version. Wrote has no effect for objects without a resource version, as in fake clientsets, of kinds that the
// tracker does not watch, and of namespaces that the informer does not watch, and for new objects that the selectors of the
// informer leave out. An object that lost its last finalizer while it was being deleted counts as deleted.
func (s *Session) Wrote(object metav1.Object) { s.record(object, "", false) }

// Replaced is Wrote for a request that carried a resource version as a precondition, and that changed nothing but the status or the
// finalizers. The event from this version to the written version has nothing that the reconcile does not know: a controller
// ignores it. If the version is empty, Replaced is the same as Wrote.
func (s *Session) Replaced(version string, object metav1.Object) { s.record(object, version, false) }

// Deleted records an object that was deleted, or that the API server no longer has. The item of the session is not ready until the
// object is gone from the cache, or has a deletion timestamp there if finalizers keep it.
func (s *Session) Deleted(object metav1.Object) { s.record(object, "", true) }

func (s *Session) record(object metav1.Object, replaced string, deleted bool) {
	if s == nil {
		return
	}
	for _, c := range s.tracker.cachesOf(object) {
		w, ok := c.write(object, deleted)
		if !ok {
			if s.tracker.unselected != nil && !deleted && !c.selects(object) {
				s.tracker.unselected(s.item, object)
			}
			continue
		}
		if !w.Deleted {
			w.Replaced = replaced
			s.tracker.written.note(c.scopeOf(object.GetNamespace()), w.version, s.tracker.clock.Now())
		}
		s.lock.Lock()
		s.writes = append(s.writes, w)
		s.lock.Unlock()
	}
}

// Writes returns the writes of the session.
func (s *Session) Writes() []Write {
	if s == nil {
		return nil
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	return slices.Clone(s.writes)
}

// Pending returns the writes of the session that the caches do not have yet.
func (s *Session) Pending() []Write {
	return slices.DeleteFunc(s.Writes(), Write.arrived)
}

// End ends the session: from now on, [Tracker.Ready] waits for the writes that are pending. If the object of the item is gone, call
// [Tracker.Forget] instead.
func (s *Session) End() {
	if s == nil || s.tracker.timeout == 0 {
		return
	}
	if pending := s.Pending(); len(pending) > 0 {
		s.tracker.keep(s.item, pending)
	}
}

// Wrote is [Session.Wrote] for the session of ctx. Without a session, it has no effect.
func Wrote(ctx context.Context, object metav1.Object) { FromContext(ctx).Wrote(object) }

// Replaced is [Session.Replaced] for the session of ctx. Without a session, it has no effect.
func Replaced(ctx context.Context, version string, object metav1.Object) {
	FromContext(ctx).Replaced(version, object)
}

// Deleted is [Session.Deleted] for the session of ctx. Without a session, it has no effect.
func Deleted(ctx context.Context, object metav1.Object) { FromContext(ctx).Deleted(object) }

// Record calls Wrote for the result of a request that changes an object, or Deleted if the object was not found. It returns the
// error of the request.
func Record(ctx context.Context, object, written metav1.Object, err error) error {
	FromContext(ctx).note(object, written, err)
	return err
}

// note records the outcome of a request.
func (s *Session) note(object, written metav1.Object, err error) {
	switch {
	case err == nil:
		s.Wrote(written)
	case absent.Is(err):
		s.Deleted(object)
	}
}
