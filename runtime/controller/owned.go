package controller

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/ownerlabel"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/refcache"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Owned looks up cached objects of one kind by their controller.
type Owned[O Object] struct {
	objects *informer.Informer[O]
	// lost reports whether an owner has objects that left the cache and may only have lost the label. It may be nil.
	lost func(owner metav1.Object) bool
}

// Informer returns the informer for the objects.
func (o *Owned[O]) Informer() *informer.Informer[O] { return o.objects }

// By returns the objects whose controller has the UID of owner. An owner without a UID owns nothing. The objects must not be
// modified. If an object has left the cache since the reconcile began, it is unclear whether it was deleted or lost its label: By
// returns a conflict, see [IsLockConflict], and the retry resolves it.
func (o *Owned[O]) By(owner metav1.Object) ([]O, error) {
	if owner.GetUID() == "" {
		return nil, nil
	}
	objects, err := caches.ByIndex(o.objects, controllerIndex, string(owner.GetUID()))
	if err != nil {
		return nil, err
	}
	if o.lost != nil && o.lost(owner) {
		resource := o.objects.Resource().GroupResource()
		return nil, apierrors.NewConflict(resource, owner.GetName(), errors.New("owned objects have left the cache during the reconcile"))
	}
	return objects, nil
}

// controllerIndex is the index of objects by the UID of their controller.
const controllerIndex = "controller-uid"

// byController has controllerIndex.
var byController = cache.Indexers{controllerIndex: func(object any) ([]string, error) {
	if owned, ok := object.(metav1.Object); ok {
		if ref := metav1.GetControllerOfNoCopy(owned); ref != nil {
			return []string{string(ref.UID)}, nil
		}
	}
	return nil, nil
}}

// Own makes a controller watch the objects of a source that its objects own: each change enqueues the owner. Own must be called before
// Run. It returns an error if options of the informer contradict each other, or if the client has no verb patch.
//
// The objects are selected by a label, such as fleet.example.com/owner-kind=Workload, so that the cache has no objects of other owners.
// [Sync] writes it. Before an object is reconciled for the first time, the controller finds unlabeled objects in its
// namespace, which a version without labels has created, and labels them if a cached owner controls them by UID. Objects that lose
// the label are labeled again. That needs the verbs get, list, watch and patch. Objects that a reconciler writes in another
// way need the label, too: see [Controller.OwnerLabels]. For a kind whose objects cannot have it, use [OwnAll].
//
// The informer comes from the controller's factory, see [informer.For], with the options of [WithOwned].
func Own[O, T Object](c *Controller[T], source informer.Source[O]) (*Owned[O], error) {
	label := c.labelOf()
	options := []informer.Option{informer.WithLabels(label.Selector())}
	if label.BucketKey != "" {
		options = append(options, informer.WithShardLabel(label.BucketKey))
	}
	return own(c, source, label, options...)
}

// OwnAll is [Own] for all objects of a kind, with and without a label. Selectors of the factory apply.
func OwnAll[O, T Object](c *Controller[T], source informer.Source[O]) (*Owned[O], error) {
	return own(c, source, ownerlabel.Label{})
}

func own[O, T Object](c *Controller[T], source informer.Source[O], label ownerlabel.Label, options ...informer.Option) (*Owned[O], error) {
	if c.life.started.Load() {
		return nil, c.errorf("already started: call Own before Run")
	}
	if c.objects.Source().Namespaced() && !source.Namespaced() && source.Client("") != nil {
		return nil, c.errorf("%s is cluster-scoped: the garbage collector deletes its objects if their owner has a namespace", source.Resource())
	}
	factory := c.Factory()
	if label.Key == "" {
		factory = c.whole()
	}
	owned := &Owned[O]{objects: informer.For(factory, source.WithIndexers(byController), with[O](c.settings.owned, options...)...)}
	if err := factory.Err(); err != nil {
		return nil, c.errorf("%w", err)
	}
	if label.Key == "" {
		caches.WatchOwned(c.caches, owned.objects, source.Fields(), ownedChanged[O](c, nil))
		return owned, nil
	}
	kind, err := ownerlabel.NewKind(label, owned.objects, c.ownerItem, c.isPaused, c.writes.Wrote)
	if err != nil {
		return nil, c.errorf("%w", err)
	}
	c.labels.Add(kind)
	owned.lost = func(owner metav1.Object) bool {
		return c.queue.Load() != nil && c.labels.HasLost(cache.MetaObjectToName(owner))
	}
	w := caches.WatchOwned(c.caches, owned.objects, source.Fields(), ownedChanged[O](c, kind))
	w.Label = label
	reduced, err := informer.MetadataOf(source)
	if err != nil {
		return nil, c.errorf("%w", err)
	}
	outside := refcache.NewNamed(reduced, owned.objects.Namespaces,
		func(name cache.ObjectName) bool { return c.caches.Awaits(w, name) },
		func(name cache.ObjectName, _ string, initial bool) {
			if !initial { // Get returns it
				c.caches.Changed(w, name)
			}
		})
	w.Outside = outside
	c.caches.Attach(outside.Begin)
	return owned, nil
}

// OwnerLabels returns the label that owned objects need if [Own] is to watch them.
func (c *Controller[T]) OwnerLabels() map[string]string {
	return ownerlabel.Of(c.settings.kind.GroupKind()).Map()
}

// ownerItem finds the item that owns an object by the UID.
func (c *Controller[T]) ownerItem(owned metav1.Object) (item cache.ObjectName, known bool) {
	item, owner := c.ownerOf(owned)
	return item, owner != nil && owner.GetUID() == metav1.GetControllerOfNoCopy(owned).UID
}

// unselected makes up for a label that a reconciler has not written.
func (c *Controller[T]) unselected(item cache.ObjectName, object metav1.Object) {
	if owner, known := c.ownerItem(object); !known || owner != item {
		return
	}
	if q := c.queue.Load(); c.labels.LostOf(item, object) && q != nil {
		q.Logger.V(2).Info("Labeling an owned object, which was written without OwnerLabels", "object", item, "owned", object.GetName())
		q.AddAfter(item, 0)
	}
}

// ownedChanged handles the events of owned objects. The kind is nil if they are not selected by a label.
func ownedChanged[O, T Object](c *Controller[T], kind *ownerlabel.Kind) func(caches.Event[O]) {
	return func(e caches.Event[O]) {
		// Without a deletion timestamp, it is unclear whether the object is gone or has only lost the label.
		if last := e.Before; kind != nil && e.Event == progress.Deleted && any(last) != any(*new(O)) &&
			last.GetDeletionTimestamp() == nil && c.queue.Load() != nil {
			if item, known := c.ownerItem(last); known {
				c.labels.Lost(item, kind, last)
			}
		}
		enqueueNamed(c, e, func(owned O) []cache.ObjectName {
			if name, owner := c.ownerOf(owned); owner != nil {
				return []cache.ObjectName{name}
			}
			return nil
		})
	}
}

// ownerOf returns the cached object of the kind that controls another one, by its name, or nil. That may be a newer object with the
// same name, which has to react if an object of its predecessor changes or is deleted.
func (c *Controller[T]) ownerOf(owned metav1.Object) (name cache.ObjectName, owner metav1.Object) {
	ref := metav1.GetControllerOfNoCopy(owned)
	if ref == nil || ref.Kind != c.settings.kind.Kind {
		return name, nil
	}
	if version, err := schema.ParseGroupVersion(ref.APIVersion); err != nil || version.Group != c.settings.kind.Group {
		return name, nil
	}
	// Owners are in the namespace of the object, or cluster-scoped. Sources do not always know their scope.
	for _, name := range []cache.ObjectName{{Namespace: owned.GetNamespace(), Name: ref.Name}, {Name: ref.Name}} {
		stored, exists, _ := c.objects.Indexer().GetByKey(name.String()) // the indexers of informers do not fail
		if object, ok := stored.(metav1.Object); exists && ok {
			return name, object
		}
	}
	return name, nil
}
