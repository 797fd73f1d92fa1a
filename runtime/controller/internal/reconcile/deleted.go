package reconcile

import (
	"context"

	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/absent"
)

// ReconcileDeleted calls a function for the name of an object that is gone. If replicas share the objects, another one may have an object
// of the name by now, which the API server knows: then the function is not called.
func (a *Attempt) ReconcileDeleted(ctx context.Context, call func(context.Context, cache.ObjectName) error) error {
	if a.Entry == nil {
		return call(ctx, a.Item)
	}
	if a.Entry.UID != "" {
		return nil // it has left the cache since the reconcile began: there will be an event if it was deleted
	}
	live, err := a.Live(ctx)
	switch {
	case err == nil && live != nil:
		a.Entry.Reported()
		return nil
	case err != nil && !absent.Is(err):
		return err
	}
	if err := call(ctx, a.Item); err != nil {
		return err
	}
	a.Entry.Reported()
	return nil
}
