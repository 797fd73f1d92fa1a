package consistency

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/waiters"
)

// Tracker knows, for each item of a work queue, which writes of its last session are pending: the caches do not have them yet. An
// item is usually the name of the object that is reconciled. All methods may be called concurrently, also from event handlers.
type Tracker struct {
	clock    clock.WithTicker
	timeout  time.Duration
	released func(Release)
	// unselected may be nil.
	unselected func(item cache.ObjectName, object metav1.Object)

	// waiting has the items that wait for an event about an object.
	waiting waiters.Set[*Cache]
	// caches is replaced, with lock held, when a cache is added.
	caches atomic.Pointer[[]*Cache]
	// written has what Written returns.
	written marks

	// count is the number of entries. Most calls only take the lock if it is not 0.
	count atomic.Int64
	// lock guards the entries. Locks of informers and of waiting are taken while it is held, never the other way around. It is not
	// held while functions of callers run.
	lock    sync.Mutex
	entries map[cache.ObjectName]*entry
}

// entry is an item with pending writes.
type entry struct {
	pending []Write
	// since is when Ready first reported that the item has to wait, or zero.
	since time.Time
	// again is the function of Notify, and changed is closed for WaitFor. Both are nil if nobody waits.
	again   func()
	changed chan struct{}
	// stop ends the timer that checks the item in the absence of events. Without a timer, it is nil.
	stop func()
}

// Release is the end of an item's wait.
type Release struct {
	Item cache.ObjectName
	// Waited is the time since Ready first reported that the item has to wait.
	Waited time.Duration
	// Pending has the writes that are still pending after the timeout. It is empty if the caches have all writes.
	Pending []Write
}

// Option configures a Tracker.
type Option func(*Tracker)

// WithTimeout sets how long an item waits for its pending writes, since Ready first reported them. The item then is ready, and the
// writes are forgotten: something is wrong with a watch. The default is 1 minute; with 0, items never wait.
func WithTimeout(d time.Duration) Option { return func(t *Tracker) { t.timeout = d } }

// WithClock sets the clock. The default is the real clock.
func WithClock(c clock.WithTicker) Option { return func(t *Tracker) { t.clock = c } }

// WithReleased sets a function that is called when an item that had to wait is ready, for metrics and logs. The goroutine that
// calls Ready or WaitFor calls it.
func WithReleased(released func(Release)) Option { return func(t *Tracker) { t.released = released } }

// WithUnselected sets a function that is called with each new object that a session wrote and that the selectors of its informer leave
// out: the cache will not have it.
func WithUnselected(unselected func(item cache.ObjectName, object metav1.Object)) Option {
	return func(t *Tracker) { t.unselected = unselected }
}

// defaultTimeout is the timeout without WithTimeout.
const defaultTimeout = time.Minute

// recheckPeriod is how often waiting items are checked in the absence of events.
const recheckPeriod = time.Second

// NewTracker returns a tracker without caches, see [Watch].
func NewTracker(options ...Option) *Tracker {
	t := &Tracker{
		clock: clock.RealClock{}, timeout: defaultTimeout, released: func(Release) {},
		entries: map[cache.ObjectName]*entry{},
	}
	t.caches.Store(&[]*Cache{})
	for _, option := range options {
		option(t)
	}
	return t
}

// Ready reports whether an item may be reconciled: the caches have all writes of its last session, or it has waited longer than the
// timeout. If it has to wait, [Tracker.Notify] says when to ask again. Ready takes a few nanoseconds if no item has pending writes.
func (t *Tracker) Ready(item cache.ObjectName) bool {
	if t.count.Load() == 0 {
		return true
	}
	release, ready := t.check(item)
	if release != nil {
		t.released(*release)
	}
	return ready
}

// check forgets the writes that have arrived. It returns the end of the item's wait, if it had to wait and is ready.
func (t *Tracker) check(item cache.ObjectName) (release *Release, ready bool) {
	t.lock.Lock()
	defer t.lock.Unlock()
	e := t.entries[item]
	if e == nil {
		return nil, true
	}
	now := t.clock.Now()
	e.pending = slices.DeleteFunc(e.pending, Write.arrived)
	waits := !e.since.IsZero()
	if len(e.pending) > 0 {
		if !waits {
			e.since = now
		}
		if now.Sub(e.since) < t.timeout {
			return nil, false
		}
	}
	t.forget(item, e)
	if !waits {
		return nil, true
	}
	return &Release{Item: item, Waited: now.Sub(e.since), Pending: e.pending}, true
}

// Notify calls a function once, when it is worthwhile to ask [Tracker.Ready] again: after an event about an object whose write is
// pending, after a second, or at the timeout. If nothing is pending, it calls the function immediately. The function, which usually
// adds the item to the queue, must not block. A later call for the same item replaces the function.
func (t *Tracker) Notify(item cache.ObjectName, again func()) {
	t.lock.Lock()
	e := t.entries[item]
	if e != nil {
		e.again = again
		t.arm(item, e)
	}
	t.lock.Unlock()
	if e == nil {
		again()
		return
	}
	if t.arrived(item) { // before the item was armed
		t.wake(item)
	}
}

// WaitFor waits until an item is ready, see [Tracker.Ready]. If ctx is done first, it returns an error with its cause and the
// pending writes.
func (t *Tracker) WaitFor(ctx context.Context, item cache.ObjectName) error {
	for !t.Ready(item) {
		changed := t.changes(item)
		if t.arrived(item) {
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			var missing []string
			for _, w := range t.Pending(item) {
				missing = append(missing, w.String())
			}
			return fmt.Errorf("waiting for the caches to have %s: %w", strings.Join(missing, ", "), context.Cause(ctx))
		}
	}
	return nil
}

// changes returns a channel that is closed when it is worthwhile to ask Ready again.
func (t *Tracker) changes(item cache.ObjectName) <-chan struct{} {
	t.lock.Lock()
	defer t.lock.Unlock()
	e := t.entries[item]
	if e == nil {
		ready := make(chan struct{})
		close(ready)
		return ready
	}
	if e.changed == nil {
		e.changed = make(chan struct{})
	}
	t.arm(item, e)
	return e.changed
}

// Pending returns the pending writes of an item.
func (t *Tracker) Pending(item cache.ObjectName) []Write {
	if t.count.Load() == 0 {
		return nil
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	e := t.entries[item]
	if e == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(e.pending), Write.arrived)
}

// arrived reports whether nothing is pending for an item.
func (t *Tracker) arrived(item cache.ObjectName) bool { return len(t.Pending(item)) == 0 }

// Forget drops the pending writes of an item. Call it when the object of the item is gone: nobody would ask for the item again.
func (t *Tracker) Forget(item cache.ObjectName) {
	if t.count.Load() == 0 {
		return
	}
	t.lock.Lock()
	e := t.entries[item]
	if e != nil {
		t.forget(item, e)
	}
	t.lock.Unlock()
	e.notify()
}

// Stop forgets all pending writes. Functions of Notify that have not been called are not called any more.
func (t *Tracker) Stop() {
	t.lock.Lock()
	defer t.lock.Unlock()
	for item, e := range t.entries {
		e.again = nil
		t.forget(item, e)
		e.notify()
	}
}

// keep adds pending writes to an item.
func (t *Tracker) keep(item cache.ObjectName, writes []Write) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.entries[item] == nil {
		t.entries[item] = &entry{}
	}
	t.entries[item].pending = append(t.entries[item].pending, writes...)
	t.count.Store(int64(len(t.entries)))
}

// forget drops an entry. The caller holds the lock.
func (t *Tracker) forget(item cache.ObjectName, e *entry) {
	delete(t.entries, item)
	t.count.Store(int64(len(t.entries)))
	t.waiting.Forget(item)
	if e.stop != nil {
		e.stop()
	}
}

// arm makes events about the pending writes of an item wake it, and a timer. The caller holds the lock.
func (t *Tracker) arm(item cache.ObjectName, e *entry) {
	for _, w := range e.pending {
		t.waiting.Add(waiters.Key[*Cache]{Cache: w.cache, Object: w.Object}, item)
	}
	if e.stop == nil {
		delay := recheckPeriod
		if !e.since.IsZero() {
			delay = max(0, min(delay, t.timeout-t.clock.Since(e.since)))
		}
		e.stop = t.after(delay, func() { t.wake(item) })
	}
}

// wake makes the waiters of an item check again.
func (t *Tracker) wake(item cache.ObjectName) {
	t.lock.Lock()
	e := t.entries[item]
	var waits entry
	if e != nil {
		waits = entry{again: e.again, changed: e.changed}
		e.again, e.changed = nil, nil
		if e.stop != nil {
			e.stop()
			e.stop = nil
		}
	}
	t.lock.Unlock()
	waits.notify()
}

// notify calls the function of Notify and wakes WaitFor.
func (e *entry) notify() {
	if e == nil {
		return
	}
	if e.again != nil {
		e.again()
	}
	if e.changed != nil {
		close(e.changed)
	}
}

// after calls a function after a delay, unless stop is called first.
func (t *Tracker) after(d time.Duration, f func()) (stop func()) {
	if c, ok := t.clock.(clock.WithDelayedExecution); ok {
		// Fake clocks call the function with their lock held.
		timer := c.AfterFunc(d, func() { go f() })
		return func() { timer.Stop() }
	}
	timer, stopped := t.clock.NewTimer(d), make(chan struct{})
	go func() {
		defer timer.Stop()
		select {
		case <-timer.C():
			f()
		case <-stopped:
		}
	}()
	return sync.OnceFunc(func() { close(stopped) })
}
