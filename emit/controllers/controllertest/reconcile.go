// Package controllertest tests reconcilers on fake clientsets, one reconcile at a time. It is for test files only.
package controllertest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	controllers "github.com/informer-gen-lite/informer-gen-lite/emit/controllers"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/scheme"
)

// Reconciled is the outcome of one reconcile.
type Reconciled[T controllers.Object] struct {
	// Result and Err are the results of the reconciler. A panic is returned as an error.
	Result controllers.Result
	Err    error
	// Object is the object after the reconcile, or nil if it is gone. An object that is being deleted and has no finalizers
	// counts as gone.
	Object T
	// Writes are the successful writes, and Events the recorded events, both in order.
	Writes []Write
	Events []Event
	// Clients are the clients of the reconciler. Use them to read other objects.
	Clients Clients
}

// Lines returns writes or events as strings, to compare them with literals.
func Lines[S fmt.Stringer](all []S) []string {
	var lines []string
	for _, one := range all {
		lines = append(lines, one.String())
	}
	return lines
}

// controller is a generated controller for objects of type T.
type controller[T controllers.Object] interface {
	Resource() schema.GroupResource
	ReconcileOnce(context.Context, cache.ObjectName) (controllers.Result, error)
	Watch(controllers.Cache[T]) // not called: it ties T to the controller
}

// Reconcile reconciles an object once, on fake clientsets that hold the object and others. As in a running controller, the
// finalizer is added first, and Finalize is called for an object that is being deleted. There are no retries and no events
// about failures. When Reconcile returns, the controller has stopped.
//
// The function newController returns the controller to test. It may prepend reactors to the clientsets.
//
// Reconcile works on copies. If the object has no UID or no generation, Reconcile sets them. It also sets the UID in owner
// references of the others that name the object and have no UID.
func Reconcile[T controllers.Object, C controller[T]](t testing.TB, newController func(Clients) (C, error), object T, others ...runtime.Object) *Reconciled[T] {
	t.Helper()
	object = object.DeepCopyObject().(T)
	if object.GetUID() == "" {
		object.SetUID(types.UID("uid-of-" + object.GetName()))
	}
	if object.GetGeneration() == 0 {
		object.SetGeneration(1)
	}
	kinds, _, err := scheme.Scheme.ObjectKinds(object)
	if err != nil {
		t.Fatalf("reconcile %T: %v", object, err)
	}
	objects := []runtime.Object{object}
	for _, other := range others {
		other = other.DeepCopyObject()
		own(other, object, kinds[0].Kind)
		objects = append(objects, other)
	}
	return reconcile[T](t, newController, cache.MetaObjectToName(object), objects)
}

// ReconcileDeleted is Reconcile for an object that no longer exists.
func ReconcileDeleted[T controllers.Object, C controller[T]](t testing.TB, newController func(Clients) (C, error), name cache.ObjectName, others ...runtime.Object) *Reconciled[T] {
	t.Helper()
	return reconcile[T](t, newController, name, others)
}

// own sets the UID in owner references of an object that name the owner and have no UID. The kind is the owner's.
func own(object runtime.Object, owner metav1.Object, kind string) {
	owned, ok := object.(metav1.Object)
	if !ok {
		return // a list
	}
	references := owned.GetOwnerReferences()
	for i, ref := range references {
		if ref.UID == "" && ref.Kind == kind && ref.Name == owner.GetName() {
			references[i].UID = owner.GetUID()
		}
	}
	owned.SetOwnerReferences(references)
}

func reconcile[T controllers.Object, C controller[T]](t testing.TB, newController func(Clients) (C, error), name cache.ObjectName, objects []runtime.Object) *Reconciled[T] {
	t.Helper()
	got := &Reconciled[T]{Clients: newClients(t)}
	for _, object := range objects {
		if err := got.Clients.Client.Tracker().Add(object); err != nil {
			t.Fatalf("add object: %v", err)
		}
	}
	c, err := newController(got.Clients)
	if err != nil {
		t.Fatalf("new controller: %v", err)
	}
	writes := got.Clients.recordWrites()
	got.Result, got.Err = c.ReconcileOnce(t.Context(), name)
	if errors.Is(got.Err, controllers.ErrNotStarted) {
		t.Fatalf("%v", got.Err)
	}
	got.Writes, got.Events = writes.all(), got.Clients.Recorder.Events()
	if got.Object, err = current[T](got.Clients, c.Resource(), name); err != nil {
		t.Fatalf("get the object after the reconcile: %v", err)
	}
	return got
}

// current returns an object from the fake clientset, or nil if it is gone.
func current[T controllers.Object](clients Clients, resource schema.GroupResource, name cache.ObjectName) (T, error) {
	var none T
	kinds, _, err := scheme.Scheme.ObjectKinds(reflect.New(reflect.TypeFor[T]().Elem()).Interface().(runtime.Object))
	if err != nil {
		return none, err
	}
	stored, err := clients.Client.Tracker().Get(resource.WithVersion(kinds[0].Version), name.Namespace, name.Name)
	if controllers.IsNotFound(err) {
		return none, nil
	}
	if err != nil {
		return none, err
	}
	object := stored.(T)
	if object.GetDeletionTimestamp() != nil && len(object.GetFinalizers()) == 0 {
		return none, nil
	}
	return object, nil
}
