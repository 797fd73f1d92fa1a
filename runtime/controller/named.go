package controller

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

const (
	// manyWatches is the number of watches of single objects from which a watch of all of them is better for an API server.
	manyWatches = 200
	// firstList is how long a reconcile waits for the first list of an object.
	firstList = 10 * time.Second
)

// named holds objects with one watch for each name that is referred to.
type named[R Object] struct {
	source informer.Source[R]
	// scope are the namespaces that may be watched.
	scope func() []string
	// changed is called after each event about an object.
	changed func(name cache.ObjectName, event string)

	lock sync.Mutex
	// ctx is nil unless the controller runs.
	ctx     context.Context //nolint:containedctx // it is that of all watches
	watches map[cache.ObjectName]*namedWatch[R]
	ending  sync.WaitGroup
	warned  bool
}

// namedWatch is the watch of one object.
type namedWatch[R Object] struct {
	// references is the number of objects that refer to it.
	references int
	factory    *informer.Factory
	objects    *informer.Informer[R]
	cancel     context.CancelFunc
}

func newNamed[R, T Object](c *Controller[T], index string, source informer.Source[R], names func(T) []cache.ObjectName) *named[R] {
	resource := source.Resource().GroupResource().String()
	n := &named[R]{source: source, scope: c.objects.Namespaces, watches: map[cache.ObjectName]*namedWatch[R]{}}
	n.changed = func(name cache.ObjectName, event string) {
		c.enqueueReferrers(index, name, true, cause{resource, event})
	}
	of := func(object T, exists bool) map[cache.ObjectName]bool {
		all := map[cache.ObjectName]bool{}
		if exists {
			for _, name := range names(object) {
				all[name] = name.Name != ""
			}
		}
		return all
	}
	c.observers = append(c.observers, func(before, after T, existed, exists bool) {
		n.move(of(before, existed), of(after, exists))
	})
	c.attached = append(c.attached, n)
	return n
}

// begin implements attachment.
func (n *named[R]) begin(ctx context.Context) {
	n.lock.Lock()
	defer n.lock.Unlock()
	n.ctx = ctx
}

// end implements attachment.
func (n *named[R]) end() {
	n.lock.Lock()
	n.ctx = nil
	for name := range n.watches {
		n.stop(name)
	}
	n.lock.Unlock()
	n.ending.Wait()
}

// move counts the references of an object that changed.
func (n *named[R]) move(before, after map[cache.ObjectName]bool) {
	n.lock.Lock()
	defer n.lock.Unlock()
	for name, is := range after {
		if is && !before[name] {
			if w := n.watch(name); w != nil {
				w.references++
			}
		}
	}
	for name, was := range before {
		if w := n.watches[name]; was && !after[name] && w != nil {
			if w.references--; w.references <= 0 {
				n.stop(name)
			}
		}
	}
}

// watch returns the watch of an object, which it starts if necessary, or nil if the controller does not run. The caller holds the lock.
func (n *named[R]) watch(name cache.ObjectName) *namedWatch[R] {
	if w := n.watches[name]; w != nil || n.ctx == nil {
		return w
	}
	options := []informer.Option{informer.WithFields(fields.OneTermEqualSelector("metadata.name", name.Name))}
	if n.source.Namespaced() {
		options = append(options, informer.WithNamespaces(name.Namespace))
	}
	w := &namedWatch[R]{factory: informer.NewFactory(options...)}
	w.objects = informer.For(w.factory, n.source)
	_, _ = w.objects.AddHandler(informer.HandlerFuncs[R]{ // the informer has not been stopped
		Added: func(object R, _ bool) { n.changed(nameOf(object), "added") },
		Updated: func(before, after R) {
			if !repeated(before, after) {
				n.changed(nameOf(after), "updated")
			}
		},
		Deleted: func(name cache.ObjectName, _ R) { n.changed(name, "deleted") },
	})
	ctx, cancel := context.WithCancel(n.ctx)
	w.cancel = cancel
	w.factory.StartWithContext(ctx)
	n.watches[name] = w
	if len(n.watches) > manyWatches && !n.warned {
		n.warned = true
		klog.FromContext(n.ctx).Info("Many objects are watched by name; one watch of all would cost the API server less",
			"resource", n.source.Resource().GroupResource(), "watches", len(n.watches))
	}
	return w
}

// stop ends the watch of an object in the background, since handlers call it. The caller holds the lock.
func (n *named[R]) stop(name cache.ObjectName) {
	w := n.watches[name]
	delete(n.watches, name)
	w.cancel()
	n.ending.Go(w.factory.Shutdown)
}

func (n *named[R]) get(ctx context.Context, name cache.ObjectName) (object R, exists bool, err error) {
	n.lock.Lock()
	w := n.watch(name) // the handler that counts the reference may come later
	n.lock.Unlock()
	if w == nil {
		return object, false, ErrNotStarted
	}
	listed, cancel := context.WithTimeout(ctx, firstList)
	defer cancel()
	if err := w.factory.WaitForSync(listed); err != nil {
		return object, false, err
	}
	return cached[R]{w.objects}.get(ctx, name)
}

func (n *named[R]) namespaces() []string { return n.scope() }
