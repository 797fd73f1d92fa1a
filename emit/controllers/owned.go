package controllers

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// Owned looks up cached objects of one kind by their controller.
type Owned[O Object] struct {
	informer cache.SharedIndexInformer
}

// By returns the objects whose controller has the UID of owner. An owner without a UID owns nothing. The objects must not be
// modified.
func (o *Owned[O]) By(owner metav1.Object) ([]O, error) {
	if owner.GetUID() == "" {
		return nil, nil
	}
	objects, err := o.informer.GetIndexer().ByIndex(controllerIndex, string(owner.GetUID()))
	if err != nil {
		return nil, err
	}
	var all []O
	for _, object := range objects {
		if object, ok := object.(O); ok {
			all = append(all, object)
		}
	}
	return all, nil
}

// controllerIndex is the index of objects by the UID of their controller.
const controllerIndex = "controller-uid"

// indexByController adds controllerIndex to an informer, unless another controller did so before.
func indexByController(informer cache.SharedIndexInformer) error {
	if hasControllerIndex(informer) {
		return nil
	}
	err := informer.AddIndexers(cache.Indexers{controllerIndex: func(object any) ([]string, error) {
		if owned, ok := object.(metav1.Object); ok {
			if ref := metav1.GetControllerOfNoCopy(owned); ref != nil {
				return []string{string(ref.UID)}, nil
			}
		}
		return nil, nil
	}})
	if err != nil && hasControllerIndex(informer) {
		return nil // another controller was faster
	}
	return err
}

// hasControllerIndex reports whether an informer has controllerIndex. It reads from the index, because that takes the lock of the
// indexes.
func hasControllerIndex(informer cache.SharedIndexInformer) bool {
	_, err := informer.GetIndexer().ByIndex(controllerIndex, "")
	return err == nil
}

// Own watches the objects of a resource, makes them available in owned, and enqueues their owners. Generated code calls Own
// once per owned kind.
func Own[T, O Object](c *Controller[T], owned *Owned[O], resource schema.GroupResource, namespaced bool, objects Cache[O]) error {
	if err := indexByController(objects.Informer); err != nil {
		return err
	}
	owned.informer = objects.Informer
	addWatch(c, ownedHandler[T, O](c, resource.String()), objects.Informer, probe{resource, c.settings.namespacesOf(namespaced), objects.List})
	return nil
}

// ownedHandler returns a handler that enqueues the owners of objects that change.
func ownedHandler[T, O Object](c *Controller[T], resource string) handler[O] {
	added, updated, deleted := cause{resource, "added"}, cause{resource, "updated"}, cause{resource, "deleted"}
	return handler[O]{
		added: func(object O, initial bool) { c.enqueueOwner(object, !initial, added) },
		updated: func(before, after O) {
			if repeated(before, after) {
				return
			}
			c.enqueueOwner(after, true, updated)
			if was, is := metav1.GetControllerOfNoCopy(before), metav1.GetControllerOfNoCopy(after); was != nil && (is == nil || was.UID != is.UID) {
				c.enqueueOwner(before, true, updated) // the previous owner
			}
		},
		deleted: func(_ cache.ObjectName, last O) {
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
	if ref == nil || ref.Kind != c.config.GroupKind.Kind {
		return
	}
	if version, err := schema.ParseGroupVersion(ref.APIVersion); err != nil || version.Group != c.config.GroupKind.Group {
		return
	}
	name := cache.ObjectName{Name: ref.Name}
	if c.config.Namespaced {
		name.Namespace = owned.GetNamespace()
	}
	if _, err := c.cached(name); err == nil {
		c.enqueue(item{name, urgent}, why)
	}
}
