// Package shared implements the informers of a Factory. Unlike client-go's informers, they can list and watch any number of
// namespaces and change them at run time, can be stopped and restarted, and report the API server's errors.
//
// Each namespace has a cache.Reflector, which lists and watches as in client-go's informers. All reflectors write to one store
// and notify one set of handlers.
package shared

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

// Kind is the kind of an informer's objects.
type Kind struct {
	// Object is an empty object of the cached type.
	Object     runtime.Object
	Resource   schema.GroupVersionResource
	Namespaced bool
	// ListerWatcher returns a ListerWatcher for a namespace, or for all namespaces if it is empty.
	ListerWatcher func(namespace string, tweak func(*metav1.ListOptions)) cache.ListerWatcher
}

// Options configure an informer.
type Options struct {
	// Namespaces are the namespaces to list and watch; metav1.NamespaceAll means all. They are ignored for cluster-scoped kinds.
	Namespaces []string
	// Tweak modifies the options of each list and watch.
	Tweak func(*metav1.ListOptions)
	// Resync is the default period after which handlers receive all objects again; 0 means never.
	Resync    time.Duration
	Indexers  cache.Indexers
	Transform cache.TransformFunc
	// KeepManagedFields keeps the managed fields of objects.
	KeepManagedFields bool
	// ShareStrings makes objects share equal strings, see shareStrings.
	ShareStrings bool
	// WatchErrorHandler is called when a list or watch fails. The default is cache.DefaultWatchErrorHandler.
	WatchErrorHandler cache.WatchErrorHandlerWithContext
	// Mutations, if set, receives reports about changes to cached objects.
	Mutations Reporter
	// InformerName names the informer in metrics.
	InformerName *cache.InformerName //emit:if InformerNames
}

// Informer implements cache.SharedIndexInformer. Unlike client-go's, it can be restarted after it was stopped: it keeps its
// handlers and objects and relists, and handlers receive the changes since it was stopped.
type Informer struct {
	// SharedIndexInformer is nil. It is embedded so that this code still compiles if a later release of client-go adds methods to
	// the interface. Calls of such methods panic.
	cache.SharedIndexInformer

	kind      Kind
	options   Options
	store     *store
	mutations *mutations
	metrics   metrics
	// equal makes metadata share equal values. It is nil for whole objects, which callers are more likely to modify by mistake.
	equal *equal
	// changed wakes goroutines that wait for the informer to sync, fail, start or stop.
	changed *broadcast

	// events is held while the store changes and the event is queued for the handlers, so that all handlers see the same order. It
	// guards the listeners and the progress of sources. It is never held while a handler is called.
	events    sync.Mutex
	listeners []*listener
	synced    chan struct{}
	// everSynced is set when the first lists of all namespaces are stored. Later lists are not initial lists.
	everSynced bool

	// lock guards the life cycle. It is taken before events.
	lock    sync.Mutex
	sources []*source
	run     *run
	started int
	// paused is set while sources must not start.
	paused bool
	// rescheduled wakes the resync loop when a handler is added.
	rescheduled *broadcast
}

// run is one run of an informer, from RunWithContext until its context is done.
type run struct {
	// ctx is the context of the sources, and delivery the context of the handlers, which stop after the sources.
	ctx, delivery context.Context
	listeners     sync.WaitGroup
	// ending prevents sources and listeners from starting. It is guarded by both Informer.lock and Informer.events.
	ending bool
}

// New returns an informer that is not running.
func New(kind Kind, options Options) *Informer { return newInformer(kind, options, newBroadcast()) }

func newInformer(kind Kind, options Options, changed *broadcast) *Informer {
	if !kind.Namespaced {
		options.Namespaces = []string{metav1.NamespaceAll}
	}
	i := &Informer{
		kind:        kind,
		options:     options,
		store:       newStore(options.Indexers),
		mutations:   newMutations(options.Mutations, kind.Resource.GroupResource()),
		changed:     changed,
		rescheduled: newBroadcast(),
		synced:      make(chan struct{}),
	}
	if _, ok := kind.Object.(*metav1.PartialObjectMetadata); ok {
		i.equal = &equal{}
	}
	if options.InformerName != nil { //emit:if InformerNames
		identity := cache.WithStoreMetrics(options.InformerName.WithResource(kind.Resource), nil) //emit:if InformerNames
		i.metrics.store = cache.NewIndexer(cache.MetaNamespaceKeyFunc, nil, identity)             //emit:if InformerNames
	} //emit:if InformerNames
	for _, namespace := range options.Namespaces {
		i.sources = append(i.sources, newSource(i, namespace))
	}
	return i
}

// Run implements cache.SharedInformer.
func (i *Informer) Run(stopCh <-chan struct{}) { i.RunWithContext(wait.ContextForChannel(stopCh)) }

// RunWithContext runs the informer until ctx is done. It returns when all handlers have returned, and may then be called
// again.
func (i *Informer) RunWithContext(ctx context.Context) {
	running := i.begin(ctx)
	if running == nil {
		klog.FromContext(ctx).Info("Warning: the informer is already running", "resource", i.kind.Resource.GroupResource())
		return
	}
	i.resyncUntil(ctx)

	for _, source := range i.end() {
		source.stop()
	}
	i.events.Lock()
	i.mutations.check(i.store)
	for _, listener := range i.listeners {
		listener.stop()
	}
	i.events.Unlock()
	running.listeners.Wait()

	i.lock.Lock()
	defer i.lock.Unlock()
	i.run = nil
	i.changed.send()
}

// end prevents sources and listeners from starting, and returns the sources to stop.
func (i *Informer) end() []*source {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	i.run.ending = true
	return slices.Clone(i.sources)
}

// begin starts sources and listeners. It returns nil if the informer is already running.
func (i *Informer) begin(ctx context.Context) *run {
	i.lock.Lock()
	defer i.lock.Unlock()
	if i.run != nil {
		return nil
	}
	i.events.Lock()
	defer i.events.Unlock()
	i.run = &run{ctx: ctx, delivery: context.WithoutCancel(ctx)}
	i.started++
	i.unsync()
	for _, listener := range i.listeners {
		i.deliver(listener)
	}
	if !i.paused {
		for _, source := range i.sources {
			source.launch(ctx)
		}
	}
	i.changed.send()
	return i.run
}

// expectSync marks the informer as not synced, before a restart.
func (i *Informer) expectSync() {
	i.events.Lock()
	defer i.events.Unlock()
	i.unsync()
}

func (i *Informer) unsync() {
	for _, source := range i.sources {
		source.synced = false
	}
	if !i.isSynced() {
		return
	}
	i.synced = make(chan struct{})
	for _, listener := range i.listeners {
		listener.informerSynced(false)
	}
}

func (i *Informer) isRunning() bool {
	i.lock.Lock()
	defer i.lock.Unlock()
	return i.run != nil
}

// HasSynced reports whether all namespaces have been listed since the informer was last started.
func (i *Informer) HasSynced() bool {
	i.events.Lock()
	defer i.events.Unlock()
	return i.isSynced()
}

// HasSyncedChecker implements cache.SharedInformer.
func (i *Informer) HasSyncedChecker() cache.DoneChecker { return checker{i.String, i.done} } //emit:if SyncResults

// String names the informer in logs.
func (i *Informer) String() string {
	return fmt.Sprintf("informer for %s", i.kind.Resource.GroupResource())
}

func (i *Informer) done() <-chan struct{} {
	i.events.Lock()
	defer i.events.Unlock()
	return i.synced
}

func (i *Informer) isSynced() bool {
	select {
	case <-i.synced:
		return true
	default:
		return false
	}
}

// checkSynced updates synced if all sources have listed. The caller holds events.
func (i *Informer) checkSynced() {
	if i.isSynced() || slices.ContainsFunc(i.sources, func(s *source) bool { return !s.synced && !s.joining }) {
		return
	}
	i.everSynced = true
	close(i.synced)
	i.changed.send()
	for _, listener := range i.listeners {
		listener.informerSynced(true)
	}
}

// GetStore implements cache.SharedInformer.
func (i *Informer) GetStore() cache.Store { return i.store }

// GetIndexer implements cache.SharedIndexInformer.
func (i *Informer) GetIndexer() cache.Indexer { return i.store }

// AddIndexers implements cache.SharedIndexInformer.
func (i *Informer) AddIndexers(indexers cache.Indexers) error { return i.store.AddIndexers(indexers) }

// SetTransform sets the transform function. It returns an error if the informer has been started or already has one.
func (i *Informer) SetTransform(transform cache.TransformFunc) error {
	return i.configure(func() error {
		if i.options.Transform != nil {
			return fmt.Errorf("%s: duplicate transform function, already set by WithTransform or SetTransform", i)
		}
		i.options.Transform = transform
		return nil
	})
}

// SetWatchErrorHandler implements cache.SharedInformer.
func (i *Informer) SetWatchErrorHandler(handler cache.WatchErrorHandler) error {
	return i.SetWatchErrorHandlerWithContext(func(_ context.Context, r *cache.Reflector, err error) { handler(r, err) })
}

// SetWatchErrorHandlerWithContext sets the function that is called when a list or watch fails. It returns an error if the
// informer has been started.
func (i *Informer) SetWatchErrorHandlerWithContext(handler cache.WatchErrorHandlerWithContext) error {
	return i.configure(func() error {
		i.options.WatchErrorHandler = handler
		return nil
	})
}

func (i *Informer) configure(change func() error) error {
	i.lock.Lock()
	defer i.lock.Unlock()
	if i.started > 0 {
		return errors.New("informer has already started")
	}
	return change()
}

// IsStopped reports whether the informer has been started and is not running. It may be restarted.
func (i *Informer) IsStopped() bool {
	i.lock.Lock()
	defer i.lock.Unlock()
	return i.started > 0 && i.run == nil
}

// LastSyncResourceVersion returns a resource version that all namespaces have reached.
func (i *Informer) LastSyncResourceVersion() string { return i.store.LastStoreSyncResourceVersion() }

// GetController implements cache.SharedInformer.
func (i *Informer) GetController() cache.Controller { return controller{i} }

// controller is returned by GetController. Run does nothing, as with client-go's informers.
type controller struct{ *Informer }

// Run implements cache.Controller.
func (controller) Run(<-chan struct{}) {}

// RunWithContext implements cache.Controller.
func (controller) RunWithContext(context.Context) {}

// checker implements cache.DoneChecker.
type checker struct {
	name func() string
	done func() <-chan struct{}
}

// Name implements cache.DoneChecker.
func (c checker) Name() string { return c.name() }

// Done implements cache.DoneChecker.
func (c checker) Done() <-chan struct{} { return c.done() }
