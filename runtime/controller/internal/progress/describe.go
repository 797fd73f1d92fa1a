package progress

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/client-go/tools/cache"
)

// State is what an object does, as the package controller calls it.
type State string

// The states; if more than one fits, the first counts.
const (
	StateRunning State = "running"
	StateHeld    State = "heldBack"
	StateQueued  State = "queued"
	StateWaiting State = "waiting"
	StateFailing State = "failing"
	StatePaused  State = "paused"
	StateIdle    State = "idle"
)

// afterwards are the states of objects for which nothing is queued, by how their last reconcile ended.
var afterwards = [...]State{Idle: StateIdle, Waiting: StateWaiting, Failing: StateFailing, Paused: StatePaused}

// Object describes an object in the log.
type Object struct {
	State State
	// Since is when the state began. It is zero if that is not known.
	Since time.Time
	// Cause is the cause of the reconcile in flight or, for queued and held objects, of the next one.
	Cause Cause
	// Next is when the queue adds the item after a delay, or zero.
	Next     time.Time
	Waiting  string
	Failures int
	// Reconciles has the latest one first.
	Reconciles []PastReconcile
}

// Object describes an object. If the object is queued, lane and origin come from the queue.
func (l *Log) Object(name cache.ObjectName, lane string, origin *Origin) Object {
	now := l.clock.Now()
	l.lock.Lock()
	defer l.lock.Unlock()
	e := l.entries[name]
	if e == nil {
		e = &entry{}
	}
	o := Object{
		State: afterwards[e.class], Since: e.since, Waiting: e.waiting, Failures: e.failures, Reconciles: e.history.list(),
	}
	if e.due.After(now) && !e.holding && e.class != Paused { // otherwise it is only when the caches or the annotation are looked at
		o.Next = e.due
	}
	next := e.next(now, origin)
	switch {
	case !e.start.IsZero():
		o.State, o.Since, o.Cause = StateRunning, e.start, e.last.Cause
	case e.holding:
		o.State, o.Since, o.Cause = StateHeld, e.held, next.Cause
	case lane != "" || !next.At.IsZero():
		o.State, o.Since, o.Cause = StateQueued, next.At, next.Cause
	}
	return o
}

// next returns the origin of the next reconcile, as far as it is known at a time. If the item is queued, origin comes from the queue.
func (e *entry) next(now time.Time, origin *Origin) Origin {
	switch {
	case !e.queued.At.IsZero():
		return e.queued
	case origin != nil:
		return *origin
	case !e.due.IsZero() && !e.due.After(now):
		return Origin{Cause{Event: e.class.delayed()}, e.due}
	}
	return Origin{}
}

// Listed is an object in a state.
type Listed struct {
	Name  cache.ObjectName
	Since time.Time
	// Reason is the text of the object's wait, or its last error, if it is still known.
	Reason string
}

// Lists has objects in states that need attention, by the time for which they have been in the state, the longest first. Objects may be in
// more than one list: waiting, failing and paused tell how their last reconcile ended.
type Lists struct{ Held, Waiting, Failing, Paused []Listed }

// Lists returns the objects that need attention.
func (l *Log) Lists() (lists Lists) {
	l.lock.Lock()
	for _, e := range l.entries {
		if e.holding {
			lists.Held = append(lists.Held, Listed{Name: e.name, Since: e.held})
		}
		switch e.class {
		case Waiting:
			lists.Waiting = append(lists.Waiting, Listed{e.name, e.since, e.waiting})
		case Failing:
			lists.Failing = append(lists.Failing, Listed{e.name, e.since, e.history.latest().Error})
		case Paused:
			lists.Paused = append(lists.Paused, Listed{Name: e.name, Since: e.since})
		case Idle:
		}
	}
	l.lock.Unlock()
	for _, list := range [][]Listed{lists.Held, lists.Waiting, lists.Failing, lists.Paused} {
		slices.SortFunc(list, func(a, b Listed) int {
			return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Name.Namespace, b.Name.Namespace), cmp.Compare(a.Name.Name, b.Name.Name))
		})
	}
	return lists
}
