package refcache

import (
	"context"
	"errors"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

const (
	// manyWatches is the number of watches of single objects from which a watch of all of them is better for an API server.
	manyWatches = 200
	// firstList is how long a reconcile waits for the first list of an object.
	firstList = 10 * time.Second
)

// Named has one watch for each name that is referred to.
type Named[R informer.Object] struct {
	source  informer.Source[R]
	scope   func() []string
	needed  func(cache.ObjectName) bool
	changed func(name cache.ObjectName, event string, initial bool)
	options []informer.Option

	lock sync.Mutex
	// ctx is nil unless the controller runs.
	ctx     context.Context //nolint:containedctx // all watches run with it
	watches map[cache.ObjectName]*namedWatch[R]
	ending  sync.WaitGroup
	warned  bool
}

// namedWatch is the watch of one object.
type namedWatch[R informer.Object] struct {
	factory *informer.Factory
	objects *informer.Informer[R]
	cancel  context.CancelFunc
}

// NewNamed returns a Named for the objects of a source, in the given namespaces. The function needed reports whether something
// refers to an object, and changed is called after each event about one; initial is set for objects that exist when their watch starts.
// The options are for the informers.
func NewNamed[R informer.Object](
	source informer.Source[R], scope func() []string, needed func(cache.ObjectName) bool,
	changed func(name cache.ObjectName, event string, initial bool), options ...informer.Option,
) *Named[R] {
	return &Named[R]{
		source: source, scope: scope, needed: needed, changed: changed, options: options, watches: map[cache.ObjectName]*namedWatch[R]{},
	}
}

// Sweep ends the watches of objects that are no longer needed.
func (n *Named[R]) Sweep() {
	n.lock.Lock()
	defer n.lock.Unlock()
	for name := range n.watches {
		if !n.needed(name) {
			n.stop(name)
		}
	}
}

// Begin makes watches possible. The function end ends them and waits for that.
func (n *Named[R]) Begin(ctx context.Context) (end func()) {
	n.lock.Lock()
	defer n.lock.Unlock()
	n.ctx = ctx
	return n.end
}

func (n *Named[R]) end() {
	n.lock.Lock()
	n.ctx = nil
	for name := range n.watches {
		n.stop(name)
	}
	n.lock.Unlock()
	n.ending.Wait()
}

// Update starts or ends the watches of objects, whose references have changed.
func (n *Named[R]) Update(names ...cache.ObjectName) {
	n.lock.Lock()
	defer n.lock.Unlock()
	for _, name := range names {
		if n.needed(name) {
			n.watch(name)
		} else if n.watches[name] != nil {
			n.stop(name)
		}
	}
}

// watch returns the watch of an object, which it starts if necessary, or nil if the controller does not run. The caller holds the lock.
func (n *Named[R]) watch(name cache.ObjectName) *namedWatch[R] {
	if w := n.watches[name]; w != nil || n.ctx == nil {
		return w
	}
	options := []informer.Option{informer.WithFields(fields.OneTermEqualSelector("metadata.name", name.Name))}
	if n.source.Namespaced() {
		options = append(options, informer.WithNamespaces(name.Namespace))
	}
	w := &namedWatch[R]{factory: informer.NewFactory(append(options, n.options...)...)}
	w.objects = informer.For(w.factory, n.source)
	_, _ = w.objects.AddHandler(informer.HandlerFuncs[R]{ // the informer has not been stopped
		Added: func(object R, initial bool) { n.changed(cache.MetaObjectToName(object), progress.Added, initial) },
		Updated: func(before, after R) {
			if before.GetResourceVersion() != after.GetResourceVersion() || after.GetResourceVersion() == "" {
				n.changed(cache.MetaObjectToName(after), progress.Updated, false)
			}
		},
		Deleted: func(name cache.ObjectName, _ R) { n.changed(name, progress.Deleted, false) },
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
func (n *Named[R]) stop(name cache.ObjectName) {
	w := n.watches[name]
	delete(n.watches, name)
	w.cancel()
	n.ending.Go(w.factory.Shutdown)
}

// Get implements Objects.
func (n *Named[R]) Get(ctx context.Context, name cache.ObjectName) (object R, exists bool, err error) {
	n.lock.Lock()
	if n.ctx == nil {
		n.lock.Unlock()
		return object, false, errors.New("the controller does not run")
	}
	w := n.watches[name]
	if w == nil && n.needed(name) { // Update follows
		w = n.watch(name)
	}
	n.lock.Unlock()
	if w == nil {
		return object, false, nil // nothing refers to it any more
	}
	listed, cancel := context.WithTimeout(ctx, firstList)
	defer cancel()
	if err := w.factory.WaitForSync(listed); err != nil {
		return object, false, err
	}
	return Cached[R]{w.objects}.Get(ctx, name)
}

// Namespaces implements Objects.
func (n *Named[R]) Namespaces() []string { return n.scope() }

// Unserved implements Objects.
func (n *Named[R]) Unserved() bool {
	n.lock.Lock()
	defer n.lock.Unlock()
	for _, w := range n.watches {
		return w.objects.Unserved() // the same for all
	}
	return false
}
