package caches

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/ownerlabel"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/definitions"
)

// Watcher is an informer of a set, whatever the type of its objects.
type Watcher struct {
	object   reflect.Type
	resource schema.GroupResource
	// namespaced reports whether the objects have a namespace.
	namespaced bool
	cache      *consistency.Cache
	// Label is the label by which the cache selects the objects, and Outside has those with the names of others that are not in the
	// cache. Both are only set for kinds that are owned.
	Label   ownerlabel.Label
	Outside Outside
	// written is set if the objects are reconciled or owned. Then the definition of their kind is compared with its fields.
	owned, written bool
	definition     *definitions.Definition

	source source
	add    func(options cache.HandlerOptions) (cache.ResourceEventHandlerRegistration, error)

	// These are set while the set runs.
	registration cache.ResourceEventHandlerRegistration
	release      func()
}

// source is an informer.Informer, without the type of its objects.
type source interface {
	Namespaces() []string
	Pending(namespace string) bool
	AwaitServed(ctx context.Context) bool
	Unserved() bool
	HasSynced() bool
	Describe() informer.Status
	Errors() []*informer.Error
	RemoveHandler(registration cache.ResourceEventHandlerRegistration) error
	Acquire(ctx context.Context) (release func(), err error)
}

// Outside has the metadata of single objects that a cache leaves out.
type Outside interface {
	// Get returns the metadata of an object, and watches it from then on until nothing awaits it any more.
	Get(ctx context.Context, name cache.ObjectName) (object *metav1.PartialObjectMetadata, exists bool, err error)
	// Sweep ends the watches of objects that nothing awaits.
	Sweep()
}

// Get returns an object from the cache, or nil. It must not be modified.
func (w *Watcher) Get(name cache.ObjectName) metav1.Object { return w.cache.Get(name) }

// begin adds the handler and runs the informer.
func (w *Watcher) begin(ctx context.Context) (err error) {
	logger := klog.FromContext(ctx)
	var never time.Duration // the resyncs of a controller do not depend on the factory
	w.registration, err = w.add(cache.HandlerOptions{Logger: &logger, ResyncPeriod: &never})
	if err == nil {
		w.release, err = w.source.Acquire(ctx)
	}
	return err
}

func (w *Watcher) unregister() {
	if w.registration != nil {
		_ = w.source.RemoveHandler(w.registration) // fails only for registrations of other implementations
		w.registration = nil
	}
}

// wait waits until the handler has received all objects of the initial list, and reports whether it has. It does not wait for a
// resource that is not served.
func (w *Watcher) wait(ctx context.Context) bool {
	if !w.source.AwaitServed(ctx) {
		return true
	}
	select {
	case <-w.registration.HasSyncedChecker().Done():
	case <-ctx.Done():
	}
	return w.registration.HasSynced()
}

// reasons returns why the informer has not synced.
func (w *Watcher) reasons() error {
	var reasons []error
	for _, err := range w.source.Errors() {
		reasons = append(reasons, err)
	}
	if len(reasons) == 0 {
		return fmt.Errorf("%s: was not listed and delivered in time", w.resource)
	}
	return errors.Join(reasons...)
}
