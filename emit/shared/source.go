package shared

import (
	"context"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
)

// source lists and watches one namespace, or all, for an informer. It is the store of its reflector and implements
// cache.ReflectorStore, cache.ResourceVersionUpdater and cache.TransformingStore.
type source struct {
	informer  *Informer
	namespace string
	// reflector is kept when the informer stops, so that it does not list older objects after a restart.
	reflector *cache.Reflector
	cancel    context.CancelFunc
	ended     chan struct{}

	// The fields below are guarded by Informer.events.

	// synced is set if the namespace has been listed since the source was last started.
	synced bool
	// joining is set while SetNamespaces waits for the source.
	joining bool
	// version is the resource version that the source has reached.
	version string

	// lock guards the fields below.
	lock     sync.Mutex
	failure  error
	failedAt time.Time
	lists    int
	watches  int
}

func newSource(informer *Informer, namespace string) *source {
	return &source{informer: informer, namespace: namespace}
}

// The backoff of reflectors after failures, with client-go's values.
const (
	backoffBase  = 800 * time.Millisecond
	backoffMax   = 30 * time.Second
	backoffReset = 2 * time.Minute
)

// launch lists and watches in the background until stop is called or ctx is done.
func (s *source) launch(ctx context.Context) {
	ctx, s.cancel = context.WithCancel(ctx)
	if s.reflector == nil {
		i := s.informer
		s.reflector = cache.NewReflectorWithOptions(
			&observed{s, cache.ToListerWatcherWithContext(i.kind.ListerWatcher(s.namespace, i.options.Tweak))},
			i.kind.Object, s, cache.ReflectorOptions{Name: s.String()})
	}
	backoff := wait.Backoff{Duration: backoffBase, Cap: backoffMax, Steps: 10, Factor: 2, Jitter: 1}
	delay := backoff.DelayWithReset(clock.RealClock{}, backoffReset)
	s.ended = make(chan struct{})
	go func() {
		defer close(s.ended)
		for ctx.Err() == nil {
			s.listAndWatch(ctx)
			select {
			case <-ctx.Done():
			case <-time.After(delay()):
			}
		}
	}()
}

// listAndWatch lists and watches once. Unless utilruntime.ReallyCrash is set, it survives panics, for instance of a transform or an
// index function.
func (s *source) listAndWatch(ctx context.Context) {
	defer utilruntime.HandleCrashWithContext(ctx)
	err := s.reflector.ListAndWatchWithContext(ctx)
	if err != nil && ctx.Err() == nil {
		s.failed(err)
		s.informer.options.handleWatchError(ctx, s.reflector, err)
	}
}

func (o *Options) handleWatchError(ctx context.Context, reflector *cache.Reflector, err error) {
	if o.WatchErrorHandler != nil {
		o.WatchErrorHandler(ctx, reflector, err)
		return
	}
	cache.DefaultWatchErrorHandler(ctx, reflector, err)
}

// stop stops the source and waits until it has stopped.
func (s *source) stop() {
	if s.cancel != nil {
		s.cancel()
		<-s.ended
	}
}

// String names the source in logs.
func (s *source) String() string { return describeScope(s.informer.kind, s.namespace) }

// failed records the last error. The reflector's error does not replace the API server's response that caused it.
func (s *source) failed(err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.failure == nil {
		s.failure = err
	}
	s.informer.changed.send()
}

// answered records the outcome of a request.
func (s *source) answered(err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if err != nil {
		s.failedAt = time.Now()
	}
	s.failure = err
	s.informer.changed.send()
}

// lastFailure returns the last error, if no request has succeeded since.
func (s *source) lastFailure() error {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.failure
}

// Add implements cache.ReflectorStore.
func (s *source) Add(obj any) error { return s.informer.apply(s, obj) }

// Update implements cache.ReflectorStore.
func (s *source) Update(obj any) error { return s.informer.apply(s, obj) }

// Delete implements cache.ReflectorStore.
func (s *source) Delete(obj any) error {
	i := s.informer
	name, obj, err := i.prepare(obj)
	if err != nil {
		return err
	}
	i.events.Lock()
	defer i.events.Unlock()
	i.forget(name, obj)
	return nil
}

// Replace implements cache.ReflectorStore: list has all objects of the namespace.
func (s *source) Replace(list []any, version string) error {
	i := s.informer
	names := make([]cache.ObjectName, len(list))
	present := make(map[cache.ObjectName]struct{}, len(list))
	for n, obj := range list {
		name, obj, err := i.prepare(obj)
		if err != nil {
			return err
		}
		names[n], list[n] = name, obj
		present[name] = struct{}{}
	}
	i.events.Lock()
	defer i.events.Unlock()
	for n, obj := range list {
		i.set(names[n], obj, !i.everSynced)
	}
	for _, name := range i.store.names(s.namespace) {
		if _, ok := present[name]; !ok {
			i.forget(name, nil)
		}
	}
	s.synced = true
	s.reached(version)
	i.checkSynced()
	i.changed.send()
	return nil
}

// Resync implements cache.ReflectorStore. It does nothing: the informer resyncs its handlers.
func (s *source) Resync() error { return nil }

// Transformer implements cache.TransformingStore. The reflector trims objects while it receives a streamed list. The transform
// function is called in Replace, because the reflector would skip objects for which it fails.
func (s *source) Transformer() cache.TransformFunc { return s.informer.trim }

// UpdateResourceVersion implements cache.ResourceVersionUpdater.
func (s *source) UpdateResourceVersion(version string) {
	s.informer.events.Lock()
	defer s.informer.events.Unlock()
	s.reached(version)
}

// reached records the resource version of an event or list. The caller holds events.
func (s *source) reached(version string) {
	s.version = version
	i := s.informer
	if !s.joining {
		i.store.Bookmark(lowest(i.sources))
		i.metrics.reached(i.store.LastStoreSyncResourceVersion())
	}
}

// observed is a ListerWatcher that records the API server's responses.
type observed struct {
	source *source
	cache.ListerWatcherWithContext
}

// List implements cache.ListerWatcher.
func (o *observed) List(options metav1.ListOptions) (runtime.Object, error) {
	return o.ListWithContext(context.Background(), options)
}

// Watch implements cache.ListerWatcher.
func (o *observed) Watch(options metav1.ListOptions) (watch.Interface, error) {
	return o.WatchWithContext(context.Background(), options)
}

// ListWithContext implements cache.ListerWatcherWithContext.
func (o *observed) ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	list, err := o.ListerWatcherWithContext.ListWithContext(ctx, options)
	if ctx.Err() == nil {
		o.source.answered(err)
	}
	if err == nil && options.Continue == "" {
		o.source.count(&o.source.lists, 1)
	}
	return list, err
}

// WatchWithContext implements cache.ListerWatcherWithContext.
func (o *observed) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	opened, err := o.ListerWatcherWithContext.WatchWithContext(ctx, options)
	if ctx.Err() == nil {
		o.source.answered(err)
	}
	if err != nil {
		return nil, err
	}
	o.source.count(&o.source.watches, 1)
	return &openWatch{Interface: opened, closed: sync.OnceFunc(func() { o.source.count(&o.source.watches, -1) })}, nil
}

// IsWatchListSemanticsUnSupported reports whether the client cannot stream lists.
func (o *observed) IsWatchListSemanticsUnSupported() bool {
	client, ok := o.ListerWatcherWithContext.(interface{ IsWatchListSemanticsUnSupported() bool })
	return ok && client.IsWatchListSemanticsUnSupported()
}

func (s *source) count(counter *int, by int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	*counter += by
}

// openWatch is a watch that counts as open until it is stopped.
type openWatch struct {
	watch.Interface
	closed func()
}

// Stop implements watch.Interface.
func (w *openWatch) Stop() {
	w.Interface.Stop()
	w.closed()
}
