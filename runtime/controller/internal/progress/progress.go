// Package progress remembers how far a controller is with each object, for people who ask why an object is not reconciled.
//
// There is an entry for each object that is queued because of an event, delayed, held back, in flight, waiting or failing. Items of
// the initial list have none while they only wait in the low lane of the queue: a controller starts with all of its objects there.
// Besides, the log keeps the last reconciles of the objects that were reconciled last.
package progress

import (
	"container/list"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
)

// Cause is why an item is queued, such as an event about an object of a resource.
type Cause struct{ Resource, Event string }

// The events of informers.
const (
	Added   = "added"
	Updated = "updated"
	Deleted = "deleted"
)

// Origin is the cause of an item and the time when it was queued.
type Origin struct {
	Cause

	At time.Time
}

// Log has the progress of the objects of one controller. Its methods may be called concurrently.
type Log struct {
	clock clock.PassiveClock
	// bulk is the last origin of items without an entry. Items of about the same time share it.
	bulk atomic.Pointer[Origin]

	lock    sync.Mutex
	entries map[cache.ObjectName]*entry
	// running has the entries of reconciles in flight: at most one for each worker.
	running []*entry
	// recent lists the entries with past reconciles, the last reconciled one first. size is the total size of their reconciles in bytes.
	recent list.List
	size   int
	// spare is an entry that trim has dropped, for the next object: a controller of many objects drops and needs one in each reconcile.
	spare *entry
}

// entry has the facts about an object. Times are zero if the state that they begin does not apply.
type entry struct {
	name cache.ObjectName
	// queued is the origin of the next reconcile, and last the origin of the reconcile in flight or, without it, of the previous one.
	queued, last Origin
	start        time.Time
	// held is when the item was first held back since the last reconcile, and holding is set unless it has been queued since.
	held    time.Time
	holding bool
	// due is when the queue adds the item after a delay.
	due time.Time

	// class is how the last reconcile ended, and since when they do.
	class    Class
	since    time.Time
	failures int
	waiting  string
	// retried and conflicts are what Failed returns.
	retried, conflicts int

	history history
	// recent is nil without past reconciles.
	recent *list.Element
}

// active reports whether the entry is needed even without past reconciles.
func (e *entry) active() bool {
	return !e.queued.At.IsZero() || !e.start.IsZero() || !e.held.IsZero() || !e.due.IsZero() || e.class != Idle
}

// New returns an empty log.
func New(c clock.PassiveClock) *Log { return &Log{clock: c, entries: map[cache.ObjectName]*entry{}} }

// bulkShare is the time during which items without entries share an origin.
const bulkShare = time.Second

// Queued notes that an item is being queued. If keep is false and there is no entry, none is made, and the caller must pass the origin
// that Queued returns to Begin.
func (l *Log) Queued(name cache.ObjectName, why Cause, keep bool) *Origin {
	now := l.clock.Now()
	l.lock.Lock()
	e := l.entries[name]
	if e == nil && keep {
		e = l.add(name)
	}
	if e != nil {
		e.holding = false
		if e.queued.At.IsZero() {
			e.queued = Origin{why, now}
		}
	}
	l.lock.Unlock()
	if e != nil {
		return nil
	}
	if bulk := l.bulk.Load(); bulk != nil && bulk.Cause == why && now.Sub(bulk.At) < bulkShare {
		return bulk
	}
	bulk := &Origin{why, now}
	l.bulk.Store(bulk)
	return bulk
}

// Delayed notes that the queue will add an item after a delay. As in the queue, the first of several delays counts.
func (l *Log) Delayed(name cache.ObjectName, d time.Duration) {
	now := l.clock.Now()
	l.lock.Lock()
	defer l.lock.Unlock()
	e := l.add(name)
	if due := now.Add(d); !e.due.After(now) || due.Before(e.due) {
		e.due = due
	}
}

// Held notes that an item was taken from the queue, but must not be reconciled yet. If origin is passed here, Begin need not have it.
func (l *Log) Held(name cache.ObjectName, origin *Origin) {
	now := l.clock.Now()
	l.lock.Lock()
	defer l.lock.Unlock()
	e := l.add(name)
	e.holding = true
	if origin != nil && e.queued.At.IsZero() {
		e.queued = *origin
	}
	if e.held.IsZero() {
		e.held = now
	}
}

// Dropped notes that the queue has gone with all of its items, and that another process may reconcile them.
func (l *Log) Dropped() {
	l.lock.Lock()
	defer l.lock.Unlock()
	for name := range l.entries {
		l.drop(name)
	}
}

// Drop notes that an item is dropped, and that another process may reconcile it.
func (l *Log) Drop(name cache.ObjectName) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.drop(name)
}

func (l *Log) drop(name cache.ObjectName) {
	e := l.entries[name]
	if e == nil {
		return
	}
	e.queued, e.held, e.holding, e.due = Origin{}, time.Time{}, false, time.Time{}
	e.class, e.since, e.failures, e.waiting, e.retried, e.conflicts = Idle, time.Time{}, 0, "", 0, 0
	if !e.active() && e.recent == nil {
		delete(l.entries, name)
	}
}

// Begin notes that the reconcile of an item begins. The origin is nil unless the item was queued with one.
func (l *Log) Begin(name cache.ObjectName, start time.Time, origin *Origin) {
	l.lock.Lock()
	defer l.lock.Unlock()
	e := l.add(name)
	if next := e.next(start, origin); !next.At.IsZero() {
		e.last = next
	} else { // it was queued while it was taken from the queue, so that the last reconcile had the origin of this one
		e.last.At = start
	}
	if !e.due.After(start) {
		e.due = time.Time{}
	}
	e.start, e.queued, e.held, e.holding = start, Origin{}, time.Time{}, false
	l.running = append(l.running, e)
}

// Failed counts a failure of the reconcile in flight, or a conflict. It returns the number of consecutive failures, ignoring conflicts
// in between, or of consecutive conflicts.
func (l *Log) Failed(name cache.ObjectName, conflict bool) int {
	l.lock.Lock()
	defer l.lock.Unlock()
	e := l.add(name)
	if conflict {
		e.conflicts++
		return e.conflicts
	}
	e.retried, e.conflicts = e.retried+1, 0
	return e.retried
}

// End notes that the reconcile of an item has ended.
func (l *Log) End(name cache.ObjectName, took time.Duration, end Result) {
	l.lock.Lock()
	defer l.lock.Unlock()
	e := l.add(name)
	l.running = slices.DeleteFunc(l.running, func(running *entry) bool { return running == e })
	if e.class == Paused && end.Class == Paused { // the reconciles before the pause say more
		e.start = time.Time{}
		return
	}
	past := PastReconcile{e.last.Cause, max(0, e.start.Sub(e.last.At)), e.start, took, end.Outcome, end.Error}
	if e.since.IsZero() || e.class != end.Class {
		e.since = e.start.Add(took)
	}
	e.start, e.class, e.waiting = time.Time{}, end.Class, end.Waiting
	if e.failures++; end.Class != Failing {
		e.failures = 0
	}
	if end.Class != Failing || end.GaveUp {
		e.retried, e.conflicts = 0, 0
	}
	l.size += e.history.add(past)
	if e.recent == nil {
		e.recent = l.recent.PushFront(e)
	} else {
		l.recent.MoveToFront(e.recent)
	}
	l.trim()
}

// add returns the entry of an item, which it makes if necessary. The caller holds the lock.
func (l *Log) add(name cache.ObjectName) *entry {
	e := l.entries[name]
	if e == nil {
		if e, l.spare = l.spare, nil; e == nil {
			e = &entry{}
		}
		e.name = name
		l.entries[name] = e
	}
	return e
}

// trim drops the past reconciles of the objects that were reconciled the longest ago, if there are too many. The caller holds the lock.
func (l *Log) trim() {
	for l.recent.Len() > maxObjects || l.size > maxSize && l.recent.Len() > 1 {
		e, _ := l.recent.Remove(l.recent.Back()).(*entry)
		l.size -= e.history.size
		e.history, e.recent = history{}, nil
		if !e.active() {
			delete(l.entries, e.name)
			*e = entry{}
			l.spare = e
		}
	}
}

// LongestRunning returns how long the longest of the reconciles in flight has been running, or 0 if no reconcile is in flight.
func (l *Log) LongestRunning() (longest time.Duration) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, e := range l.running {
		longest = max(longest, l.clock.Since(e.start))
	}
	return longest
}

// Running returns the number of reconciles in flight.
func (l *Log) Running() int {
	l.lock.Lock()
	defer l.lock.Unlock()
	return len(l.running)
}
