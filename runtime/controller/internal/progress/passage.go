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

// Result is how a reconcile ended. Waiting is what an object of the class Waiting waits for.
type Result struct {
	Class                   Class
	Outcome, Error, Waiting string
}

// Passage is a reconcile that has ended.
type Passage struct {
	Cause
	// Queued is how long the item was queued or held back before.
	Queued         time.Duration
	Start          time.Time
	Took           time.Duration
	Outcome, Error string
}

// Limits of the log of past reconciles.
const (
	// maxPassages is the number of passages of an object.
	maxPassages = 20
	// maxObjects is the number of objects with passages.
	maxObjects = 4096
	// maxSize limits the memory of all passages, in bytes: error texts are long at times.
	maxSize = 16 << 20
	// passageSize is the size of a passage without its error, in bytes.
	passageSize = 104
)

// passages are the last ones of an object.
type passages struct {
	ring []Passage
	// next is the place of the next passage when the ring is full, and size the size of all of them, in bytes.
	next, size int
}

// add adds a passage and returns by how much the size has grown.
func (p *passages) add(passage Passage) int {
	grown := passageSize + len(passage.Error)
	if len(p.ring) == maxPassages {
		grown -= passageSize + len(p.ring[p.next].Error)
		p.ring[p.next] = passage
		p.next = (p.next + 1) % maxPassages
	} else {
		if len(p.ring) == cap(p.ring) { // append would have room for more than maxPassages
			p.ring = append(make([]Passage, 0, min(max(1, 2*len(p.ring)), maxPassages)), p.ring...)
		}
		p.ring = append(p.ring, passage)
	}
	p.size += grown
	return grown
}

// latest returns the last passage, if there is one.
func (p *passages) latest() (passage Passage) {
	if len(p.ring) > 0 {
		passage = p.ring[(p.next+len(p.ring)-1)%len(p.ring)]
	}
	return passage
}

// list returns the passages, the latest one first.
func (p *passages) list() []Passage {
	all := slices.Concat(p.ring[p.next:], p.ring[:p.next])
	slices.Reverse(all)
	return all
}
