// Package progress remembers what a controller does with each object, for people who ask why an object is not reconciled.
package progress

import (
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
)

// Log has the progress of the objects of one controller. Its methods may be called concurrently.
type Log struct {
	clock clock.PassiveClock

	lock sync.Mutex
	// running has the start of each reconcile in flight.
	running map[cache.ObjectName]time.Time
}

// New returns an empty log.
func New(c clock.PassiveClock) *Log {
	return &Log{clock: c, running: map[cache.ObjectName]time.Time{}}
}

// Begin notes that the reconcile of an item begins.
func (l *Log) Begin(name cache.ObjectName, start time.Time) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.running[name] = start
}

// End notes that the reconcile of an item has ended.
func (l *Log) End(name cache.ObjectName) {
	l.lock.Lock()
	defer l.lock.Unlock()
	delete(l.running, name)
}

// LongestRunning returns how long the longest of the reconciles in flight has been running, or 0 if there is none.
func (l *Log) LongestRunning() (longest time.Duration) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, start := range l.running {
		longest = max(longest, l.clock.Since(start))
	}
	return longest
}

// Running returns the number of reconciles in flight.
func (l *Log) Running() int {
	l.lock.Lock()
	defer l.lock.Unlock()
	return len(l.running)
}
