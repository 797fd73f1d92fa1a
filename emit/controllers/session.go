package controllers

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

// session is the context of one reconcile. It records the reconcile's writes.
type session struct {
	context.Context
	item  cache.ObjectName
	id    reconcileID
	known *knowledge

	lock   sync.Mutex
	writes []write
}

// knowledge is the part of a controller that its sessions need.
type knowledge struct {
	// watches must sync before Run reconciles.
	watches []*watcher
	waiters waiters
}

// reconcileID is the ID of an attempt.
type reconcileID uint64

// String implements fmt.Stringer.
func (id reconcileID) String() string { return fmt.Sprintf("%016x", uint64(id)) }

func (c *Controller[T]) newSession(ctx context.Context, name cache.ObjectName, id reconcileID) *session {
	return &session{Context: ctx, item: name, id: id, known: &c.known}
}

type sessionKey struct{}

// Value implements context.Context. It creates the logger of the reconcile on demand: most reconciles log nothing.
func (s *session) Value(key any) any {
	switch key {
	case sessionKey{}:
		return s
	case loggerKey:
		return klog.LoggerWithValues(klog.FromContext(s.Context), "object", s.item, "reconcileID", s.id)
	}
	return s.Context.Value(key)
}

func sessionFrom(ctx context.Context) *session {
	s, _ := ctx.Value(sessionKey{}).(*session)
	return s
}

// loggerKey is the key that klog uses to find the logger of a context.
var loggerKey = func() any {
	asked := &keyRecorder{Context: context.Background()}
	_ = klog.FromContext(asked)
	return asked.key
}()

// keyRecorder is a context that records the key that its Value was last called with.
type keyRecorder struct {
	context.Context
	key any
}

// Value implements context.Context.
func (r *keyRecorder) Value(key any) any {
	r.key = key
	return nil
}

// cacheOf returns the cache of objects of a type in a namespace, or nil if the controller does not watch them.
func (s *session) cacheOf(object reflect.Type, namespace string) *watcher {
	if s == nil {
		return nil
	}
	for _, w := range s.known.watches {
		if w.objects == object && covers(w.probe.namespaces, namespace) {
			return w
		}
	}
	return nil
}

func (s *session) record(object metav1.Object, gone bool) {
	w := s.cacheOf(reflect.TypeOf(object), object.GetNamespace())
	version := versionOf(object)
	if w == nil || version == 0 {
		return // fake clientsets have no resource versions
	}
	name := cache.NewObjectName(object.GetNamespace(), object.GetName())
	cached := w.cached(name)
	known := cached != nil && cached.GetUID() == object.GetUID()
	s.lock.Lock()
	defer s.lock.Unlock()
	s.writes = append(s.writes, write{waitKey{w, name}, object.GetUID(), version, gone, known})
}

// unseen returns the writes that the caches do not have yet.
func (s *session) unseen() []write {
	s.lock.Lock()
	defer s.lock.Unlock()
	return slices.DeleteFunc(s.writes, write.seen)
}
