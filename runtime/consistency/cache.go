package consistency

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/waiters"
)

// Cache is an informer whose objects a Tracker waits for.
type Cache struct {
	tracker    *Tracker
	object     reflect.Type
	resource   schema.GroupVersionResource
	indexer    cache.Indexer
	namespaces func() []string
	reached    func(namespace string) string
	labels     labels.Selector
	fields     fields.Selector
	// sharded is set if the cache has a part of the objects, and covers is nil without shards, see inShards.
	sharded bool
	covers  func(object metav1.Object) bool
}

// Watch makes a tracker wait for writes to the objects of an informer. It adds a handler to the informer, which stop removes:
// events wake the items that wait for them. The informer may run already, and its namespaces may change.
func Watch[T informer.Object](t *Tracker, i *informer.Informer[T]) (stop func(), err error) {
	c := Track(t, i)
	registration, err := i.AddHandler(informer.HandlerFuncs[T]{
		Added:   func(object T, _ bool) { c.Seen(cache.MetaObjectToName(object)) },
		Updated: func(_, after T) { c.Seen(cache.MetaObjectToName(after)) },
		Deleted: func(name cache.ObjectName, _ T) { c.Seen(name) },
	})
	if err != nil {
		return nil, err
	}
	return func() { _ = i.RemoveHandler(registration) }, nil // it fails only for foreign registrations
}

// Track is [Watch] without a handler, for code that has one: it must call [Cache.Seen] after each event.
func Track[T informer.Object](t *Tracker, i *informer.Informer[T]) *Cache {
	status := i.Describe()
	c := &Cache{resource: i.Resource(), indexer: i.Indexer(), namespaces: i.Namespaces, reached: i.Reached}
	c.covers, c.sharded = i.Covers, status.Shards != ""
	if selector, err := labels.Parse(status.LabelSelector); err == nil {
		c.labels = selector
	}
	if selector, err := fields.ParseSelector(status.FieldSelector); err == nil {
		c.fields = selector
	}
	return track[T](t, c)
}

// track adds a cache to a tracker.
func track[T informer.Object](t *Tracker, c *Cache) *Cache {
	c.tracker, c.object = t, reflect.TypeFor[T]()
	if c.labels == nil {
		c.labels = labels.Everything()
	}
	if c.fields == nil {
		c.fields = fields.Everything()
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	caches := append(slices.Clone(*t.caches.Load()), c)
	t.caches.Store(&caches)
	return c
}

// Seen wakes the items that wait for an event about an object. Event handlers call it after everything else that they do.
func (c *Cache) Seen(object cache.ObjectName) {
	for _, item := range c.tracker.waiting.Take(waiters.Key[*Cache]{Cache: c, Object: object}) {
		c.tracker.wake(item)
	}
}

// Get returns an object from the cache, or nil. It must not be modified.
func (c *Cache) Get(name cache.ObjectName) metav1.Object {
	stored, _, _ := c.indexer.GetByKey(name.String()) // the indexers of informers do not fail
	object, _ := stored.(metav1.Object)
	return object
}

// watches reports whether the informer has the objects of a namespace.
func (c *Cache) watches(namespace string) bool {
	watched := c.namespaces()
	return slices.Contains(watched, metav1.NamespaceAll) || slices.Contains(watched, namespace)
}

// cachesOf returns the caches that may have an object: there may be several, of informers with different selectors.
func (t *Tracker) cachesOf(object metav1.Object) (found []*Cache) {
	kind := reflect.TypeOf(object)
	for _, c := range *t.caches.Load() {
		if c.object == kind && c.holds(object) && c.watches(object.GetNamespace()) {
			found = append(found, c)
		}
	}
	return found
}

// holds reports whether an object belongs to the resource of the cache, if its Go type does not say so.
func (c *Cache) holds(object metav1.Object) bool {
	untyped, ok := object.(*unstructured.Unstructured)
	if !ok {
		if _, ok := object.(*metav1.PartialObjectMetadata); ok {
			cached := c.Get(cache.MetaObjectToName(object))
			return cached != nil && cached.GetUID() == object.GetUID()
		}
		return true
	}
	kind := untyped.GroupVersionKind()
	plural, singular := meta.UnsafeGuessKindToResource(kind)
	return c.resource == plural || c.resource == singular ||
		c.resource.GroupVersion() == kind.GroupVersion() && c.hasKind(kind.Kind)
}

// hasKind reports whether a cached object has a kind: irregular plurals cannot be guessed.
func (c *Cache) hasKind(kind string) bool {
	for _, stored := range c.indexer.List() {
		object, ok := stored.(*unstructured.Unstructured)
		return ok && object.GetKind() == kind // all objects of a cache have the same
	}
	return false
}

// write returns the write to an object that the cache should hold. It returns false if there is nothing to wait for.
func (c *Cache) write(object metav1.Object, deleted bool) (Write, bool) {
	version := versionOf(object)
	if version == 0 {
		return Write{}, false // fake clientsets have no resource versions
	}
	name := cache.MetaObjectToName(object)
	cached := c.Get(name)
	known := cached != nil && cached.GetUID() == object.GetUID()
	released := isReleased(object)
	deleted = deleted || released
	if !deleted && !known && !c.selects(object) {
		return Write{}, false // the cache will not have it
	}
	return Write{
		Resource: c.resource, Object: name, ResourceVersion: object.GetResourceVersion(), Deleted: deleted,
		cache: c, object: object, uid: object.GetUID(), version: version, known: known, released: released,
	}, true
}

// selects reports whether the selectors of the informer match an object.
func (c *Cache) selects(object metav1.Object) bool {
	if !c.labels.Matches(labels.Set(object.GetLabels())) || !c.inShards(object) {
		return false
	}
	return c.fields.Empty() || c.fields.Matches(fieldsOf(object, c.fields.Requirements()))
}

// inShards reports whether an object is in the shards of the informer.
func (c *Cache) inShards(object metav1.Object) bool { return c.covers == nil || c.covers(object) }

// fieldsOf returns the values of the fields that a selector requires. A field that is missing is empty, as it is for most kinds.
func fieldsOf(object metav1.Object, requirements fields.Requirements) fields.Set {
	set := fields.Set{"metadata.name": object.GetName(), "metadata.namespace": object.GetNamespace()}
	var content map[string]any
	for _, required := range requirements {
		if _, ok := set[required.Field]; ok {
			continue
		}
		if content == nil {
			content, _ = runtime.DefaultUnstructuredConverter.ToUnstructured(object) // what cannot be converted has no fields
		}
		set[required.Field] = ""
		value, found, err := unstructured.NestedFieldNoCopy(content, strings.Split(required.Field, ".")...)
		if found && err == nil && value != nil {
			set[required.Field] = fmt.Sprint(value)
		}
	}
	return set
}

// cached returns an object of a resource that a cache has, or nil.
func (t *Tracker) cached(resource schema.GroupVersionResource, namespace, name string) metav1.Object {
	for _, c := range *t.caches.Load() {
		if c.resource == resource {
			if object := c.Get(cache.NewObjectName(namespace, name)); object != nil {
				return object
			}
		}
	}
	return nil
}
