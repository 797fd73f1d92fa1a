package member

import (
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards"
)

// inbox has the events that the machine has not taken in. Adding never blocks: who reports something may hold locks.
type inbox struct {
	lock   sync.Mutex
	events []shards.Event
	// filled has a value while there are events.
	filled chan struct{}
}

func newInbox() *inbox { return &inbox{filled: make(chan struct{}, 1)} }

func (i *inbox) add(event shards.Event) {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events = append(i.events, event)
	select {
	case i.filled <- struct{}{}:
	default:
	}
}

func (i *inbox) take() []shards.Event {
	i.lock.Lock()
	defer i.lock.Unlock()
	events := i.events
	i.events = nil
	return events
}
