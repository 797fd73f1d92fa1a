package controllertest

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/ownerlabel"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/wanted"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Reconciled is the outcome of one reconcile.
type Reconciled[T controller.Object] struct {
	// Result and Err are the results of the reconciler. A panic is returned as an error.
	Result controller.Result
	Err    error
	// Object is the object after the reconcile, or nil if it is gone. An object that is being deleted and has no finalizers counts as gone.
	Object T
	// Writes are the successful writes, and Events the recorded events, both in order.
	Writes []Write
	Events []Event
}

// Lines returns writes or events as strings, to compare them with literals.
func Lines[S fmt.Stringer](all []S) []string {
	var lines []string
	for _, one := range all {
		lines = append(lines, one.String())
	}
	return lines
}

// Controller is a controller for objects of type T: a *controller.Controller[T], or a struct that embeds one.
type Controller[T controller.Object] interface {
	ReconcileOnce(ctx context.Context, name cache.ObjectName) (controller.Result, error)
	Informer() *informer.Informer[T]
}

// Reconcile reconciles an object once. It adds the object and others to the server of the environment, and calls newController for
// the controller to test, which may also prepend reactors to the clientsets. As in a running controller, the finalizer is added
// first, and Finalize is called for an object that is being deleted. There are no retries and no events about failures. When
// Reconcile returns, the controller has stopped. If anything but the reconcile fails, Reconcile ends the test.
//
// Reconcile works on copies. If the object has no UID or no generation, Reconcile sets them. It also sets the UID in owner
// references of the others that name the object and have no UID, and gives them the label that [controller.Own] selects.
func Reconcile[T controller.Object, C Controller[T]](
	e *Env, newController func() (C, error), object T, others ...runtime.Object,
) *Reconciled[T] {
	e.t.Helper()
	object = object.DeepCopyObject().(T)
	if object.GetUID() == "" {
		object.SetUID(types.UID("uid-of-" + object.GetName()))
	}
	if object.GetGeneration() == 0 {
		object.SetGeneration(1)
	}
	objects := []runtime.Object{object}
	for _, other := range others {
		other = other.DeepCopyObject()
		own(other, object, wanted.KindOf(object))
		objects = append(objects, other)
	}
	e.addObjects(objects)
	return reconcile[T](e, newController, cache.MetaObjectToName(object))
}

// ReconcileNamed is [Reconcile] for an object that the server has, for instance after an earlier reconcile.
func ReconcileNamed[T controller.Object, C Controller[T]](
	e *Env, newController func() (C, error), name cache.ObjectName, others ...runtime.Object,
) *Reconciled[T] {
	e.t.Helper()
	e.addObjects(others)
	return reconcile[T](e, newController, name)
}

// ReconcileDeleted is [Reconcile] for an object that no longer exists.
func ReconcileDeleted[T controller.Object, C Controller[T]](
	e *Env, newController func() (C, error), name cache.ObjectName, others ...runtime.Object,
) *Reconciled[T] {
	e.t.Helper()
	return ReconcileNamed[T](e, newController, name, others...)
}

// own sets the UID in owner references of an object that name the owner and have no UID, and the label of owned objects. The kind is
// the owner's.
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
		if group, err := schema.ParseGroupVersion(ref.APIVersion); err == nil && references[i].UID == owner.GetUID() && ref.Kind == kind {
			label := ownerlabel.Of(group.WithKind(kind).GroupKind())
			owned.SetLabels(label.AddTo(owned.GetLabels()))
		}
	}
	owned.SetOwnerReferences(references)
}

func reconcile[T controller.Object, C Controller[T]](
	e *Env, newController func() (C, error), name cache.ObjectName,
) *Reconciled[T] {
	e.t.Helper()
	c, err := newController()
	if err != nil {
		e.t.Fatalf("new controller: %v", err)
	}
	e.recordWrites()
	writes, events := len(e.writes.all()), len(e.Recorder.Events())
	got := &Reconciled[T]{}
	got.Result, got.Err = c.ReconcileOnce(e.t.Context(), name)
	if errors.Is(got.Err, controller.ErrNotStarted) {
		e.t.Fatalf("%v", got.Err)
	}
	got.Writes, got.Events = e.writes.all()[writes:], e.Recorder.Events()[events:]
	if got.Object, err = current(e, c.Informer(), name); err != nil {
		e.t.Fatalf("get the object after the reconcile: %v", err)
	}
	return got
}

// current returns an object from the server, or nil if it is gone.
func current[T controller.Object](e *Env, objects *informer.Informer[T], name cache.ObjectName) (T, error) {
	var none T
	stored, err := e.Server.Tracker().Get(objects.Resource(), name.Namespace, name.Name)
	if controller.IsNotFound(err) {
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
