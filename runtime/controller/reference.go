package controller

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/queue"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/refcache"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// WatchMode says how referenced objects are watched.
type WatchMode int

const (
	// Cached means one watch of all objects, which are cached whole. It needs the verbs list and watch.
	Cached WatchMode = iota
	// Metadata means one watch of the metadata of all objects; names and versions are cached. Objects that are referred to are
	// read from the API server, and kept until they change. It needs the verbs get, list and watch; RBAC cannot tell metadata
	// from whole objects, so this saves memory, not rights.
	Metadata
	// Named means one watch for each object that is referred to. It needs the verbs list and watch, which a role can limit to the names
	// with resourceNames. From 200 watches on, the controller logs a warning.
	Named
)

// Referred looks up the objects of one kind that the objects of a controller refer to, and back. Its methods may be called
// concurrently once the controller runs.
type Referred[T, R Object] struct {
	controller *Controller[T]
	names      func(T) []cache.ObjectName
	index      string
	namespaced bool
	objects    refcache.Objects[R]
}

// Refer makes a controller watch the objects that its objects refer to. The function names returns the names that an object has in a
// field; names of cluster-scoped objects have no namespace, empty names are no references. Each change of an object that is referred to,
// also its creation or deletion, enqueues its referrers. Informers come from the controller's factory, see [informer.For], with
// the options of [WithReferred]. Run waits until they have synced, and so does HasSynced. Refer must be called before Run. It returns an
// error if options of an informer contradict each other.
func Refer[R, T Object](
	c *Controller[T], source informer.Source[R], mode WatchMode, names func(T) []cache.ObjectName,
) (*Referred[T, R], error) {
	if c.life.started.Load() {
		return nil, c.errorf("already started: call Refer before Run")
	}
	c.refs.count++
	r := &Referred[T, R]{
		controller: c, names: names, namespaced: source.Namespaced(),
		index: fmt.Sprintf("%s refers to %s %d", c.settings.name, source.Resource().GroupResource(), c.refs.count),
	}
	c.caches.Attach(func(context.Context) (end func()) { // another controller may run later on the same informer
		objects := c.objects.Indexer()
		_ = objects.AddIndexers(cache.Indexers{r.index: r.referredTo}) // the names of running controllers differ, and so do the indexes
		return func() { objects.(interface{ RemoveIndexer(name string) }).RemoveIndexer(r.index) }
	})
	var err error
	switch mode {
	case Cached:
		objects := referred(c, source)
		watchReferred(c, r.index, objects, source.Fields(), nil)
		r.objects = refcache.Cached[R]{Informer: objects}
	case Metadata:
		r.objects, err = watchMetadata(c, r.index, source)
	case Named:
		r.objects = watchNamed(c, r.index, source, names)
	default:
		err = fmt.Errorf("invalid watch mode %d", mode)
	}
	if err == nil {
		err = c.whole().Err()
	}
	if err != nil {
		return nil, c.errorf("%w", err)
	}
	return r, nil
}

// referredTo is an index function.
func (r *Referred[T, R]) referredTo(object any) (keys []string, err error) {
	if referrer, ok := object.(T); ok {
		for _, name := range r.names(referrer) {
			if name.Name != "" {
				keys = append(keys, name.String())
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

// One returns the object that an object refers to: the first one, if there are several. It is shared and must not be modified. If the
// object refers to nothing, One returns nil. If the referred object does not exist, the error is a [WaitingError]: return it, and the
// referrer is reconciled again once the object exists.
func (r *Referred[T, R]) One(ctx context.Context, referrer T) (referred R, err error) {
	for _, name := range r.names(referrer) {
		if name.Name != "" {
			return r.get(ctx, name)
		}
	}
	return referred, nil
}

// All returns the objects that an object refers to, in the order of the references, each once. They are shared and must not be
// modified. If some do not exist, All returns the others, and the error of [Waiting] for each.
func (r *Referred[T, R]) All(ctx context.Context, referrer T) (all []R, err error) {
	var errs []error
	seen := map[cache.ObjectName]bool{}
	for _, name := range r.names(referrer) {
		if name.Name == "" || seen[name] {
			continue
		}
		seen[name] = true
		if object, err := r.get(ctx, name); err != nil {
			errs = append(errs, err)
		} else {
			all = append(all, object)
		}
	}
	return all, errors.Join(errs...)
}

func (r *Referred[T, R]) get(ctx context.Context, name cache.ObjectName) (R, error) {
	object, exists, err := r.objects.Get(ctx, name)
	if err != nil || exists {
		return object, err
	}
	what := reflect.TypeFor[R]().Elem().Name() + " " + name.String()
	if r.namespaced && !caches.Covers(r.objects.Namespaces(), name.Namespace) {
		return object, TerminalError(fmt.Errorf("%s: namespace %q is not watched", what, name.Namespace))
	}
	if r.objects.Unserved() {
		what += ", which the API server does not serve"
	}
	return object, Waiting(what)
}

// By returns the cached objects that refer to an object. They must not be modified.
func (r *Referred[T, R]) By(referred metav1.Object) ([]T, error) {
	return caches.ByIndex(r.controller.objects.Informer, r.index, cache.MetaObjectToName(referred).String())
}

// enqueueReferrers enqueues the objects that refer to a name.
func (c *Controller[T]) enqueueReferrers(index string, name cache.ObjectName, urgent bool, why cause) {
	all, _ := caches.ByIndex(c.objects.Informer, index, name.String()) // the index exists
	for _, object := range all {
		c.enqueue(queue.Item{Name: cache.MetaObjectToName(object), Urgent: urgent}, why)
	}
}

// watchReferred makes changes of objects enqueue their referrers. The function gone, which may be nil, is called for each
// object that is deleted.
func watchReferred[R, T Object](
	c *Controller[T], index string, objects *informer.Informer[R], fields string, gone func(cache.ObjectName),
) {
	caches.Watch(c.caches, objects, fields, func(e caches.Event[R]) {
		if gone != nil && e.Event == progress.Deleted {
			gone(e.Name)
		}
		c.enqueueReferrers(index, e.Name, !e.Initial, e.Cause)
	})
}

// needed returns a function that reports whether something refers to a name.
func (c *Controller[T]) needed(index string) func(name cache.ObjectName) bool {
	return func(name cache.ObjectName) bool {
		all, _ := c.objects.Indexer().IndexKeys(index, name.String()) // the index exists
		return len(all) > 0
	}
}

// references are the objects that the objects of a controller refer to.
type references[T Object] struct {
	// informers has the informers for referred objects, by their Go type and resource.
	informers map[[2]any]any
	// count is the number of calls of Refer.
	count int
	// observers receive an object before and after each change.
	observers []func(object T)
}

// referred returns the informer for objects that others refer to, which is the same for several references: options with functions can
// only be passed once.
func referred[R, T Object](c *Controller[T], source informer.Source[R], options ...informer.Option) *informer.Informer[R] {
	key := [2]any{reflect.TypeFor[R](), source.Resource()}
	if objects, ok := c.refs.informers[key].(*informer.Informer[R]); ok {
		return objects
	}
	objects := informer.For(c.whole(), source, with[R](c.settings.referred, options...)...)
	c.refs.informers[key] = objects
	return objects
}

// watchMetadata watches objects as [Metadata] says.
func watchMetadata[R, T Object](c *Controller[T], index string, source informer.Source[R]) (refcache.Objects[R], error) {
	reduced, err := informer.MetadataOf(source)
	if err != nil {
		return nil, err
	}
	metadata := referred(c, reduced, with[R](c.settings.referred, informer.WithVersionsOnly())...)
	objects := refcache.NewOnDemand(source, metadata, c.needed(index))
	watchReferred(c, index, metadata, source.Fields(), objects.Drop)
	return objects, nil
}

// watchNamed watches objects as [Named] says.
func watchNamed[R, T Object](
	c *Controller[T], index string, source informer.Source[R], names func(T) []cache.ObjectName,
) refcache.Objects[R] {
	caches.Refer(c.caches, source)
	resource := source.Resource().GroupResource().String()
	watches := refcache.NewNamed(source, c.objects.Namespaces, c.needed(index), func(name cache.ObjectName, event string, _ bool) {
		c.enqueueReferrers(index, name, true, cause{Resource: resource, Event: event})
	}, with[R](c.settings.referred)...)
	c.refs.observers = append(c.refs.observers, func(object T) {
		for _, name := range names(object) {
			if name.Name != "" {
				watches.Update(name)
			}
		}
	})
	c.caches.Attach(watches.Begin)
	return watches
}
