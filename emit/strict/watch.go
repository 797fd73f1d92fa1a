package strict

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

const (
	// bookmarkPeriod is the interval of bookmarks, and lastBookmark the time from the last bookmark to the timeout of a watch.
	bookmarkPeriod = time.Minute
	lastBookmark   = 2 * time.Second
	// resultBuffer is the size of a watch's channel.
	resultBuffer = 100
)

// watcher delivers the changes of a selection, which it reads from the history of the server.
type watcher struct {
	server *Server
	selection
	options metav1.ListOptions
	// initial are the initial objects, and position is the last change that they include.
	initial  []*record
	position *change
	revision uint64
	// after is the revision after which changes are delivered. It may be in the future.
	after uint64

	results chan watch.Event
	stop    chan struct{}
	stopped sync.Once
	// release detaches the watch from the context of the request.
	release atomic.Pointer[func() bool]
}

var _ watch.Interface = (*watcher)(nil)

// ResultChan implements watch.Interface.
func (w *watcher) ResultChan() <-chan watch.Event { return w.results }

// Stop implements watch.Interface.
func (w *watcher) Stop() { w.stopped.Do(func() { close(w.stop) }) }

// StopWith stops the watch when ctx is done. Fake clients call it with the context of the request.
func (w *watcher) StopWith(ctx context.Context) {
	release := context.AfterFunc(ctx, w.Stop)
	w.release.Store(&release)
}

// watch starts a watch. Errors that a server reports after the start are returned as error events.
func (s *Server) watch(r *request, options metav1.ListOptions) (watch.Interface, error) {
	options.Watch = true
	if err := r.route(); err != nil {
		return nil, err
	}
	sel, err := s.selectionOf(r, options)
	if err != nil {
		return nil, err
	}
	wanted, err := parseVersion(options.ResourceVersion)
	if err != nil {
		return nil, err
	}
	w := &watcher{
		server: s, selection: sel, options: options, position: r.latest, revision: s.revision,
		results: make(chan watch.Event, resultBuffer), stop: make(chan struct{}),
	}
	streams := options.SendInitialEvents != nil && *options.SendInitialEvents
	switch {
	case streams || wanted == 0 && options.SendInitialEvents == nil:
		if err := s.reached(wanted); err != nil {
			return failed(err), nil
		}
		for _, key := range r.keys() {
			if record := r.objects[key]; s.matches(sel, record) {
				w.initial = append(w.initial, record)
			}
		}
	case wanted > 0:
		position, ok := s.since(r.resource, wanted)
		if !ok {
			return failed(apierrors.NewResourceExpired("too old resource version: " + options.ResourceVersion + " (" + strconv.FormatUint(max(s.compacted, r.oldest.revision), 10) + ")")), nil
		}
		w.position, w.after = position, wanted
	}
	go w.run()
	return w, nil
}

// failed returns a watch with a single error event.
func failed(err error) watch.Interface {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		status = apierrors.NewInternalError(err)
	}
	reason := status.Status()
	w := watch.NewFakeWithChanSize(1, false)
	w.Error(&reason)
	w.Stop()
	return w
}

// run delivers events until the watch is stopped or times out.
func (w *watcher) run() {
	defer close(w.results)
	defer func() {
		if release := w.release.Load(); release != nil {
			(*release)()
		}
	}()
	var timeout <-chan time.Time
	var deadline time.Time
	if seconds := w.options.TimeoutSeconds; seconds != nil && *seconds > 0 {
		length := time.Duration(*seconds) * time.Second
		timeout, deadline = time.After(length), time.Now().Add(length)
	}
	if !w.begin(timeout) {
		return
	}
	var bookmarks <-chan time.Time
	if w.options.AllowWatchBookmarks {
		bookmarks = time.After(untilBookmark(deadline))
	}
	for {
		select {
		case <-w.position.nextAvailable:
			w.position = w.position.next
			w.revision = max(w.revision, w.position.revision)
			if w.position.revision <= w.after {
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

// begin delivers the initial objects.
func (w *watcher) begin(timeout <-chan time.Time) bool {
	for _, record := range w.initial {
		w.server.lock.Lock()
		event, ok := w.of(watch.Added, record, 0)
		w.server.lock.Unlock()
		if ok && !w.send(event, timeout) {
			return false
		}
	}
	w.initial = nil
	if w.options.SendInitialEvents != nil && *w.options.SendInitialEvents && w.options.AllowWatchBookmarks {
		return w.send(w.bookmark(true), timeout)
	}
	return true
}

func (w *watcher) send(event watch.Event, timeout <-chan time.Time) bool {
	select {
	case w.results <- event:
		return true
	case <-timeout:
	case <-w.stop:
	}
	return false
}

// event returns the event of a change for the selection: an object that starts or stops matching is added or deleted.
func (w *watcher) event(c *change) (watch.Event, bool) {
	w.server.lock.Lock() // schemas may be set concurrently
	defer w.server.lock.Unlock()
	is := c.is != nil && w.server.matches(w.selection, c.is)
	was := c.was != nil && w.server.matches(w.selection, c.was)
	switch {
	case is && was:
		return w.of(watch.Modified, c.is, 0)
	case is:
		return w.of(watch.Added, c.is, 0)
	case was:
		return w.of(watch.Deleted, c.was, c.revision)
	}
	return watch.Event{}, false
}

// of returns an event for an object. If the revision is not 0, it is the resource version of the object.
func (w *watcher) of(kind watch.EventType, r *record, revision uint64) (watch.Event, bool) {
	object, err := w.server.as(w.served, r)
	if err != nil {
		status := apierrors.NewInternalError(err).Status()
		return watch.Event{Type: watch.Error, Object: &status}, true
	}
	object = object.DeepCopyObject()
	object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	if accessor, err := meta.Accessor(object); err == nil && revision > 0 {
		accessor.SetResourceVersion(strconv.FormatUint(revision, 10))
	}
	return watch.Event{Type: kind, Object: object}, true
}

// bookmark returns a bookmark event with the resource version that the watch has reached.
func (w *watcher) bookmark(initialEventsEnd bool) watch.Event {
	var object runtime.Object = &metav1.Status{}
	if empty, err := w.scheme.New(w.GroupVersionKind); err == nil {
		object = empty
	}
	if accessor, err := meta.Accessor(object); err == nil {
		accessor.SetResourceVersion(strconv.FormatUint(w.revision, 10))
		if initialEventsEnd {
			accessor.SetAnnotations(map[string]string{metav1.InitialEventsAnnotationKey: "true"})
		}
	}
	return watch.Event{Type: watch.Bookmark, Object: object}
}
