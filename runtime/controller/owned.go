package controller

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/queue"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Owned looks up cached objects of one kind by their controller.
type Owned[O Object] struct {
	objects *informer.Informer[O]
}

// Informer returns the informer for the objects.
func (o *Owned[O]) Informer() *informer.Informer[O] { return o.objects }

// By returns the objects whose controller has the UID of owner. An owner without a UID owns nothing. The objects must not be
// modified.
func (o *Owned[O]) By(owner metav1.Object) ([]O, error) {
	if owner.GetUID() == "" {
		return nil, nil
	}
	objects, err := o.objects.ByIndex(controllerIndex, string(owner.GetUID()))
	if err != nil {
		return nil, err
	}
	all := make([]O, 0, len(objects))
	for _, object := range objects {
		if object, ok := object.(O); ok {
			all = append(all, object)
		}
	}
	return all, nil
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

// Own makes a controller watch the objects of a source: each change enqueues the owner. The informer is that of the controller's
// factory, see [informer.For]; to give it options, request it before. Selectors of the factory apply to it, too. Own must be called
// before Run. It returns an error if options of the informer contradict each other.
func Own[O, T Object](c *Controller[T], source informer.Source[O]) (*Owned[O], error) {
	if c.started.Load() {
		return nil, c.errorf("it has already been run: call Own before Run")
	}
	owned := &Owned[O]{informer.For(c.Factory(), source.WithIndexers(byController))}
	if err := c.Factory().Err(); err != nil {
		return nil, c.errorf("%w", err)
	}
	caches.Watch(c.caches, owned.objects, ownedHandler[T, O](c, source.Resource().GroupResource().String()))
	return owned, nil
}

// ownedHandler returns a handler that enqueues the owners of objects that change.
func ownedHandler[T, O Object](c *Controller[T], resource string) informer.Handler[O] {
	added, updated, deleted := cause{resource, "added"}, cause{resource, "updated"}, cause{resource, "deleted"}
	return informer.HandlerFuncs[O]{
		Added: func(object O, initial bool) { c.enqueueOwner(object, !initial, added) },
		Updated: func(before, after O) {
			if repeated(before, after) {
				return
			}
			c.enqueueOwner(after, true, updated)
			was, is := metav1.GetControllerOfNoCopy(before), metav1.GetControllerOfNoCopy(after)
			if was != nil && (is == nil || was.UID != is.UID) {
				c.enqueueOwner(before, true, updated) // the previous owner
			}
		},
		Deleted: func(_ cache.ObjectName, last O) {
			var none O
			if any(last) != any(none) {
				c.enqueueOwner(last, true, deleted)
			}
		},
	}
}

// enqueueOwner enqueues the controller of an object if it is a cached object of the kind. That may be a newer object with the
// same name, which has to react if an object of its predecessor changes or is deleted.
func (c *Controller[T]) enqueueOwner(owned metav1.Object, urgent bool, why cause) {
	ref := metav1.GetControllerOfNoCopy(owned)
	if ref == nil || ref.Kind != c.kind.Kind {
		return
	}
	if version, err := schema.ParseGroupVersion(ref.APIVersion); err != nil || version.Group != c.kind.Group {
		return
	}
	// Owners are in the namespace of the object, or cluster-scoped. Sources do not always know their scope.
	for _, name := range []cache.ObjectName{{Namespace: owned.GetNamespace(), Name: ref.Name}, {Name: ref.Name}} {
		if _, exists, _ := c.objects.Indexer().GetByKey(name.String()); exists { // the indexers of informers do not fail
			c.enqueue(queue.Item{Name: name, Urgent: urgent}, why)
			return
		}
	}
}
