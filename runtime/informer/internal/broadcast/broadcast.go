// Package broadcast wakes goroutines that wait for something to change.
package broadcast

import (
	"context"
	"sync"
)

// Broadcast wakes all waiting goroutines.
type Broadcast struct {
	lock sync.Mutex
	next chan struct{}
}

// New returns a Broadcast.
func New() *Broadcast { return &Broadcast{next: make(chan struct{})} }

// Wait returns a channel that is closed by the next Send. Call it before looking at what Send tells about.
func (b *Broadcast) Wait() <-chan struct{} {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.next
}

// Until waits until done returns true, and asks again after each Send. It returns false if ctx is done first.
func (b *Broadcast) Until(ctx context.Context, done func() bool) bool {
	for {
		changed := b.Wait()
		if done() {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// Send wakes all goroutines that wait.
func (b *Broadcast) Send() {
	b.lock.Lock()
	defer b.lock.Unlock()
	close(b.next)
	b.next = make(chan struct{})
}
