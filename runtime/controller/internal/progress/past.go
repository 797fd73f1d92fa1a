package progress

import (
	"slices"
	"time"
)

// Class is how a reconcile ended, as far as the next one depends on it.
type Class int

// The classes.
const (
	Idle Class = iota
	Waiting
	Failing
	Paused
)

// delayed returns the event of a reconcile after a delay that one of the class had asked for.
func (c Class) delayed() string {
	switch c {
	case Waiting:
		return "rechecked"
	case Failing:
		return "retried"
	default:
		return "requeued"
	}
}

// Result is how a reconcile ended. Waiting is what an object of the class Waiting waits for, and GaveUp is set for the class Failing if
// the next failure counts as the first one.
type Result struct {
	Class                   Class
	GaveUp                  bool
	Outcome, Error, Waiting string
}

// PastReconcile is a reconcile that has ended.
type PastReconcile struct {
	Cause
	// Queued is how long the item was queued or held back before.
	Queued         time.Duration
	Start          time.Time
	Took           time.Duration
	Outcome, Error string
}

// Limits of the log of past reconciles.
const (
	// maxReconciles is the number of reconciles of an object.
	maxReconciles = 20
	// maxObjects is the number of objects with past reconciles.
	maxObjects = 4096
	// maxSize limits the memory of all past reconciles, in bytes: error texts are long at times.
	maxSize = 16 << 20
	// reconcileSize is the size of a reconcile without its error, in bytes.
	reconcileSize = 104
)

// history has the last reconciles of an object.
type history struct {
	ring []PastReconcile
	// next is the place of the next reconcile when the ring is full, and size the size of all of them, in bytes.
	next, size int
}

// add adds a reconcile and returns by how much the size has grown.
func (h *history) add(r PastReconcile) int {
	grown := reconcileSize + len(r.Error)
	if len(h.ring) == maxReconciles {
		grown -= reconcileSize + len(h.ring[h.next].Error)
		h.ring[h.next] = r
		h.next = (h.next + 1) % maxReconciles
	} else {
		if len(h.ring) == cap(h.ring) { // append would have room for more than maxReconciles
			h.ring = append(make([]PastReconcile, 0, min(max(1, 2*len(h.ring)), maxReconciles)), h.ring...)
		}
		h.ring = append(h.ring, r)
	}
	h.size += grown
	return grown
}

// latest returns the last reconcile, if there is one.
func (h *history) latest() (r PastReconcile) {
	if len(h.ring) > 0 {
		r = h.ring[(h.next+len(h.ring)-1)%len(h.ring)]
	}
	return r
}

// list returns the reconciles, the latest one first.
func (h *history) list() []PastReconcile {
	all := slices.Concat(h.ring[h.next:], h.ring[:h.next])
	slices.Reverse(all)
	return all
}
