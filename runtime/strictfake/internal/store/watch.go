package store

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/watch"
)

const (
	// bookmarkPeriod is the interval of bookmarks, and lastBookmark the time from the last bookmark to the timeout of a watch.
	bookmarkPeriod = time.Minute
	lastBookmark   = 2 * time.Second
	// resultBuffer is the size of a watch's channel.
	resultBuffer = 100
)

// View says which objects a watch delivers, and how. The watch calls it with the lock of the store.
type View interface {
	// Matches reports whether the watch delivers a record.
	Matches(record *Record) bool
	// Event returns an event for a record. If the revision is not 0, it is the resource version of the object.
	Event(kind watch.EventType, record *Record, revision uint64) watch.Event
	// Bookmark returns a bookmark for a revision. It marks the end of the initial objects if initialEventsEnd is set.
	Bookmark(revision uint64, initialEventsEnd bool) watch.Event
}

// WatchOptions configures a watch.
type WatchOptions struct {
	// Initial is set if the watch starts with all objects. They are followed by a bookmark if MarksInitial is set.
	Initial, MarksInitial bool
	// After is the revision after which changes are delivered, which may be in the future. It is 0 for the latest revision, and
	// always if Initial is set.
	After uint64
	// Bookmarks is set if the watch delivers a bookmark every minute.
	Bookmarks bool
	// Timeout is how long the watch runs. It is 0 for no limit.
	Timeout time.Duration
}

// Watcher is a watch that reads its events from the history of a store. It stops with Stop, with the context of StopWith, and at
// its timeout. Then it closes its channel.
type Watcher struct {
	store   *Store
	view    View
	options WatchOptions
	// initial are the initial objects, and position is the last change that they include.
	initial  []*Record
	position *change
	revision uint64

	results chan watch.Event
	stop    chan struct{}
	stopped sync.Once
	// release detaches the watch from the context of the request.
	release atomic.Pointer[func() bool]
}

var _ watch.Interface = (*Watcher)(nil)

// Watch starts a watch. It returns false if the changes from the revision are no longer kept.
func (s *Store) Watch(r *Resource, view View, options WatchOptions) (*Watcher, bool) {
	w := &Watcher{
		store: s, view: view, options: options, position: r.latest, revision: s.revision,
		results: make(chan watch.Event, resultBuffer), stop: make(chan struct{}),
	}
	switch {
	case options.Initial:
		for _, key := range r.keys() {
			if record := r.objects[key]; view.Matches(record) {
				w.initial = append(w.initial, record)
			}
		}
	case options.After > 0:
		position, ok := s.since(r, options.After)
		if !ok {
			return nil, false
		}
		w.position = position
	}
	go w.run()
	return w, true
}

// ResultChan implements watch.Interface.
func (w *Watcher) ResultChan() <-chan watch.Event { return w.results }

// Stop implements watch.Interface.
func (w *Watcher) Stop() { w.stopped.Do(func() { close(w.stop) }) }

// StopWith stops the watch when ctx is done. Fake clients can call it with the context of the request.
func (w *Watcher) StopWith(ctx context.Context) {
	release := context.AfterFunc(ctx, w.Stop)
	w.release.Store(&release)
}

// run delivers events until the watch is stopped or times out.
func (w *Watcher) run() {
	defer close(w.results)
	defer func() {
		if release := w.release.Load(); release != nil {
			(*release)()
		}
	}()
	var timeout <-chan time.Time
	var deadline time.Time
	if w.options.Timeout > 0 {
		timeout, deadline = time.After(w.options.Timeout), time.Now().Add(w.options.Timeout)
	}
	if !w.begin(timeout) {
		return
	}
	var bookmarks <-chan time.Time
	if w.options.Bookmarks {
		bookmarks = time.After(untilBookmark(deadline))
	}
	for {
		select {
		case <-w.position.nextAvailable:
			w.position = w.position.next
			w.revision = max(w.revision, w.position.revision)
			if w.position.revision <= w.options.After {
				continue
			}
			if event, ok := w.event(w.position); ok && !w.send(event, timeout) {
				return
			}
		case <-bookmarks:
			if !w.send(w.bookmark(false), timeout) {
				return
			}
			bookmarks = time.After(untilBookmark(deadline))
		case <-timeout:
			return
		case <-w.stop:
			return
		}
	}
}

// untilBookmark returns the time until the next bookmark. The last one is sent shortly before the deadline, if there is one.
func untilBookmark(deadline time.Time) time.Duration {
	if last := time.Until(deadline) - lastBookmark; !deadline.IsZero() && last > 0 {
		return min(last, bookmarkPeriod)
	}
	return bookmarkPeriod
}

// begin delivers the initial objects. It returns false if the watch has ended.
func (w *Watcher) begin(timeout <-chan time.Time) bool {
	for _, record := range w.initial {
		w.store.Lock()
		event := w.view.Event(watch.Added, record, 0)
		w.store.Unlock()
		if !w.send(event, timeout) {
			return false
		}
	}
	w.initial = nil
	if w.options.MarksInitial {
		return w.send(w.bookmark(true), timeout)
	}
	return true
}

// send delivers an event. It returns false if the watch has ended.
func (w *Watcher) send(event watch.Event, timeout <-chan time.Time) bool {
	select {
	case w.results <- event:
		return true
	case <-timeout:
	case <-w.stop:
	}
	return false
}

// event returns the event of a change: an object that starts or stops matching is added or deleted.
func (w *Watcher) event(c *change) (watch.Event, bool) {
	w.store.Lock() // schemas may be set concurrently
	defer w.store.Unlock()
	is := c.is != nil && w.view.Matches(c.is)
	was := c.was != nil && w.view.Matches(c.was)
	switch {
	case is && was:
		return w.view.Event(watch.Modified, c.is, 0), true
	case is:
		return w.view.Event(watch.Added, c.is, 0), true
	case was:
		return w.view.Event(watch.Deleted, c.was, c.revision), true
	}
	return watch.Event{}, false
}

// bookmark returns a bookmark with the revision that the watch has reached.
func (w *Watcher) bookmark(initialEventsEnd bool) watch.Event {
	w.store.Lock()
	defer w.store.Unlock()
	return w.view.Bookmark(w.revision, initialEventsEnd)
}
