package queue

import (
	"context"
	"hash/fnv"
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
)

// Work processes items until ctx is done or the queue is shut down. The function reports whether the item was requeued.
func (q *Queue) Work(ctx context.Context, process func(Item) (again bool)) {
	for {
		it, shutdown := q.Take()
		if shutdown {
			return
		}
		again := false
		if ctx.Err() == nil { // otherwise whoever works next processes the item
			again = process(it)
		}
		q.Finish(it, again)
	}
}

// Ended returns a channel that is closed when a group is done.
func Ended(group *sync.WaitGroup) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		group.Wait()
	}()
	return done
}

// moments is the number of moments in a resync period. Each item has one of them, always the same, so that not all are queued at once.
const moments = 100

// Spread calls a function at each moment of each period, with the names whose turn it is, until ctx is done.
func Spread(ctx context.Context, c clock.WithTicker, period time.Duration, call func(now func(cache.ObjectName) bool)) {
	ticker := c.NewTicker(max(1, period/moments))
	defer ticker.Stop()
	for moment := uint32(0); ; moment = (moment + 1) % moments {
		select {
		case <-ticker.C():
			call(func(name cache.ObjectName) bool {
				hash := fnv.New32a()
				_, _ = hash.Write([]byte(name.String()))
				return hash.Sum32()%moments == moment
			})
		case <-ctx.Done():
			return
		}
	}
}
