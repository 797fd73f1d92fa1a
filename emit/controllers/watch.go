package controllers

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

// watcher is an event handler of an informer.
type watcher struct {
	// objects is the type of the objects in the cache.
	objects reflect.Type

	informer     cache.SharedIndexInformer
	handler      cache.ResourceEventHandler
	registration cache.ResourceEventHandlerRegistration
	lock         sync.Mutex
	// reached has the latest resource version that the handler has received, by namespace: an informer may watch namespaces
	// separately.
	reached map[string]uint64
	// done is closed when the handler has synced. It is nil with client-go before v0.36, which has no such channel.
	done  <-chan struct{}
	probe probe
}

func (w *watcher) register(logger klog.Logger) (err error) {
	var never time.Duration // resyncs do not depend on the factory, see WithResync
	w.registration, err = w.informer.AddEventHandlerWithOptions(w.handler, cache.HandlerOptions{Logger: &logger, ResyncPeriod: &never})
	if err != nil {
		return err
	}
	w.done = w.registration.HasSyncedChecker().Done() //emit:if SyncResults
	return nil
}

// cached returns an object from the cache, or nil.
func (w *watcher) cached(name cache.ObjectName) metav1.Object {
	stored, _, _ := w.informer.GetIndexer().GetByKey(name.String()) // fails only for other stores
	object, _ := stored.(metav1.Object)
	return object
}

// version returns a resource version that the cache has reached in a namespace: it has all changes up to that version.
func (w *watcher) version(namespace string) uint64 {
	w.lock.Lock()
	version := w.reached[namespace]
	w.lock.Unlock()
	version = max(version, parseVersion(w.informer.GetIndexer().LastStoreSyncResourceVersion())) //emit:if StoreVersions
	return version
}

// reach records the resource version of an event about an object in a namespace.
func (w *watcher) reach(namespace string, version uint64) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.reached == nil {
		w.reached = map[string]uint64{}
	}
	w.reached[namespace] = max(w.reached[namespace], version)
}

// synced reports whether the handler has received all objects of the initial list.
func (w *watcher) synced() bool { return w.registration.HasSynced() }

// wait waits until the handler has synced or ctx is done.
func (w *watcher) wait(ctx context.Context) {
	if w.done == nil {
		synced := func(context.Context) (bool, error) { return w.synced(), nil }
		_ = wait.PollUntilContextCancel(ctx, syncPoll, true, synced) // fails only because ctx is done
		return
	}
	select {
	case <-w.done:
	case <-ctx.Done():
	}
}

// unregister removes the handler, which may still be called for events that are being delivered.
func (w *watcher) unregister() {
	if w.registration != nil {
		_ = w.informer.RemoveEventHandler(w.registration) // fails only for handlers of other informers
		w.registration = nil
	}
}

// handler implements cache.ResourceEventHandler for objects of one type.
type handler[O Object] struct {
	added   func(object O, initial bool)
	updated func(before, after O)
	// deleted is called with the last known state of the object, which is nil if only its name is known.
	deleted func(name cache.ObjectName, last O)
	// seen is called after the other functions, with the resource version of the event, or 0 if it has none.
	seen func(name cache.ObjectName, version uint64)
}

// OnAdd implements cache.ResourceEventHandler.
func (h handler[O]) OnAdd(object any, initial bool) {
	if object, ok := object.(O); ok {
		h.added(object, initial)
		h.seen(nameOf(object), versionOf(object))
	}
}

// OnUpdate implements cache.ResourceEventHandler.
func (h handler[O]) OnUpdate(before, after any) {
	was, ok := before.(O)
	is, isObject := after.(O)
	if ok && isObject {
		h.updated(was, is)
		h.seen(nameOf(is), versionOf(is))
	}
}

// OnDelete implements cache.ResourceEventHandler.
func (h handler[O]) OnDelete(object any) {
	switch object := object.(type) {
	case O:
		h.deleted(nameOf(object), object)
		h.seen(nameOf(object), versionOf(object))
	case cache.DeletedFinalStateUnknown:
		// The informer missed the deletion itself.
		if name, err := cache.ParseObjectName(object.Key); err == nil {
			last, _ := object.Obj.(O)
			h.deleted(name, last)
			h.seen(name, 0)
		}
	}
}

// waitForSync returns an error if the handlers have not synced within the timeout, and nil if ctx is done first.
func waitForSync(ctx context.Context, watches []*watcher, timeout time.Duration) error {
	waiting := ctx
	if timeout > 0 {
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	for _, w := range watches {
		w.wait(waiting)
	}
	missing := slices.DeleteFunc(slices.Clone(watches), (*watcher).synced)
	if len(missing) == 0 || ctx.Err() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	var reasons []error
	for _, w := range missing {
		reasons = append(reasons, w.probe.explain(ctx))
	}
	return fmt.Errorf("informers have not synced after %v: %w", timeout, errors.Join(reasons...))
}

// syncPoll is the interval of checks whether handlers have synced, the same as in cache.WaitForCacheSync.
const syncPoll = 100 * time.Millisecond

// probeTimeout limits the time of all probes.
const probeTimeout = 10 * time.Second

// probe finds out why objects cannot be listed. It sends its own request, because a shared informer only reports errors to the
// watch error handler that was set last.
type probe struct {
	resource schema.GroupResource
	// namespaces are the watched namespaces; "" means all.
	namespaces []string
	list       func(ctx context.Context, namespace string, options metav1.ListOptions) error
}

// explain lists the objects to find out why they were not delivered.
func (p probe) explain(ctx context.Context) error {
	var reasons []error
	for _, namespace := range p.namespaces {
		what := p.resource.String()
		if namespace != metav1.NamespaceAll {
			what += " in namespace " + namespace
		}
		reasons = append(reasons, explain(what, p.list(ctx, namespace, metav1.ListOptions{Limit: 1})))
	}
	if err := errors.Join(reasons...); err != nil {
		return err
	}
	return fmt.Errorf("%s: can be listed, but was not delivered in time", p.resource)
}

// explain adds the likely cause to the error of a list. It returns nil if there is no error.
func explain(what string, err error) error {
	var connection *url.Error
	switch {
	case err == nil:
		return nil
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return fmt.Errorf("%s: not allowed: %w", what, err)
	case apierrors.IsNotFound(err):
		return fmt.Errorf("%s: not served, is the CustomResourceDefinition installed? %w", what, err)
	case errors.As(err, &connection):
		return fmt.Errorf("%s: no connection to the API server: %w", what, err)
	}
	return fmt.Errorf("%s: cannot be listed: %w", what, err)
}
