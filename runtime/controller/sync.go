package controller

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	metav1apply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/faults"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/ownerlabel"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/reconcile"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/wanted"
)

// Writer identifies the controller that writes owned objects.
type Writer struct {
	// Owner is the GroupVersionKind used in owner references.
	Owner schema.GroupVersionKind
	// FieldManager is the field manager of all writes.
	FieldManager string
	// Recorder receives a Created event for each new object, and a NameTaken event for each desired name that is taken. If nil,
	// no events are recorded.
	Recorder events.EventRecorder

	// label is written to owned objects. It is empty with OwnAll.
	label ownerlabel.Label
}

// Sync makes the objects of one kind that owner controls match the desired objects. It writes objects that are missing or
// differ, records a Created event for each new object, and deletes objects that are no longer desired. The function owned
// returns the objects that owner controls, from a cache: it is the method By of an [Owned], or a function for the type of the owner.
//
// Objects that owner does not control are not changed, unless it adopts them, see Desired.Adopt. If the name of a desired
// object is taken, Sync records a NameTaken event, continues with the other objects, and returns a NameTakenError. If the
// object that has the name is in the cache, the error is terminal: owner is enqueued when that object changes or is deleted.
//
// Sync returns a terminal error, and writes nothing, for desired objects that it would write in every reconcile: without a name, with the
// same name, or in another namespace than their owner. The same holds for a second call in a reconcile, for the same owner and type, that
// would undo writes of the first one: pass all objects to one call, or use [ApplyOnly] or [CreateOnly].
//
// For an owner that is being deleted, Sync does nothing, except in its Finalize. There, Sync also creates objects, such as jobs that
// clean up, unless owner is deleted in the foreground: the garbage collector would delete them again, and Sync returns an error.
// Since caches lag, Sync reads owner from the API server before it creates objects, if owner is the object that is reconciled.
func Sync[T, O Object, F interface {
	func(T) ([]O, error) | func(metav1.Object) ([]O, error)
}](ctx context.Context, w Writer, owner T, owned F, desired Desired[O]) error {
	if owner.GetUID() == "" {
		return fmt.Errorf("%s has no UID and cannot own objects; in tests, set one", cache.MetaObjectToName(owner))
	}
	if isDeleted(ctx, owner) {
		return nil
	}
	c, a := wanted.Call{Owner: owner, Type: reflect.TypeFor[O](), Deletes: desired.remove != nil}, reconcile.From(ctx)
	if a != nil {
		w.label, c.Namespaced = a.Caches.Owned(c.Type)
		w.label = w.label.Of(owner.GetUID())
		c.Label = w.label.Key
	}
	if err := desired.check(a, c); err != nil {
		return TerminalError(err)
	}
	controlled, err := call[T, O](owned, owner)
	if err != nil {
		return err
	}
	existing := map[cache.ObjectName]O{}
	for _, current := range controlled {
		existing[cache.MetaObjectToName(current)] = current
	}
	s := syncing{w, owner, sync.OnceValues(func() (owning, error) { return recheckOwner(ctx, owner) })}
	var kept []error
	for _, object := range desired.objects {
		current, exists := existing[object.Name]
		delete(existing, object.Name)
		err := desired.sync(ctx, s, object, current, exists)
		if errors.Is(err, errOwnerDeleted) {
			return errors.Join(kept...)
		}
		if errors.Is(err, errForeground) || ReasonOf(err) == ReasonNameTaken {
			kept = append(kept, err)
		} else if err != nil {
			return errors.Join(append(kept, err)...)
		}
	}
	if err := desired.prune(ctx, controlled, existing); err != nil {
		return errors.Join(append(kept, err)...)
	}
	return errors.Join(kept...)
}

// check returns an error if the desired objects, or the objects of an earlier call in the attempt, would be written in every reconcile.
func (d Desired[O]) check(a *reconcile.Attempt, c wanted.Call) error {
	for _, object := range d.objects {
		c.Objects = append(c.Objects, object.Object)
	}
	if err := c.Validate(); err != nil || a == nil {
		return err
	}
	return a.Calls.Add(c)
}

// isDeleted reports whether an owner is being deleted, and Finalize does not run for it.
func isDeleted(ctx context.Context, owner metav1.Object) bool {
	a := reconcile.From(ctx)
	return owner.GetDeletionTimestamp() != nil && (a == nil || a.Finalizing != owner.GetUID())
}

// errOwnerDeleted is returned for an owner that is being deleted, or gone, which the cache has not seen.
var errOwnerDeleted = errors.New("the owner is being deleted")

// errForeground is wrapped by errors for objects that an owner does not get any more.
var errForeground = errors.New("deleted in the foreground, so the garbage collector would delete it again")

// recheckOwner returns the owner as the API server has it. The cache of owned objects may be ahead of the cache of owners: one already
// lacks an object that the garbage collector has deleted, the other still has its owner unchanged.
func recheckOwner(ctx context.Context, owner owning) (owning, error) {
	a := reconcile.From(ctx)
	if a == nil || a.Item != cache.MetaObjectToName(owner) {
		return owner, nil
	}
	read, err := a.Live(ctx)
	if IsNotFound(err) {
		Deleted(ctx, owner)
		return nil, errOwnerDeleted
	}
	if err != nil {
		return nil, err
	}
	live, ok := read.(owning)
	if !ok || reflect.TypeOf(read) != reflect.TypeOf(owner) {
		return owner, nil // the object of another kind that has the name
	}
	if live.GetUID() == owner.GetUID() && !isDeleted(ctx, live) {
		return live, nil
	}
	Wrote(ctx, live) // the cache is behind
	return nil, errOwnerDeleted
}

// call calls a function for an owner.
func call[T, O Object](owned any, owner T) ([]O, error) {
	if by, ok := owned.(func(metav1.Object) ([]O, error)); ok {
		return by(owner)
	}
	return owned.(func(T) ([]O, error))(owner) // Sync takes no other type
}

// syncing is a call of Sync.
type syncing struct {
	Writer

	owner owning
	// recheck returns the owner as the API server has it, or errOwnerDeleted.
	recheck func() (owning, error)
}

// owning is an object that owns others.
type owning interface {
	metav1.Object
	runtime.Object
}

// sync writes one object, if needed. The object current is from the cache, if it exists there.
func (d Desired[O]) sync(ctx context.Context, s syncing, object desiredObject[O], current O, exists bool) (err error) {
	owner := s.owner
	if !exists {
		current, exists, err = d.claim(ctx, owner, object.Name, !d.atomic)
	}
	var written O
	if err == nil && !exists {
		live, err := s.recheck()
		if err != nil {
			return err
		}
		if slices.Contains(live.GetFinalizers(), metav1.FinalizerDeleteDependents) {
			return fmt.Errorf("%s %s is not created: %s %s is %w",
				reflect.TypeFor[O]().Elem().Name(), object.Name, wanted.KindOf(owner), owner.GetName(), errForeground)
		}
	}
	if err == nil && !exists {
		written, err = object.create(ctx, s.Writer, owner)
		if existed := err; apierrors.IsAlreadyExists(existed) {
			if current, exists, err = d.claim(ctx, owner, object.Name, true); err == nil && !exists {
				err = existed // it was deleted again, or the client cannot read it
			}
		} else if err == nil {
			Wrote(ctx, written)
			s.event(owner, written, corev1.EventTypeNormal, "Created", fmt.Sprintf("Created %s %s", wanted.KindOf(written), object.Name))
		} else if faults.IsInvalidName(err) {
			err = TerminalError(err)
		}
	}
	switch {
	case ReasonOf(err) == ReasonNameTaken:
		s.event(owner, nil, corev1.EventTypeWarning, ReasonNameTaken, err.Error())
	case err == nil && exists:
		written, err = object.update(ctx, s.Writer, owner, current)
		return Record(ctx, current, written, err)
	}
	return err
}

// prune deletes the remaining controlled objects, which are not desired.
func (d Desired[O]) prune(ctx context.Context, controlled []O, left map[cache.ObjectName]O) error {
	if d.remove == nil {
		return nil
	}
	for _, current := range controlled {
		if _, undesired := left[cache.MetaObjectToName(current)]; !undesired {
			continue
		}
		err := d.remove(ctx, current)
		if err != nil && !IsNotFound(err) {
			return err
		}
		Deleted(ctx, current)
	}
	return nil
}

// reference returns the owner reference that makes owner the controller of another object.
func (w Writer) reference(owner metav1.Object) *metav1apply.OwnerReferenceApplyConfiguration {
	return metav1apply.OwnerReference().WithAPIVersion(w.Owner.GroupVersion().String()).WithKind(w.Owner.Kind).
		WithName(owner.GetName()).WithUID(owner.GetUID()).WithController(true).WithBlockOwnerDeletion(true)
}

// event records an event about an owner, if there is a recorder.
func (w Writer) event(owner, related runtime.Object, eventType, reason, note string) {
	if w.Recorder != nil {
		w.Recorder.Eventf(owner, related, eventType, reason, "Reconcile", "%s", note)
	}
}
