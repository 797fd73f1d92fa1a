package shared

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

// listener delivers events to one handler, one at a time. Its queue is unbounded and keeps events while the informer is stopped.
// It implements cache.ResourceEventHandlerRegistration.
type listener struct {
	informer *Informer
	handler  cache.ResourceEventHandler
	// logger, if set, replaces the logger of the informer's context.
	logger *klog.Logger

	// These fields schedule resyncs and are guarded by Informer.events. A handler that is resyncing receives the current resync,
	// including lists and events of unchanged objects. As in client-go, resyncing is set before the first resync.
	resyncPeriod time.Duration
	nextResync   time.Time
	resyncing    bool

	lock sync.Mutex
	wake *sync.Cond
	// queue has the events that wait for delivery.
	queue []event
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

func newListener(informer *Informer, handler cache.ResourceEventHandler, logger *klog.Logger, resync time.Duration) *listener {
	l := &listener{
		informer:     informer,
		handler:      handler,
		logger:       logger,
		resyncPeriod: resync,
		resyncing:    true,
		synced:       make(chan struct{}),
		finished:     make(chan struct{}),
	}
	l.wake = sync.NewCond(&l.lock)
	return l
}

// HasSynced implements cache.ResourceEventHandlerRegistration.
func (l *listener) HasSynced() bool {
	select {
	case <-l.done():
		return true
	default:
		return false
	}
}

func (l *listener) done() <-chan struct{} {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.synced
}

// HasSyncedChecker implements cache.ResourceEventHandlerRegistration.
func (l *listener) HasSyncedChecker() cache.DoneChecker { return checker{l.String, l.done} }

// ShutdownChan returns the channel that cache.ShutDownEventHandler waits for.
func (l *listener) ShutdownChan() <-chan struct{} { return l.finished }

// String names the handler in logs.
func (l *listener) String() string {
	return fmt.Sprintf("handler %s of the informer for %s", l.handlerType(), l.informer.config.Resource.GroupResource())
}

// HandlerTyper is implemented by handlers that call another handler.
type HandlerTyper interface {
	// HandlerType returns the type of the other handler.
	HandlerType() reflect.Type
}

// handlerType names the type of the handler that the user wrote.
func (l *listener) handlerType() string {
	if typer, ok := l.handler.(HandlerTyper); ok {
		return typer.HandlerType().String()
	}
	return reflect.TypeOf(l.handler).String()
}

// add appends an event to the queue.
func (l *listener) add(e event) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.removed {
		return
	}
	if e.initial {
		l.initial++
	}
	l.queue = append(l.queue, e)
	l.wake.Signal()
}

// informerSynced records whether the informer has synced: then the store has all objects, and their events are queued.
func (l *listener) informerSynced(synced bool) {
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

func (l *listener) checkSynced() {
	if !l.upstream || l.initial > 0 {
		return
	}
	select {
	case <-l.synced:
	default:
		close(l.synced)
	}
}

// run delivers events until stop or remove is called. Undelivered events stay in the queue.
func (l *listener) run(ctx context.Context) {
	if l.logger != nil {
		ctx = klog.NewContext(ctx, *l.logger)
	}
	var spare []event
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

// launch prepares the listener for run, and reports whether it should run.
func (l *listener) launch() bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.running, l.stopped = !l.removed, false
	return l.running
}

// next waits for events and takes all of them. It returns nil if the listener is stopped.
func (l *listener) next(spare []event) []event {
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
func (l *listener) interrupted(rest []event) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	if !l.stopped && !l.removed {
		return false
	}
	l.queue = append(append([]event(nil), rest...), l.queue...)
	l.halt()
	return true
}

func (l *listener) halt() {
	l.running = false
	if l.removed {
		l.queue = nil
		close(l.finished)
	}
}

// stop makes run return after the current call of the handler.
func (l *listener) stop() {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.stopped = true
	l.wake.Signal()
}

// remove stops the listener for good. It does not wait for the current call of the handler.
func (l *listener) remove() {
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

// pending returns the number of events in the queue.
func (l *listener) pending() int {
	l.lock.Lock()
	defer l.lock.Unlock()
	return len(l.queue)
}

// deliver calls the handler. If the handler panics, and utilruntime.ReallyCrash is off, the event is dropped and the next
// one is delivered a second later.
func (l *listener) deliver(ctx context.Context, e event) {
	crashed := true
	defer func() {
		if e.initial {
			l.initialDelivered()
		}
		if crashed {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		}
	}()
	defer utilruntime.HandleCrashWithContext(ctx)
	call := l.informer.mutations.Before(e.before, e.after)
	switch e.kind {
	case added:
		l.handler.OnAdd(e.after, e.initial)
	case updated:
		l.handler.OnUpdate(e.before, e.after)
	case deleted:
		l.handler.OnDelete(e.before)
	}
	call.After(l.handlerType())
	crashed = false
}

func (l *listener) initialDelivered() {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.initial--
	l.checkSynced()
}
