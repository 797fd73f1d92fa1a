package shared

import "sync"

// Broadcast wakes all waiting goroutines.
type Broadcast struct {
	lock sync.Mutex
	next chan struct{}
}

// NewBroadcast returns a Broadcast.
func NewBroadcast() *Broadcast { return &Broadcast{next: make(chan struct{})} }

// Wait returns a channel that is closed by the next Send. Call it before looking at what Send tells about.
func (b *Broadcast) Wait() <-chan struct{} {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.next
}

// Send wakes all goroutines that wait.
func (b *Broadcast) Send() {
	b.lock.Lock()
	defer b.lock.Unlock()
	close(b.next)
	b.next = make(chan struct{})
}
