package informer

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

// Informer caches the objects of one source and tells handlers about their changes. It belongs to a factory, see [For]. All
// methods may be called concurrently, whether the informer is running or not. Handlers must not call
// the methods that wait for handlers, which say so.
type Informer[T Object] struct {
	factory *Factory
	member  *member
	source  Source[T]
}

// Shared returns the informer in untyped form, for generated code and for code that was written for client-go's informers. It
// differs from client-go's where the package comment says so.
func (i *Informer[T]) Shared() cache.SharedIndexInformer { return i.member.own }

// Indexer returns the cache. Every lister can be built on it.
func (i *Informer[T]) Indexer() cache.Indexer { return i.member.own.GetIndexer() }

// ByIndex returns the objects that an index has for a key. Prefer the methods of a lister.Index, which are typed.
func (i *Informer[T]) ByIndex(indexName, indexedValue string) ([]any, error) {
	return i.Indexer().ByIndex(indexName, indexedValue)
}

// Lister returns a lister for the cache.
func (i *Informer[T]) Lister() lister.Lister[T] {
	return lister.New[T](i.Indexer(), i.source.resource.GroupResource())
}

// AddHandler adds a handler, which is called from now on until it is removed or the informer stops, and again when it restarts. The
// handler first receives all objects of the cache, with initial set. HasSynced of the registration reports whether the handler
// has received all objects of the informer's first list.
func (i *Informer[T]) AddHandler(handler Handler[T]) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddHandlerWithOptions(handler, cache.HandlerOptions{})
}

// AddHandlerWithOptions is AddHandler with a resync period or a logger for this handler.
func (i *Informer[T]) AddHandlerWithOptions(
	handler Handler[T], options cache.HandlerOptions,
) (cache.ResourceEventHandlerRegistration, error) {
	return i.member.own.AddEventHandlerWithOptions(typedHandler[T]{handler}, options)
}

// RemoveHandler removes a handler. It does not wait for a running call of the handler, see cache.ShutDownEventHandler. It does
// nothing if the handler was removed before or belongs to another informer, and returns an error for other kinds of registrations.
func (i *Informer[T]) RemoveHandler(registration cache.ResourceEventHandlerRegistration) error {
	return i.member.own.RemoveEventHandler(registration)
}

// HasSynced reports whether all namespaces have been listed since the informer was last started.
func (i *Informer[T]) HasSynced() bool { return i.member.own.HasSynced() }

// Resource returns the resource.
func (i *Informer[T]) Resource() schema.GroupVersionResource { return i.source.resource }

// Source returns the source that the informer was first requested with.
func (i *Informer[T]) Source() Source[T] { return i.source }

// Factory returns the factory.
func (i *Informer[T]) Factory() *Factory { return i.factory }

// Namespaces returns the namespaces that are listed and watched; metav1.NamespaceAll means all.
func (i *Informer[T]) Namespaces() []string { return i.member.own.Namespaces() }

// Covers reports whether an object, which need not exist, is in the arcs of the informer, see [WithShards].
func (i *Informer[T]) Covers(object metav1.Object) bool { return i.member.own.Covers(object) }

// Unserved reports whether the informer waits for the API server to serve its resource, see [WhenServed].
func (i *Informer[T]) Unserved() bool {
	i.factory.lock.Lock()
	defer i.factory.lock.Unlock()
	return i.member.unserved
}

// AwaitServed waits until the API server has said whether it serves the resource, or ctx is done, and reports whether the informer
// runs: it does not while the resource is not served, see [WhenServed].
func (i *Informer[T]) AwaitServed(ctx context.Context) bool {
	unserved := false
	known := i.factory.changed.Until(ctx, func() bool {
		i.factory.lock.Lock()
		defer i.factory.lock.Unlock()
		unserved = i.member.unserved
		return i.member.served == nil || i.member.asked
	})
	return !known || !unserved
}

// Generation returns a number that is higher each time a namespace is added to the informer, or 0 if it is not watched.
func (i *Informer[T]) Generation(namespace string) int64 { return i.member.own.Generation(namespace) }

// Pending reports whether the informer is to have the objects of a namespace, and has not listed them since it was last started. An
// informer that has synced may still have to list a namespace that is added later.
func (i *Informer[T]) Pending(namespace string) bool { return i.factory.pending(i.member, namespace) }

// Reached returns the resource version up to which the cache has all changes of a namespace, or of everything that the informer
// watches if namespace is empty. It is empty if that is not known: the namespace is not watched or has not been listed, or the
// server, for instance a fake clientset, has no resource versions.
func (i *Informer[T]) Reached(namespace string) string { return i.member.own.Reached(namespace) }

// Stop stops the informer and waits until its handlers have returned, so handlers must not call it. If ctx is done first, it
// returns an error, and the informer stops nevertheless. [Factory.StartWithContext] restarts the informer.
func (i *Informer[T]) Stop(ctx context.Context) error { return i.factory.stop(ctx, i.member) }

// Acquire runs the informer until every caller of Acquire has called release, and the context of [Factory.StartWithContext] is
// done, if that was called too. It does not stop when ctx is done, whose values it uses. Neither Acquire nor release blocks: the
// informer ends in the background, and [Informer.Stop] waits for that.
func (i *Informer[T]) Acquire(ctx context.Context) (release func(), err error) {
	return i.factory.acquire(ctx, i.member)
}

// StartWhenServed runs the informer while the API server serves its resource, until ctx is done. The informer starts when the
// CustomResourceDefinition is installed. When the definition is removed, handlers receive a deletion for each object, and the
// informer waits again. It polls discovery, with a backoff of up to five seconds. StartWhenServed does not block, and WaitForSync
// does not wait for a resource that is not served. It must be called before Start, and returns an error if the informer is
// running, or if its clientset has no discovery.
func (i *Informer[T]) StartWhenServed(ctx context.Context) error {
	return i.factory.startWhenServed(ctx, i.member, i.source.clientset)
}

// Errors returns the current errors of lists and watches, by namespace. It is empty if all work.
func (i *Informer[T]) Errors() []*Error { return i.member.errors() }

// Describe returns the state of the informer.
func (i *Informer[T]) Describe() Status { return i.factory.describe(i.member) }
