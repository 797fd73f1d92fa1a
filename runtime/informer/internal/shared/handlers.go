package shared

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/delivery"
)

// AddEventHandler implements cache.SharedInformer.
func (i *Informer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandlerWithOptions(handler, cache.HandlerOptions{})
}

// AddEventHandlerWithResyncPeriod implements cache.SharedInformer.
func (i *Informer) AddEventHandlerWithResyncPeriod(
	handler cache.ResourceEventHandler, resyncPeriod time.Duration,
) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandlerWithOptions(handler, cache.HandlerOptions{ResyncPeriod: &resyncPeriod})
}

// AddEventHandlerWithOptions adds a handler. The informer may be running or stopped. The handler first receives all objects of
// the store. The minimum resync period is one second.
func (i *Informer) AddEventHandlerWithOptions(
	handler cache.ResourceEventHandler, options cache.HandlerOptions,
) (cache.ResourceEventHandlerRegistration, error) {
	resync := i.config.Resync
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
	l := delivery.New(i, i.mutations, handler, options.Logger, resync)
	l.NextResync = time.Now().Add(resync)
	for _, object := range i.store.List() {
		l.Add(delivery.Event{Kind: delivery.Added, After: object, Initial: true})
	}
	l.InformerSynced(i.isSynced())
	i.listeners = append(i.listeners, l)
	i.deliver(l)
	i.rescheduled.Send()
	return l, nil
}

// RemoveEventHandler implements cache.SharedInformer. It does not wait for a running call of the handler, and does nothing if the
// handler was removed before or belongs to another informer.
func (i *Informer) RemoveEventHandler(handle cache.ResourceEventHandlerRegistration) error {
	l, ok := handle.(*delivery.Listener)
	if !ok {
		return fmt.Errorf("the %T is not a registration of this informer", handle)
	}
	i.events.Lock()
	defer i.events.Unlock()
	if n := slices.Index(i.listeners, l); n >= 0 {
		i.listeners = slices.Delete(i.listeners, n, n+1)
		l.Remove()
	}
	return nil
}

// deliver starts a listener, if the informer is running. The caller holds lock and events.
func (i *Informer) deliver(l *delivery.Listener) {
	if i.run == nil || i.run.ending || !l.Launch() {
		return
	}
	running := i.run
	running.listeners.Go(func() { l.Run(running.delivery) })
}
