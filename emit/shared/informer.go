// Package shared holds the informers of a Factory. Unlike client-go's, an informer lists and watches any number of
// namespaces, which may change while it runs, can be stopped and started again, and knows what the API server answered.
//
// Each namespace has a cache.Reflector, which lists and watches as in client-go's own informers; all write to one store and
// tell one set of handlers.
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

// Kind is what an informer is for.
type Kind struct {
	// Object is an empty object of the type that is cached.
	Object     runtime.Object
	Resource   schema.GroupVersionResource
	Namespaced bool
	// ListerWatcher lists and watches the objects of a namespace, or of all with "".
	ListerWatcher func(namespace string, tweak func(*metav1.ListOptions)) cache.ListerWatcher
}

// Options configure an informer.
type Options struct {
	// Namespaces are those to list and watch; metav1.NamespaceAll stands for all. Ignored for kinds without namespaces.
	Namespaces []string
	// Tweak changes the options of each list and watch.
	Tweak func(*metav1.ListOptions)
	// Resync is how often handlers receive all objects again, if they do not say themselves; 0 for never.
	Resync    time.Duration
	Indexers  cache.Indexers
	Transform cache.TransformFunc
	// KeepManagedFields leaves the managed fields in the objects.
	KeepManagedFields bool
	// ShareStrings lets objects share strings that many of them have, see shareStrings.
	ShareStrings bool
	// WatchErrorHandler is called when a list or watch fails; nil stands for cache.DefaultWatchErrorHandler.
	WatchErrorHandler cache.WatchErrorHandlerWithContext
	// Mutations, if set, is told of changes of cached objects.
	Mutations Reporter
	// InformerName names the informer in metrics.
	InformerName *cache.InformerName //emit:if InformerNames
}

// Informer implements cache.SharedIndexInformer. In contrast to client-go's, it may run again after it was stopped: it
// keeps its handlers and objects, and lists again, so that handlers receive what has changed meanwhile.
type Informer struct {
	// SharedIndexInformer is nil. It lets this code compile with later releases of client-go, in which the interface has more
	// methods than here; those must not be called.
	cache.SharedIndexInformer

	kind      Kind
	options   Options
	store     *store
	mutations *mutations
	metrics   metrics
	// equal is what metadata shares; nil for whole objects, which callers are more likely to change by mistake.
	equal *equal
	// changed tells those who wait that something has changed: synced, failed, started or stopped.
	changed *broadcast

	// events orders what happens: changes of the store together with their place in the handlers' queues. It guards the
	// listeners and what sources know of their progress. It is never held while a handler runs.
	events    sync.Mutex
	listeners []*listener
	synced    chan struct{}
	// everSynced is set once the first list of all namespaces is there. Later lists are not initial lists.
	everSynced bool

	// lock guards the life cycle. It is taken before events.
	lock    sync.Mutex
	sources []*source
	run     *run
	started int
	// paused says that sources do not start with a run.
	paused bool
	// rescheduled wakes the resync loop when handlers come.
	rescheduled *broadcast
}

// run is one run of an informer, from RunWithContext to the end of its context.
type run struct {
	// ctx is that of the sources, delivery that of the handlers, which end after the sources.
	ctx, delivery context.Context
	listeners     sync.WaitGroup
	// ending says that no more sources and listeners start; guarded by Informer.lock and Informer.events both.
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

// RunWithContext runs the informer until ctx is done, and returns when handlers have returned from the call that they are
// in. It may be called again after that.
func (i *Informer) RunWithContext(ctx context.Context) {
	running := i.begin(ctx)
	if running == nil {
		klog.FromContext(ctx).Info("Warning: the informer runs already", "resource", i.kind.Resource.GroupResource())
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

// end keeps sources and listeners from starting, and returns the sources to stop.
func (i *Informer) end() []*source {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	i.run.ending = true
	return slices.Clone(i.sources)
}

// begin starts sources and listeners. It returns nil if the informer runs already.
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

// expectSync lets the informer count as not synced, before it runs again.
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

// HasSynced reports whether the lists of all namespaces are in the store, since the informer was started last.
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

// checkSynced notes that all sources have listed. The caller holds events.
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

// SetTransform sets the transform function. It is an error if the informer has run, or has one by an option.
func (i *Informer) SetTransform(transform cache.TransformFunc) error {
	return i.configure(func() error {
		if i.options.Transform != nil {
			return fmt.Errorf("%s: there is a transform function already, by WithTransform or SetTransform", i)
		}
		i.options.Transform = transform
		return nil
	})
}

// SetWatchErrorHandler implements cache.SharedInformer.
func (i *Informer) SetWatchErrorHandler(handler cache.WatchErrorHandler) error {
	return i.SetWatchErrorHandlerWithContext(func(_ context.Context, r *cache.Reflector, err error) { handler(r, err) })
}

// SetWatchErrorHandlerWithContext sets what is called when a list or watch fails. It is an error if the informer has run.
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

// IsStopped reports whether the informer has run and does not run now. It may run again.
func (i *Informer) IsStopped() bool {
	i.lock.Lock()
	defer i.lock.Unlock()
	return i.started > 0 && i.run == nil
}

// LastSyncResourceVersion returns a resource version that all namespaces have reached.
func (i *Informer) LastSyncResourceVersion() string { return i.store.LastStoreSyncResourceVersion() }

// GetController implements cache.SharedInformer.
func (i *Informer) GetController() cache.Controller { return controller{i} }

// controller is what GetController returns. To run it does nothing, as with client-go's informers.
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
