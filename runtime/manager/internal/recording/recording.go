// Package recording writes events to the API server, up to the last one of a process.
package recording

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/reference"
)

// Recording writes events with client-go's broadcaster, which passes each on in goroutines that nobody waits for.
type Recording struct {
	events.EventBroadcaster

	// recorded is the number of events, and received the number of events that have reached the broadcaster's watchers.
	recorded, received atomic.Int64
	sink               *sink
	// stop ends the goroutines of Start.
	stop   func()
	ending sync.Once
}

// New returns a recording. Start begins to write events.
func New(config *rest.Config) (*Recording, error) {
	kube, err := kubernetes.NewForConfig(rest.AddUserAgent(rest.CopyConfig(config), "events"))
	if err != nil {
		return nil, err
	}
	return newRecording(&events.EventSinkImpl{Interface: kube.EventsV1()}), nil
}

func newRecording(to events.EventSink) *Recording {
	r := &Recording{sink: &sink{EventSink: to, changed: make(chan struct{}, 1)}}
	r.EventBroadcaster = events.NewBroadcaster(r.sink)
	return r
}

// Start begins to write events, until End.
func (r *Recording) Start(ctx context.Context) error {
	stopCounting, err := r.StartEventWatcher(func(runtime.Object) {
		r.received.Add(1)
		r.sink.notify()
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r.stop = func() {
		stopCounting()
		cancel()
	}
	return r.StartRecordingToSinkWithContext(ctx)
}

// NewRecorder returns a recorder for events of a reporting controller, about objects of a scheme.
func (r *Recording) NewRecorder(scheme *runtime.Scheme, reportingController string) events.EventRecorder {
	return recorder{r.EventBroadcaster.NewRecorder(scheme, reportingController), scheme, r}
}

// settling is how long the broadcaster may take from receiving an event to the request, without a sign of life.
const settling = 100 * time.Millisecond

// End waits until the events that were recorded are written, for up to a time, and ends the broadcaster. Only the first call counts.
func (r *Recording) End(patience time.Duration) {
	r.ending.Do(func() {
		if r.stop != nil && r.recorded.Load() > 0 {
			r.settle(patience)
		}
		if r.stop != nil {
			r.stop()
		}
		r.Shutdown()
	})
}

// settle waits until the events that were recorded are written, for up to a time.
func (r *Recording) settle(patience time.Duration) {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		var quiet <-chan time.Time
		if r.received.Load() >= r.recorded.Load() && r.sink.idle() {
			quiet = time.After(settling)
		}
		select {
		case <-quiet:
			return
		case <-r.sink.changed:
		case <-deadline.C:
			return
		}
	}
}

// recorder counts events.
type recorder struct {
	events.EventRecorder

	scheme    *runtime.Scheme
	recording *Recording
}

// Eventf implements events.EventRecorder. It does not count what client-go refuses.
func (r recorder) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any) {
	_, err := reference.GetReference(r.scheme, regarding)
	if err == nil && (eventtype == corev1.EventTypeNormal || eventtype == corev1.EventTypeWarning) {
		r.recording.recorded.Add(1)
	}
	r.EventRecorder.Eventf(regarding, related, eventtype, reason, action, note, args...)
}

// sink counts requests in flight.
type sink struct {
	events.EventSink

	lock     sync.Mutex
	inFlight int
	// changed has a value if something has happened.
	changed chan struct{}
}

func (s *sink) notify() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *sink) idle() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.inFlight == 0
}

func (s *sink) add(n int) {
	s.lock.Lock()
	s.inFlight += n
	s.lock.Unlock()
	s.notify()
}

// Create implements events.EventSink.
func (s *sink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	s.add(1)
	defer s.add(-1)
	return s.EventSink.Create(ctx, event)
}

// Update implements events.EventSink.
func (s *sink) Update(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	s.add(1)
	defer s.add(-1)
	return s.EventSink.Update(ctx, event)
}

// Patch implements events.EventSink.
func (s *sink) Patch(ctx context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
	s.add(1)
	defer s.add(-1)
	return s.EventSink.Patch(ctx, event, data)
}
