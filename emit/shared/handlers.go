package shared

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

// AddEventHandler implements cache.SharedInformer.
func (i *Informer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandlerWithOptions(handler, cache.HandlerOptions{})
}

// AddEventHandlerWithResyncPeriod implements cache.SharedInformer.
func (i *Informer) AddEventHandlerWithResyncPeriod(handler cache.ResourceEventHandler, resyncPeriod time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandlerWithOptions(handler, cache.HandlerOptions{ResyncPeriod: &resyncPeriod})
}

// AddEventHandlerWithOptions adds a handler. The informer may be running or stopped. The handler first receives all objects of
// the store. The minimum resync period is one second.
func (i *Informer) AddEventHandlerWithOptions(handler cache.ResourceEventHandler, options cache.HandlerOptions) (cache.ResourceEventHandlerRegistration, error) {
	resync := i.options.Resync
	if options.ResyncPeriod != nil {
		resync = *options.ResyncPeriod
	}
	if resync > 0 && resync < time.Second {
		logger := klog.Background()
		if options.Logger != nil {
			logger = *options.Logger
		}
		logger.Info("Warning: resync period raised to the minimum of one second", "resyncPeriod", resync)
		resync = time.Second
	}
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	l := newListener(i, handler, options.Logger, resync)
	l.nextResync = time.Now().Add(resync)
	for _, object := range i.store.List() {
		l.add(event{kind: added, after: object, initial: true})
	}
	l.informerSynced(i.isSynced())
	i.listeners = append(i.listeners, l)
	i.deliver(l)
	i.rescheduled.send()
	return l, nil
}

// RemoveEventHandler implements cache.SharedInformer. It does not wait for a running call of the handler, and does nothing if the
// handler was removed before or belongs to another informer.
func (i *Informer) RemoveEventHandler(handle cache.ResourceEventHandlerRegistration) error {
	l, ok := handle.(*listener)
	if !ok {
		return fmt.Errorf("the %T is not a registration of this informer", handle)
	}
	i.events.Lock()
	defer i.events.Unlock()
	if n := slices.Index(i.listeners, l); n >= 0 {
		i.listeners = slices.Delete(i.listeners, n, n+1)
		l.remove()
	}
	return nil
}

// deliver starts a listener, if the informer is running. The caller holds lock and events.
func (i *Informer) deliver(l *listener) {
	if i.run == nil || i.run.ending || !l.launch() {
		return
	}
	running := i.run
	running.listeners.Add(1)
	go func() {
		defer running.listeners.Done()
		l.run(running.delivery)
	}()
}

// resyncUntil resyncs handlers when they are due, until ctx is done.
func (i *Informer) resyncUntil(ctx context.Context) {
	for {
		rescheduled := i.rescheduled.wait()
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
		if l.resyncPeriod > 0 && (next.IsZero() || l.nextResync.Before(next)) {
			next = l.nextResync
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
		l.resyncing = l.resyncPeriod > 0 && !now.Before(l.nextResync)
		if l.resyncing {
			l.nextResync = now.Add(l.resyncPeriod)
			due = true
		}
	}
	if !due {
		return
	}
	for _, obj := range i.store.List() {
		i.tell(event{kind: updated, before: obj, after: obj}, true)
	}
}
