package controllertest

import (
	"fmt"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
)

// Event is a recorded event.
type Event struct {
	// Regarding and Related are copies of the objects. Related may be nil.
	Regarding, Related runtime.Object
	// Type is Normal or Warning.
	Type, Reason, Action, Note string
}

// String returns a form such as "Warning RegionNotFound There is no region south": the type, the reason and the note.
func (e Event) String() string { return e.Type + " " + e.Reason + " " + e.Note }

// Recorder is an event recorder that keeps all events and never blocks. The zero value is ready to use.
type Recorder struct {
	lock   sync.Mutex
	events []Event
}

var _ events.EventRecorder = &Recorder{}

// Eventf implements events.EventRecorder.
func (r *Recorder) Eventf(regarding, related runtime.Object, eventType, reason, action, note string, args ...any) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.events = append(r.events, Event{copyOf(regarding), copyOf(related), eventType, reason, action, fmt.Sprintf(note, args...)})
}

func copyOf(object runtime.Object) runtime.Object {
	if object == nil {
		return nil
	}
	return object.DeepCopyObject()
}

// Events returns the events so far, in order.
func (r *Recorder) Events() []Event {
	r.lock.Lock()
	defer r.lock.Unlock()
	return slices.Clone(r.events)
}
