package shared

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
)

// source lists and watches a part of the objects for an informer. It is the store of its reflector and implements
// cache.ReflectorStore, cache.ResourceVersionUpdater and cache.TransformingStore.
type source struct {
	part     arcs.Part
	informer *Informer
	// generation is the number of the time at which the namespace was added.
	generation int64

	// These fields are guarded by Informer.lock.

	// reflector is kept when the informer stops, so that it does not list older objects after a restart.
	reflector *cache.Reflector
	cancel    context.CancelFunc
	ended     chan struct{}
	// leaving is set when the source is about to be removed, and must not be launched any more. It is written with both locks.
	leaving bool

	// These fields are guarded by Informer.events.

	// synced is set if the part has been listed since the source was last started.
	synced bool
	// joining is set while SetNamespaces or SetArcs waits for the source.
	joining bool
	// arriving is set until the first list of arcs that have come: for handlers, it is an initial list.
	arriving bool
	// version is the resource version that the source has reached, but for floors.
	version version
	floors  []floor

	// lock guards the fields below.
	lock     sync.Mutex
	failure  error
	failedAt time.Time
	// mistake is an error of the program: it stays when requests succeed.
	mistake error
	lists   int
	watches int
	// since is the version from which the source watches without a list, since others have listed its part; "" if it has to list.
	since string
	// others is set if the last list had objects of other arcs.
	others bool
}

// generations counts how often a namespace was added to an informer.
var generations atomic.Int64

// newSource returns a source that the informer does not have yet. The caller holds Informer.events, if others have the informer.
func newSource(informer *Informer, p arcs.Part) *source {
	return &source{part: p, informer: informer, generation: informer.generationOf(p.Namespace)}
}

// The backoff of reflectors after failures, with client-go's values.
const (
	backoffBase  = 800 * time.Millisecond
	backoffMax   = 30 * time.Second
	backoffReset = 2 * time.Minute
)

// launch lists and watches in the background until the source is stopped or ctx is done. The caller holds Informer.lock.
func (s *source) launch(ctx context.Context) {
	if s.leaving {
		return
	}
	ctx, s.cancel = context.WithCancel(ctx)
	if s.reflector == nil {
		i := s.informer
		s.reflector = cache.NewReflectorWithOptions(
			&observed{s, cache.ToListerWatcherWithContext(i.config.ListerWatcher(s.part.Namespace)), s.requests()},
			nil, s, cache.ReflectorOptions{Name: s.String(), TypeDescription: reflect.TypeOf(i.config.Object).String()})
	}
	backoff := wait.Backoff{Duration: backoffBase, Cap: backoffMax, Steps: 10, Factor: 2, Jitter: 1}
	delay := backoff.DelayWithReset(clock.RealClock{}, backoffReset)
	reflector, ended := s.reflector, make(chan struct{})
	s.ended = ended
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			s.listAndWatch(ctx, reflector)
			select {
			case <-ctx.Done():
			case <-time.After(delay()):
			}
		}
	}()
}

// listAndWatch lists and watches once. Unless utilruntime.ReallyCrash is set, it survives panics, for instance of a transform or an
// index function.
func (s *source) listAndWatch(ctx context.Context, reflector *cache.Reflector) {
	defer utilruntime.HandleCrashWithContext(ctx)
	err := reflector.ListAndWatchWithContext(ctx)
	if err != nil && ctx.Err() == nil {
		s.failed(err)
		s.informer.config.WatchErrorHandler(ctx, reflector, err)
	}
}

// halt stops the source, and returns a function that waits until it has stopped. The caller holds Informer.lock, and must release
// it before it waits.
func (s *source) halt() (wait func()) {
	if s.cancel == nil {
		return func() {}
	}
	s.cancel()
	ended := s.ended
	return func() { <-ended }
}

// String names the source in logs.
func (s *source) String() string {
	resource := s.informer.config.Resource.GroupResource()
	if s.part.Namespace == metav1.NamespaceAll {
		return resource.String()
	}
	return fmt.Sprintf("%s in namespace %q", resource, s.part.Namespace)
}

// failed records the last error. The reflector's error does not replace the API server's response that caused it.
func (s *source) failed(err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.failure == nil {
		s.failure = err
	}
	s.informer.changed.Send()
}

// answered records the outcome of a request.
func (s *source) answered(err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if err != nil {
		s.failedAt = time.Now()
	}
	s.failure = err
	s.informer.changed.Send()
}

// lastFailure returns the last error, if no request has succeeded since, or a mistake.
func (s *source) lastFailure() error {
	s.lock.Lock()
	defer s.lock.Unlock()
	return cmp.Or(s.failure, s.mistake)
}

// continues returns the version from which the source watches without a list, or "".
func (s *source) continues() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.since
}

// continued makes the source list from now on. It reports whether the source has not done so before.
func (s *source) continued() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	since := s.since
	s.since = ""
	return since != ""
}

// listed returns the number of lists.
func (s *source) listed() int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.lists
}

func (s *source) count(counter *int, by int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	*counter += by
}

// Add implements cache.ReflectorStore.
func (s *source) Add(obj any) error { return s.Update(obj) }

// Update implements cache.ReflectorStore.
func (s *source) Update(obj any) error {
	if err := s.check(obj); err != nil {
		return err
	}
	return s.informer.apply(s, obj)
}

// Delete implements cache.ReflectorStore.
func (s *source) Delete(obj any) error {
	if err := s.check(obj); err != nil {
		return err
	}
	return s.informer.delete(s, obj)
}

// Replace implements cache.ReflectorStore: list has all objects of the part, unless the source continues.
func (s *source) Replace(list []any, version string) error {
	if s.continued() {
		s.informer.events.Lock()
		defer s.informer.events.Unlock()
		s.reached(parseVersion(version))
		return nil
	}
	for _, obj := range list {
		if err := s.check(obj); err != nil {
			return err
		}
	}
	return s.informer.replace(s, list, parseVersion(version))
}

// Resync implements cache.ReflectorStore. It does nothing: the informer resyncs its handlers.
func (s *source) Resync() error { return nil }

// Transformer implements cache.TransformingStore. The reflector trims objects while it receives a streamed list. The transform
// function is called in Replace, because the reflector would skip objects for which it fails.
func (s *source) Transformer() cache.TransformFunc {
	return func(obj any) (any, error) { return s.informer.config.Trimmer.Trim(obj), nil }
}

// UpdateResourceVersion implements cache.ResourceVersionUpdater.
func (s *source) UpdateResourceVersion(version string) {
	s.informer.events.Lock()
	defer s.informer.events.Unlock()
	s.reached(parseVersion(version))
}

// advance records the version of an event, together with its change of the store. Without a version of the list, events may come
// in any order: then only the reflector knows the version that was reached. The caller holds Informer.events.
func (s *source) advance(v version) {
	if s.version.known && v.known && !s.version.reaches(v) {
		s.reached(v)
	}
}
