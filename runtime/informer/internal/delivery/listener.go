// Package delivery gives events to handlers, each in a queue of its own.
package delivery

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/mutation"
)

// Listener delivers events to one handler, one at a time. Its queue is unbounded and keeps events while the informer is stopped.
// It implements cache.ResourceEventHandlerRegistration.
type Listener struct {
	informer  fmt.Stringer
	mutations *mutation.Detector
	handler   cache.ResourceEventHandler
	// logger, if set, replaces the logger of the informer's context.
	logger *klog.Logger

	// These fields schedule resyncs and are guarded by the informer. A handler that is resyncing receives the current resync,
	// including lists and events of unchanged objects. As in client-go, Resyncing is set before the first resync.
	ResyncPeriod time.Duration
	NextResync   time.Time
	Resyncing    bool

	lock sync.Mutex
	wake *sync.Cond
	// queue has the Events that wait for delivery.
	queue []Event
	// initial counts the objects of the initial list that have not been delivered.
	initial          int
	stopped, removed bool
	// synced is closed when the informer has synced and the initial list has been delivered. A restart replaces it.
	synced   chan struct{}
	upstream bool
	// finished is closed when the handler is removed and its last call has returned.
	finished chan struct{}
	running  bool
}

// New returns a listener that is not running, for the handler of an informer with a name. The logger may be nil.
func New(
	informer fmt.Stringer, mutations *mutation.Detector, handler cache.ResourceEventHandler, logger *klog.Logger, resync time.Duration,
) *Listener {
	l := &Listener{
		informer:     informer,
		mutations:    mutations,
		handler:      handler,
		logger:       logger,
		ResyncPeriod: resync,
		Resyncing:    true,
		synced:       make(chan struct{}),
		finished:     make(chan struct{}),
	}
	l.wake = sync.NewCond(&l.lock)
	return l
}

// HasSynced implements cache.ResourceEventHandlerRegistration.
func (l *Listener) HasSynced() bool {
	select {
	case <-l.done():
		return true
	default:
		return false
	}
}

func (l *Listener) done() <-chan struct{} {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.synced
}

// HasSyncedChecker implements cache.ResourceEventHandlerRegistration.
func (l *Listener) HasSyncedChecker() cache.DoneChecker { return Checker{Says: l.String, Ends: l.done} }

// ShutdownChan returns the channel that cache.ShutDownEventHandler waits for.
func (l *Listener) ShutdownChan() <-chan struct{} { return l.finished }

// String names the handler in logs.
func (l *Listener) String() string {
	return fmt.Sprintf("handler %s of the %s", l.handlerType(), l.informer)
}

// HandlerTyper is implemented by handlers that call another handler.
type HandlerTyper interface {
	// HandlerType returns the type of the other handler.
	HandlerType() reflect.Type
}

// handlerType names the type of the handler that the user wrote.
func (l *Listener) handlerType() string {
	if typer, ok := l.handler.(HandlerTyper); ok {
		return typer.HandlerType().String()
	}
	return reflect.TypeOf(l.handler).String()
}

// Add appends an event to the queue.
func (l *Listener) Add(e Event) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.removed {
		return
	}
	if e.Initial {
		l.initial++
	}
	l.queue = append(l.queue, e)
	l.wake.Signal()
}

// InformerSynced records whether the informer has synced: then the store has all objects, and their events are queued.
func (l *Listener) InformerSynced(synced bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.upstream && !synced {
		select {
		case <-l.synced:
			l.synced = make(chan struct{})
		default:
		}
	}
	l.upstream = synced
	l.checkSynced()
}

func (l *Listener) checkSynced() {
	if !l.upstream || l.initial > 0 {
		return
	}
	select {
	case <-l.synced:
	default:
		close(l.synced)
	}
}

// Run delivers events until Stop or Remove is called. Undelivered events stay in the queue.
func (l *Listener) Run(ctx context.Context) {
	if l.logger != nil {
		ctx = klog.NewContext(ctx, *l.logger)
	}
	var spare []Event
	for {
		batch := l.next(spare)
		if batch == nil {
			return
		}
		for i, e := range batch {
			if l.interrupted(batch[i:]) {
				return
			}
			l.deliver(ctx, e)
		}
		clear(batch)
		spare = batch[:0]
		if cap(spare) > maxSpare {
			spare = nil
		}
	}
}

// maxSpare is the capacity, in events, that an idle listener keeps allocated.
const maxSpare = 1024

// Launch prepares the listener for Run, and reports whether it should run.
func (l *Listener) Launch() bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.running, l.stopped = !l.removed, false
	return l.running
}

// next waits for events and takes all of them. It returns nil if the listener is stopped.
func (l *Listener) next(spare []Event) []Event {
	l.lock.Lock()
	defer l.lock.Unlock()
	for len(l.queue) == 0 && !l.stopped && !l.removed {
		l.wake.Wait()
	}
	if l.stopped || l.removed {
		l.halt()
		return nil
	}
	batch := l.queue
	l.queue = spare
	return batch
}

// interrupted reports whether the listener is stopped. If so, it moves undelivered events back to the queue.
func (l *Listener) interrupted(rest []Event) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	if !l.stopped && !l.removed {
		return false
	}
	l.queue = append(append([]Event(nil), rest...), l.queue...)
	l.halt()
	return true
}

func (l *Listener) halt() {
	l.running = false
	if l.removed {
		l.queue = nil
		close(l.finished)
	}
}

// Stop makes Run return after the current call of the handler.
func (l *Listener) Stop() {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.stopped = true
	l.wake.Signal()
}

// Remove stops the listener for good. It does not wait for the current call of the handler.
func (l *Listener) Remove() {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.removed {
		return
	}
	l.removed = true
	if !l.running {
		l.halt()
	}
	l.wake.Signal()
}

// Pending returns the number of events in the queue.
func (l *Listener) Pending() int {
	l.lock.Lock()
	defer l.lock.Unlock()
	return len(l.queue)
}

// deliver calls the handler. If the handler panics, and utilruntime.ReallyCrash is off, the Event is dropped and the next
// one is delivered a second later.
func (l *Listener) deliver(ctx context.Context, e Event) {
	crashed := true
	defer func() {
		if e.Initial {
			l.lock.Lock()
			l.initial--
			l.checkSynced()
			l.lock.Unlock()
		}
		if crashed {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		}
	}()
	defer utilruntime.HandleCrashWithContext(ctx)
	call := l.mutations.Before(e.Before, e.After)
	switch e.Kind {
	case Added:
		l.handler.OnAdd(e.After, e.Initial)
	case Updated:
		l.handler.OnUpdate(e.Before, e.After)
	case Deleted:
		l.handler.OnDelete(e.Before)
	}
	call.After(l.handlerType())
	crashed = false
}

// Checker implements cache.DoneChecker.
type Checker struct {
	// Says names the awaited event, and Ends returns a channel that is closed when the event has happened.
	Says func() string
	Ends func() <-chan struct{}
}

// Name implements cache.DoneChecker.
func (c Checker) Name() string { return c.Says() }

// Done implements cache.DoneChecker.
func (c Checker) Done() <-chan struct{} { return c.Ends() }
