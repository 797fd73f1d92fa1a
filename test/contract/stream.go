package contract

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

// stream is a watch with recorded events.
type stream struct {
	p     *P
	label string
	watch watch.Interface
	// bookmarks requests periodic bookmarks.
	bookmarks bool
	// late is set when an event did not arrive: whoever waits for the next one would wait in vain, too.
	late bool
	// detail returns additional text for an event.
	detail func(watch.Event) string
}

// follow takes over a watch that was just started. It ends the probe if the start failed.
func (p *P) follow(label string, w watch.Interface, err error) *stream {
	p.must(label, err)
	p.onStop(w.Stop)
	return &stream{p: p, label: label, watch: w}
}

// watch watches the relays of the namespace.
func (p *P) watch(options metav1.ListOptions) *stream {
	w, err := p.relays().Watch(p.ctx, options)
	return p.follow("watch", w, err)
}

// refused records the error of a watch that cannot be started, or its first event, because some errors arrive as an event.
func (p *P) refused(label string, options metav1.ListOptions) {
	w, err := p.relays().Watch(p.ctx, options)
	if !p.err(label, err) {
		return
	}
	p.onStop(w.Stop)
	(&stream{p: p, label: label, watch: w}).next()
}

// receive waits for an event. Without an event, it returns what happened instead.
func (s *stream) receive() (watch.Event, string) {
	if s.late {
		return watch.Event{}, "timeout"
	}
	timer := time.NewTimer(s.p.patience)
	defer timer.Stop()
	for {
		select {
		case event, open := <-s.watch.ResultChan():
			if !open {
				return event, "closed"
			}
			if s.bookmarks || !isPeriodic(event) {
				return event, ""
			}
		case <-timer.C:
			s.late = true
			return watch.Event{}, "timeout"
		}
	}
}

// isPeriodic reports whether an event is a bookmark that does not end a list of initial events.
func isPeriodic(event watch.Event) bool {
	if event.Type != watch.Bookmark {
		return false
	}
	m, err := meta.Accessor(event.Object)
	return err == nil && m.GetAnnotations()[metav1.InitialEventsAnnotationKey] == ""
}

// next records the next event and returns it.
func (s *stream) next() watch.Event {
	event, missing := s.receive()
	if missing != "" {
		s.p.printf("%s: %s", s.label, missing)
		return event
	}
	line := describeEvent(event)
	if s.detail != nil && event.Object != nil {
		line += " " + s.detail(event)
	}
	s.p.printf("%s: %s", s.label, line)
	return event
}

// nextN records a number of events.
func (s *stream) nextN(n int) {
	for range n {
		s.next()
	}
}

// end records the events until the watch ends.
func (s *stream) end() {
	for {
		event, missing := s.receive()
		if missing != "" {
			s.p.printf("%s: %s", s.label, missing)
			return
		}
		s.p.printf("%s: %s", s.label, describeEvent(event))
	}
}

// closes records that a watch ends. The client may or may not report the end of the connection as errors first.
func (s *stream) closes() {
	for {
		event, missing := s.receive()
		if missing != "" || event.Type != watch.Error {
			s.p.printf("%s: %s%s", s.label, missing, event.Type)
			return
		}
	}
}

func describeEvent(event watch.Event) string {
	switch object := event.Object.(type) {
	case nil:
		return fmt.Sprintf("%s without an object", event.Type)
	case *metav1.Status:
		return fmt.Sprintf("%s %s", event.Type, describeStatus(*object))
	default:
		m, err := meta.Accessor(event.Object)
		if err != nil {
			return fmt.Sprintf("%s %T", event.Type, event.Object)
		}
		if event.Type == watch.Bookmark {
			return fmt.Sprintf("%s %T version=%s annotations=%v", event.Type, event.Object, set(m.GetResourceVersion()), m.GetAnnotations())
		}
		return fmt.Sprintf("%s %s", event.Type, m.GetName())
	}
}

// relayOf returns the relay of an event, or an empty relay for other objects.
func relayOf(event watch.Event) *edgev1alpha1.Relay {
	if relay, ok := event.Object.(*edgev1alpha1.Relay); ok {
		return relay
	}
	return &edgev1alpha1.Relay{}
}

// sorted records a number of events that arrive in any order.
func (s *stream) sorted(n int) {
	var lines []string
	for range n {
		event, missing := s.receive()
		if missing != "" {
			lines = append(lines, missing)
			break
		}
		lines = append(lines, describeEvent(event))
	}
	slices.Sort(lines)
	for _, line := range lines {
		s.p.printf("%s: %s", s.label, line)
	}
}
