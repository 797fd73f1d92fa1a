package controller

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/metadata"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/reconcile"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/wanted"
)

type getter[O any] interface {
	Get(ctx context.Context, name string, options metav1.GetOptions) (O, error)
}

// getWith returns a function that reads an object from the API server, or nil for clients without the verb get.
func getWith[O Object, C any](client func(namespace string) C) func(context.Context, cache.ObjectName) (O, error) {
	if !reflect.TypeFor[C]().Implements(reflect.TypeFor[getter[O]]()) {
		return nil
	}
	return func(ctx context.Context, name cache.ObjectName) (O, error) {
		return any(client(name.Namespace)).(getter[O]).Get(ctx, name.Name, metav1.GetOptions{})
	}
}

// claim looks for an existing object with a desired name that the owner does not control according to the index of the cache.
// It returns the object if the owner may write it, false if no such object exists, and a NameTakenError otherwise. It only
// calls the API server if live is set.
func (d Desired[O]) claim(
	ctx context.Context, owner metav1.Object, name cache.ObjectName, live bool,
) (found O, exists bool, err error) {
	a := reconcile.From(ctx)
	if w := cacheOf[O](a, name.Namespace); w != nil {
		if found, exists = w.Get(name).(O); exists && !d.claims(owner, found) {
			a.Caches.Await(w, name, a.Item)
			found, exists = w.Get(name).(O) // it may have changed in the meantime
		}
		switch {
		case exists && d.claims(owner, found):
			return found, true, nil
		case exists:
			return found, false, TerminalError(takenBy(found))
		}
	}
	if d.get == nil || !live {
		return found, false, nil
	}
	found, err = d.get(ctx, name)
	switch {
	case IsNotFound(err):
		return found, false, nil
	case err != nil:
		return found, false, err
	case !d.claims(owner, found):
		return found, false, d.awaitOutside(ctx, owner, found)
	}
	Wrote(ctx, found) // the cache is behind
	return found, true, nil
}

// awaitOutside returns the error for an object that has a desired name and is not in the cache. If the cache selects objects by a label,
// the object is watched by its name: then the error is terminal, since there will be an event when it changes.
func (d Desired[O]) awaitOutside(ctx context.Context, owner metav1.Object, found O) error {
	taken, name := takenBy(found), cache.MetaObjectToName(found)
	a := reconcile.From(ctx)
	w := cacheOf[O](a, name.Namespace)
	if w == nil || w.Outside == nil {
		return taken
	}
	a.Caches.Await(w, name, a.Item)
	object, exists, err := w.Outside.Get(ctx, name)
	if err != nil {
		return errors.Join(taken, err)
	}
	if !exists || d.claims(owner, object) {
		return taken // it has changed: the next attempt sees that
	}
	return TerminalError(taken)
}

// cacheOf returns the cache for objects of type O in a namespace that the controller of an attempt has, or nil.
func cacheOf[O Object](a *reconcile.Attempt, namespace string) *caches.Watcher {
	if a == nil {
		return nil
	}
	return a.Caches.Of(reflect.TypeFor[O](), namespace)
}

// claims reports whether an owner may write an object: it controls the object, or adopts it.
func (d Desired[O]) claims(owner, object metav1.Object) bool {
	return metav1.IsControlledBy(object, owner) || d.adopts && metav1.GetControllerOfNoCopy(object) == nil
}

func takenBy[O Object](object O) error {
	return &NameTakenError{Kind: wanted.KindOf(object), Name: cache.MetaObjectToName(object), Controller: metav1.GetControllerOf(object)}
}

// adopt makes owner the controller of an object that has no controller, and labels it.
func adopt[O Object](ctx context.Context, client any, w Writer, owner metav1.Object, object O) (O, error) {
	patches, ok := client.(metadata.Patcher[O])
	if !ok {
		return object, TerminalError(fmt.Errorf("%s %s cannot be adopted: its client has no verb patch",
			wanted.KindOf(object), cache.MetaObjectToName(object)))
	}
	changes := map[string]any{}
	if !metav1.IsControlledBy(object, owner) {
		changes["ownerReferences"] = append(object.GetOwnerReferences(), *metav1.NewControllerRef(owner, w.Owner))
	}
	if !w.label.In(object.GetLabels()) {
		changes["labels"] = w.label.Map()
	}
	patch, err := metadata.Patch(object.GetResourceVersion(), changes)
	if err != nil {
		return object, err
	}
	return patches.Patch(ctx, object.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: w.FieldManager})
}
