// Package shared implements the informers of package informer, without their types: cache.SharedIndexInformer for any client.
// Unlike client-go's informers, they can list and watch any number of namespaces and change them at run time, can be stopped and
// restarted, and keep the API server's errors.
//
// Each namespace and each arc has a source with a cache.Reflector, which lists and watches as in client-go's informers. All sources write
// to one store and notify one set of listeners. Each listener has a queue and calls one handler.
//
// Locks are taken in this order: Informer.changing serializes changes of the sources, Informer.lock guards the life cycle,
// Informer.events the store and the listeners, and then come the locks of a listener, of a source, of the store and of the mutation
// detector. None is held while a handler is called.
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

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/broadcast"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/delivery"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/mutation"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/store"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/trim"
)

// Config describes an informer. Optional fields may be zero.
type Config struct {
	// Object is an empty object of the cached type.
	Object     runtime.Object
	Resource   schema.GroupVersionResource
	Namespaced bool
	// ListerWatcher returns a ListerWatcher for a namespace, or for all namespaces if it is empty.
	ListerWatcher func(namespace string) cache.ListerWatcher

	// Tweak modifies the options of each list and watch.
	Tweak func(*metav1.ListOptions)
	// Arcs are the hashes of the objects that the informer has; nil means all. Key says which part of them is hashed.
	Arcs arcs.Set
	Key  arcs.Key
	// Namespaces are the namespaces to list and watch; metav1.NamespaceAll means all, and so does nil. They are ignored for
	// cluster-scoped kinds.
	Namespaces []string
	// Unsettled is set if the namespaces are not known yet: the informer does not sync before ResetNamespaces is called.
	Unsettled bool
	// Resync is the default period after which handlers receive all objects again; 0 means never.
	Resync   time.Duration
	Indexers cache.Indexers
	// Trimmer makes objects smaller, before they are transformed. By default, it drops managed fields.
	Trimmer   *trim.Trimmer
	Transform cache.TransformFunc
	// WatchErrorHandler is called when a list or watch fails. The default is cache.DefaultWatchErrorHandler.
	WatchErrorHandler cache.WatchErrorHandlerWithContext
	// Mutations, if set, receives reports about changes to cached objects.
	Mutations mutation.Reporter
	// InformerName names the informer in metrics.
	InformerName *cache.InformerName
	// Changed wakes goroutines when the informer syncs, fails, starts or stops. Several informers may have the same.
	Changed *broadcast.Broadcast
}

// Informer implements cache.SharedIndexInformer. Unlike client-go's, it can be restarted after it was stopped: it keeps its
// handlers and objects and relists, and handlers receive the changes since it was stopped.
type Informer struct {
	config    Config
	store     *store.Store
	mutations *mutation.Detector
	metrics   metrics
	changed   *broadcast.Broadcast

	// events is held while the store changes and the delivery.Event is queued for the handlers, so that all handlers see the same order. It
	// guards the listeners and the progress of sources. It is never held while a handler is called.
	events    sync.Mutex
	listeners []*delivery.Listener
	synced    chan struct{}
	// everSynced is set when the first lists of all namespaces are stored. Later lists are not initial lists.
	everSynced bool
	// lowest is the source whose version the store has, see publishVersion.
	lowest *source
	// overlap is set if two sources may have the same objects, which is possible while an informer changes from some namespaces to
	// all, or back.
	overlap bool
	// filtering says whether the server or the client filters by arcs. Arranging is set while arrange is at work.
	filtering filtering
	arranging bool
	// lists is the number of lists of sources that have left.
	lists int

	// changing serializes changes of the sources. It is taken before lock.
	changing sync.Mutex

	// lock guards the life cycle. It is taken before delivery.Events. The fields sources and run are written with both locks.
	lock    sync.Mutex
	sources []*source
	run     *run
	started int
	// paused is set while sources must not start. It is written with both locks.
	paused bool
	// rescheduled wakes the resync loop when a handler is added.
	rescheduled *broadcast.Broadcast
}

var _ cache.SharedIndexInformer = &Informer{}

// run is one run of an informer, from RunWithContext until its context is done.
type run struct {
	// ctx is the context of the sources, and delivery the context of the handlers, which stop after the sources.
	ctx, delivery context.Context
	listeners     sync.WaitGroup
	// ending prevents sources and listeners from starting. It is guarded like Informer.run.
	ending bool
}

// ends reports whether the run is nil or about to end.
func (r *run) ends() bool { return r == nil || r.ending || r.ctx.Err() != nil }

// New returns an informer that is not running.
func New(config Config) *Informer {
	if !config.Namespaced || config.Namespaces == nil {
		config.Namespaces = []string{metav1.NamespaceAll}
	}
	if config.Arcs == nil {
		config.Arcs = arcs.All
	}
	if config.Trimmer == nil {
		config.Trimmer = &trim.Trimmer{}
	}
	if config.WatchErrorHandler == nil {
		config.WatchErrorHandler = cache.DefaultWatchErrorHandler
	}
	if config.Changed == nil {
		config.Changed = broadcast.New()
	}
	i := &Informer{
		config:      config,
		store:       store.New(config.Indexers),
		mutations:   mutation.New(config.Mutations, config.Resource.GroupResource()),
		changed:     config.Changed,
		rescheduled: broadcast.New(),
		synced:      make(chan struct{}),
	}
	if config.InformerName != nil {
		identity := cache.WithThreadSafeStoreMetrics(config.InformerName.WithResource(config.Resource), nil)
		i.metrics.store = cache.NewThreadSafeStore(nil, nil, identity)
	}
	if !config.Key.MayBeIgnored() {
		i.filtering = byServer
	}
	for _, namespace := range config.Namespaces {
		for _, p := range i.divide(namespace, config.Arcs) {
			i.sources = append(i.sources, newSource(i, p))
		}
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
		klog.FromContext(ctx).Info("Warning: the informer is already running", "resource", i.config.Resource.GroupResource())
		return
	}
	i.resyncUntil(ctx)

	for _, wait := range i.end() {
		wait()
	}
	i.events.Lock()
	i.mutations.Check(i.store.List())
	for _, listener := range i.listeners {
		listener.Stop()
	}
	i.events.Unlock()
	i.changed.Send() // waiters for sources give up
	running.listeners.Wait()

	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	i.run = nil
	i.changed.Send()
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
		i.checkSynced() // there may be no source
	}
	if i.mutations.Crashes() {
		i.run.listeners.Go(func() { i.checkMutations(ctx) })
	}
	i.changed.Send()
	return i.run
}

// checkMutations compares all objects with their copies every second until ctx is done, as client-go's informers do.
func (i *Informer) checkMutations(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
			i.mutations.Check(i.store.List())
		}
	}
}

// end stops sources, and prevents sources and listeners from starting. It returns functions that wait for the sources.
func (i *Informer) end() (waits []func()) {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	i.run.ending = true
	for _, source := range i.sources {
		waits = append(waits, source.halt())
	}
	return waits
}

// ExpectSync marks the informer as not synced, before a restart. A run that still ends does not change that.
func (i *Informer) ExpectSync() {
	i.events.Lock()
	defer i.events.Unlock()
	i.unsync()
}

func (i *Informer) unsync() {
	for _, source := range i.sources {
		source.synced = false
		source.continued()
	}
	if !i.isSynced() {
		return
	}
	i.synced = make(chan struct{})
	for _, listener := range i.listeners {
		listener.InformerSynced(false)
	}
}

// IsRunning reports whether RunWithContext has been called and has not returned.
func (i *Informer) IsRunning() bool {
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
func (i *Informer) HasSyncedChecker() cache.DoneChecker {
	return delivery.Checker{Says: i.String, Ends: i.done}
}

// String names the informer in logs.
func (i *Informer) String() string {
	return fmt.Sprintf("informer for %s", i.config.Resource.GroupResource())
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
	if i.isSynced() || i.config.Unsettled || slices.ContainsFunc(i.sources, func(s *source) bool { return !s.synced && !s.joining }) {
		return
	}
	i.everSynced = true
	close(i.synced)
	i.changed.Send()
	for _, listener := range i.listeners {
		listener.InformerSynced(true)
	}
}

// GetStore implements cache.SharedInformer.
func (i *Informer) GetStore() cache.Store { return i.store }

// GetIndexer implements cache.SharedIndexInformer.
func (i *Informer) GetIndexer() cache.Indexer { return i.store }

// AddIndexers implements cache.SharedIndexInformer.
func (i *Informer) AddIndexers(indexers cache.Indexers) error { return i.store.AddIndexers(indexers) }

// AddMissingIndexers adds the indexes that do not exist yet.
func (i *Informer) AddMissingIndexers(indexers cache.Indexers) { i.store.AddMissing(indexers) }

// SetTransform sets the transform function. It returns an error if the informer has been started or already has one.
func (i *Informer) SetTransform(transform cache.TransformFunc) error {
	return i.configure(func() error {
		if i.config.Transform != nil {
			return fmt.Errorf("%s: duplicate transform function, already set by WithTransform or SetTransform", i)
		}
		i.config.Transform = transform
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
		i.config.WatchErrorHandler = handler
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
