package informertest

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// openWatch is a watch that has not been stopped.
type openWatch struct {
	server    *Server
	namespace string
	labels    labels.Selector
	fields    fields.Selector
	shard     func(types.UID) bool
	// held is set by HoldOne.
	held bool
	// version is the version up to which changes were sent.
	version int
	results chan watch.Event
	closed  bool
}

func (w *openWatch) selects(object *corev1.ConfigMap) bool {
	return (w.namespace == "" || w.namespace == object.Namespace) && w.shard(object.UID) && w.labels.Matches(labels.Set(object.Labels)) &&
		w.fields.Matches(fields.Set{"metadata.name": object.Name})
}

// sees returns the event that a change is for the watch: an object that selectors no longer match is deleted, in its state before.
func (w *openWatch) sees(c change) (event watch.Event, sees bool) {
	object := c.event.Object.(*corev1.ConfigMap)
	was, is := c.before != nil && w.selects(c.before), w.selects(object)
	switch {
	case c.event.Type == watch.Deleted, c.before == nil, was && is:
		return c.event, is
	case is:
		return watch.Event{Type: watch.Added, Object: object}, true
	case was:
		last := c.before.DeepCopy()
		last.ResourceVersion = object.ResourceVersion
		return watch.Event{Type: watch.Deleted, Object: last}, true
	}
	return event, false
}

// send sends an event. The caller holds the lock of the server.
func (w *openWatch) send(event watch.Event) {
	event.Object = event.Object.DeepCopyObject()
	w.results <- event
}

// ResultChan implements watch.Interface.
func (w *openWatch) ResultChan() <-chan watch.Event { return w.results }

// Stop implements watch.Interface.
func (w *openWatch) Stop() {
	w.server.lock.Lock()
	defer w.server.lock.Unlock()
	w.server.watches = slices.DeleteFunc(w.server.watches, func(other *openWatch) bool { return other == w })
	if !w.closed {
		w.closed = true
		close(w.results)
	}
}

// HoldOne is Hold for one of the open watches, whose number is taken modulo their number.
func (s *Server) HoldOne(number int) (release func()) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if len(s.watches) == 0 {
		return func() {}
	}
	w := s.watches[number%len(s.watches)]
	w.held = true
	return func() {
		s.lock.Lock()
		defer s.lock.Unlock()
		w.held = false
		s.deliver()
	}
}
