// Package reconcile has what belongs to one reconcile: its context, and its writes.
package reconcile

import (
	"context"
	"fmt"
	"math/rand/v2"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/wanted"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sharing"
)

// ID is different for every attempt.
type ID uint64

// String implements fmt.Stringer.
func (id ID) String() string { return fmt.Sprintf("%016x", uint64(id)) }

// Attempt is the context of one reconcile.
type Attempt struct {
	context.Context

	// Item is the item that is reconciled, and Caches are the informers of its controller.
	Item   cache.ObjectName
	Caches *caches.Set
	// Live reads the object of the item from the API server. It returns nil if there is no client.
	Live func(context.Context) (metav1.Object, error)
	// Entry is nil unless replicas share the objects.
	Entry *sharing.Entry
	// Finalizing is the UID of the object while Finalize runs for it.
	Finalizing types.UID
	// Paused is set if the object is paused, so that the reconciler is not called.
	Paused bool
	// Calls are the calls of Sync.
	Calls wanted.Log

	sink lazySink // here, it needs no allocation of its own
}

type key struct{}

// Value implements context.Context.
func (a *Attempt) Value(k any) any {
	if k == (key{}) {
		return a
	}
	return a.Context.Value(k)
}

// From returns the attempt of a context, or nil outside of reconciles.
func From(ctx context.Context) *Attempt {
	a, _ := ctx.Value(key{}).(*Attempt)
	return a
}

// New returns the context of a reconcile of an item, and its ID. The logger of the context adds both to all lines.
func New(ctx context.Context, item cache.ObjectName, set *caches.Set, entry *sharing.Entry) (context.Context, ID) {
	id := ID(rand.Uint64()) //nolint:gosec // it is no secret
	a := &Attempt{Item: item, Caches: set, Entry: entry}
	a.Context = klog.NewContext(ctx, a.sink.addTo(klog.FromContext(ctx), item, id))
	return a, id
}
