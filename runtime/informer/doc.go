// Package informer keeps caches of API objects up to date, and tells handlers about changes. It works with any typed client: clients
// of client-go, generated clients, and the clients for metadata and for unstructured objects.
//
// A [Factory] has one informer for each type and resource. A [Source] says where objects come from; Go infers their type from the
// client:
//
//	factory := informer.NewFactory(informer.WithNamespaces("shop", "bank"))
//	pods := informer.For(factory, informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods))
//	defer factory.Shutdown()
//	factory.StartWithContext(ctx)
//	if err := factory.WaitForSync(ctx); err != nil {
//		return err // pods in namespace "bank": forbidden: User "x" cannot list resource "pods" …
//	}
//	web, err := pods.Lister().Get("shop", "web-0")
//
// [Informer.AddHandler] adds typed handlers, [Informer.Lister] returns a typed lister, and [Informer.Indexer] returns the cache for
// generated listers and for the indexes of package lister. [Informer.Shared] returns the informer in the form of client-go.
//
// # Namespaces
//
// An informer lists and watches one namespace, several, or all. Each namespace is requested separately, so a Role in each is
// enough, but there is one cache and one set of handlers. [Factory.SetNamespaces] changes the namespaces of running informers.
// While it does, each object goes through its states in order, and no object that exists is reported as deleted.
//
// # Errors
//
// [Factory.WaitForSync] returns the API server's response for each resource and namespace that cannot be listed: after a second, if
// the response is unlikely to change. [Factory.Errors] has the current responses, [Factory.Describe] the state of all informers.
//
// # Life cycle
//
// A stopped informer keeps its objects and handlers. When it is started again, it relists, and handlers receive the changes since
// it stopped. Besides [Factory.StartWithContext], there are [Informer.Acquire] for reference-counted informers,
// and [Informer.StartWhenServed] for resources whose CustomResourceDefinition is installed later.
//
// # Memory
//
// Managed fields are dropped, see [WithManagedFields]. Objects share strings that many of them have: namespaces, label keys and
// values, annotation keys, finalizers, and owner kinds. Objects of [Metadata] sources also share equal labels, annotations and
// finalizers.
//
// # Concurrency
//
// Everything may be called concurrently. An event is in the cache and in all indexes before a handler receives it. All handlers
// receive the same events in the same order, each in a goroutine of its own. No lock is held while a handler runs: it may read from
// the cache, add and remove handlers and indexes, and start informers. It must not call what waits for handlers: Stop and Shutdown.
// When an informer relists, the cache changes from the old list to the new one at once, and handlers receive deletions first.
//
// # Differences from client-go's informers
//
//   - IsStopped reports whether the informer has run and is not running now: it may be restarted. Handlers can be added to a
//     stopped informer.
//   - SetTransform returns an error if the informer already has a transform function. If the function fails for an object, the
//     informer does not sync, and WaitForSync says why.
//   - Handlers get the resync period that they ask for, also if they are added later; at least one second.
//   - The index cache.NamespaceIndex always uses cache.MetaNamespaceIndexFunc. An index function that fails leaves the object
//     out and is logged; client-go's informers panic.
//   - The metrics of informers with a name have the store's resource version. There are no metrics of a queue, because there is
//     none between watch and store.
package informer
