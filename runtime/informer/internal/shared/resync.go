package shared

import (
	"context"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/delivery"
)

// resyncUntil resyncs handlers when they are due, until ctx is done.
func (i *Informer) resyncUntil(ctx context.Context) {
	for {
		rescheduled := i.rescheduled.Wait()
		var timer <-chan time.Time
		if next := i.nextResync(); !next.IsZero() {
			timer = time.After(time.Until(next))
		}
		select {
		case <-ctx.Done():
			return
		case <-rescheduled:
		case now := <-timer:
			i.resync(now)
		}
	}
}

// nextResync returns the time of the next resync, or the zero time if no handler has a resync period.
func (i *Informer) nextResync() (next time.Time) {
	i.events.Lock()
	defer i.events.Unlock()
	for _, l := range i.listeners {
		if l.ResyncPeriod > 0 && (next.IsZero() || l.NextResync.Before(next)) {
			next = l.NextResync
		}
	}
	return next
}

// resync sends all objects to the handlers that are due.
func (i *Informer) resync(now time.Time) {
	i.events.Lock()
	defer i.events.Unlock()
	due := false
	for _, l := range i.listeners {
		l.Resyncing = l.ResyncPeriod > 0 && !now.Before(l.NextResync)
		if l.Resyncing {
			l.NextResync = now.Add(l.ResyncPeriod)
			due = true
		}
	}
	if !due {
		return
	}
	for _, obj := range i.store.List() {
		i.tell(delivery.Event{Kind: delivery.Updated, Before: obj, After: obj}, true)
	}
}
