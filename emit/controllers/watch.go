package controllers

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

// watcher is an event handler of an informer.
type watcher interface {
	register(logger klog.Logger) error
	// synced is done when the handler has received all objects of the initial list.
	synced() cache.DoneChecker
	// explain asks the API server why the handler has not synced.
	explain(ctx context.Context) error
	// unregister removes the handler and waits for it to return.
	unregister()
}

type typedWatcher[T Object] struct {
	informer     cache.TypedSharedIndexInformer[T]
	handler      cache.TypedResourceEventHandler[T]
	resync       time.Duration
	registration cache.ResourceEventHandlerRegistration
	probe        probe
}

func (w *typedWatcher[T]) register(logger klog.Logger) (err error) {
	w.registration, err = w.informer.AddTypedEventHandler(w.handler, cache.HandlerOptions{Logger: &logger, ResyncPeriod: &w.resync})
	return err
}

func (w *typedWatcher[T]) synced() cache.DoneChecker { return w.registration.HasSyncedChecker() }

func (w *typedWatcher[T]) explain(ctx context.Context) error { return w.probe.explain(ctx) }

func (w *typedWatcher[T]) unregister() {
	if w.registration != nil {
		_ = cache.ShutDownEventHandler(w.informer, w.registration) // fails only for handlers of other informers
		w.registration = nil
	}
}

// waitForSync returns an error if the handlers have not synced within the timeout, and nil if ctx ends first.
func waitForSync(ctx context.Context, watches []watcher, timeout time.Duration) error {
	waiting := ctx
	if timeout > 0 {
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	var checkers []cache.DoneChecker
	for _, w := range watches {
		checkers = append(checkers, w.synced())
	}
	if cache.WaitFor(waiting, "", checkers...) || ctx.Err() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	var reasons []error
	for i, w := range watches {
		if !cache.IsDone(checkers[i]) {
			reasons = append(reasons, w.explain(ctx))
		}
	}
	return fmt.Errorf("not all objects are known after %v: %w", timeout, errors.Join(reasons...))
}

// probeTimeout is how long the API server may take to answer all probes.
const probeTimeout = 10 * time.Second

// probe finds out why objects cannot be listed. It sends a request of its own, as a shared informer reports its errors only
// to the handler that was set last.
type probe struct {
	resource  schema.GroupResource
	namespace string
	list      func(context.Context, metav1.ListOptions) error
}

func (p probe) explain(ctx context.Context) error {
	what := p.resource.String()
	if p.namespace != metav1.NamespaceAll {
		what += " in namespace " + p.namespace
	}
	err := p.list(ctx, metav1.ListOptions{Limit: 1})
	var connection *url.Error
	switch {
	case err == nil:
		return fmt.Errorf("%s: can be listed, but has not been delivered in time", what)
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return fmt.Errorf("%s: not allowed: %w", what, err)
	case apierrors.IsNotFound(err):
		return fmt.Errorf("%s: not known to the API server, is the CustomResourceDefinition installed? %w", what, err)
	case errors.As(err, &connection):
		return fmt.Errorf("%s: no connection to the API server: %w", what, err)
	}
	return fmt.Errorf("%s: cannot be listed: %w", what, err)
}
