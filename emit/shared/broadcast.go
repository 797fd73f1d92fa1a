package shared

import "sync"

// broadcast wakes all waiting goroutines.
type broadcast struct {
	lock sync.Mutex
	next chan struct{}
}

func newBroadcast() *broadcast { return &broadcast{next: make(chan struct{})} }

// wait returns a channel that is closed by the next send.
func (b *broadcast) wait() <-chan struct{} {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.next
}

func (b *broadcast) send() {
	b.lock.Lock()
	defer b.lock.Unlock()
	close(b.next)
	b.next = make(chan struct{})
}
