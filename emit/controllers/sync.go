package controllers

import (
	"context"
	"encoding/json"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	metav1apply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/ptr"
)

// Writer identifies the controller that writes owned objects.
type Writer struct {
	// Owner is the GroupVersionKind used in owner references.
	Owner schema.GroupVersionKind
	// FieldManager is the field manager of all writes.
	FieldManager string
	// Recorder receives a Created event for each new object; nil records none.
	Recorder events.EventRecorder
}

// Desired is the desired set of objects of one kind, with the means to write them. Apply and Create return one for a single
// call of Sync.
type Desired[O Object] struct {
	objects []desiredObject[O]
	// remove deletes an object that is no longer desired; nil if the client cannot delete.
	remove func(ctx context.Context, object O) error
}

type desiredObject[O Object] struct {
	name cache.ObjectName
	// write creates or updates the object and returns it, unless current is up to date. It is nil if there is no such object.
	write func(ctx context.Context, w Writer, owner metav1.Object, current O) (O, error)
}

// Sync makes the objects of one kind that owner controls match the desired ones. It writes those that are missing or
// differ, records a Created event for each new one, and deletes those that are no longer desired. The function owned
// returns the objects that owner controls, from a cache.
func Sync[T, O Object](ctx context.Context, w Writer, owner T, owned func(T) ([]O, error), desired Desired[O]) error {
	controlled, err := owned(owner)
	if err != nil {
		return err
	}
	existing := map[cache.ObjectName]O{}
	for _, current := range controlled {
		existing[nameOf(current)] = current
	}
	for _, object := range desired.objects {
		current, exists := existing[object.name]
		delete(existing, object.name)
		written, err := object.write(ctx, w, owner, current)
		if err != nil {
			return err
		}
		if !exists && w.Recorder != nil {
			w.Recorder.Eventf(owner, written, corev1.EventTypeNormal, "Created", "Reconcile", "Created %s %s", kindName[O](), object.name)
		}
	}
	if desired.remove == nil {
		return nil
	}
	for _, current := range controlled {
		if _, undesired := existing[nameOf(current)]; !undesired {
			continue
		}
		if err := desired.remove(ctx, current); err != nil && !IsNotFound(err) {
			return err
		}
	}
	return nil
}

// kindName returns the name of a Go type, which is also the name of its kind.
func kindName[O Object]() string { return reflect.TypeFor[O]().Elem().Name() }

// ClusterScoped adapts the accessor of a cluster-scoped client for Apply and Create, which pass a namespace.
func ClusterScoped[C any](client func() C) func(namespace string) C {
	return func(string) C { return client() }
}

// applyConfiguration is the part of an apply configuration that Apply needs.
type applyConfiguration[A any] interface {
	GetName() *string
	WithOwnerReferences(...*metav1apply.OwnerReferenceApplyConfiguration) A
}

// namespaceIn returns the namespace in an apply configuration. Apply configurations have a method for that since client-go
// v0.34; the JSON form of others has it.
func namespaceIn(config any) string {
	if config, ok := config.(interface{ GetNamespace() *string }); ok {
		return ptr.Deref(config.GetNamespace(), "")
	}
	var object metav1.PartialObjectMetadata
	if data, err := json.Marshal(config); err == nil {
		_ = json.Unmarshal(data, &object) // the request fails for what cannot be converted
	}
	return object.Namespace
}

type applier[O, A any] interface {
	Apply(context.Context, A, metav1.ApplyOptions) (O, error)
}

type creator[O any] interface {
	Create(context.Context, O, metav1.CreateOptions) (O, error)
}

type deleter interface {
	Delete(context.Context, string, metav1.DeleteOptions) error
}

// Apply returns a desired set that is written by server-side apply, with force. An object is up to date if the fields that
// the field manager applied before equal the desired ones. The function extract returns them; it needs the managed fields
// of cached objects, see WithManagedFields. Owner references are added.
func Apply[O Object, A applyConfiguration[A], C interface {
	applier[O, A]
	deleter
}](client func(namespace string) C, extract func(O, string) (A, error), desired []A) Desired[O] {
	d := ApplyOnly(client, extract, desired)
	d.remove = removeWith[O](client)
	return d
}

// ApplyOnly is Apply for clients without the verb delete: objects that are no longer desired stay.
func ApplyOnly[O Object, A applyConfiguration[A], C applier[O, A]](client func(namespace string) C, extract func(O, string) (A, error), desired []A) Desired[O] {
	var d Desired[O]
	for _, wanted := range desired {
		name := cache.NewObjectName(namespaceIn(wanted), ptr.Deref(wanted.GetName(), ""))
		d.objects = append(d.objects, desiredObject[O]{name, func(ctx context.Context, w Writer, owner metav1.Object, current O) (O, error) {
			wanted.WithOwnerReferences(w.reference(owner))
			var none O
			if current != none {
				applied, err := extract(current, w.FieldManager)
				if err != nil || equality.Semantic.DeepEqual(applied, wanted) {
					return current, err
				}
			}
			return client(name.Namespace).Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: w.FieldManager, Force: true})
		}})
	}
	return d
}

// Create returns a desired set whose missing objects are created. Existing objects stay unchanged. Owner references are
// replaced.
func Create[O Object, C interface {
	creator[O]
	deleter
}](client func(namespace string) C, desired []O) Desired[O] {
	d := CreateOnly(client, desired)
	d.remove = removeWith[O](client)
	return d
}

// CreateOnly is Create for clients without the verb delete: objects that are no longer desired stay.
func CreateOnly[O Object, C creator[O]](client func(namespace string) C, desired []O) Desired[O] {
	var d Desired[O]
	for _, wanted := range desired {
		name := nameOf(wanted)
		d.objects = append(d.objects, desiredObject[O]{name, func(ctx context.Context, w Writer, owner metav1.Object, current O) (O, error) {
			var none O
			if current != none {
				return current, nil
			}
			wanted.SetOwnerReferences([]metav1.OwnerReference{*metav1.NewControllerRef(owner, w.Owner)})
			return client(name.Namespace).Create(ctx, wanted, metav1.CreateOptions{FieldManager: w.FieldManager})
		}})
	}
	return d
}

// removeWith returns a function that deletes an object, unless it was replaced by another of the same name.
func removeWith[O Object, C deleter](client func(namespace string) C) func(context.Context, O) error {
	return func(ctx context.Context, object O) error {
		return client(object.GetNamespace()).Delete(ctx, object.GetName(), metav1.DeleteOptions{
			Preconditions: metav1.NewUIDPreconditions(string(object.GetUID())),
		})
	}
}

// reference returns the owner reference that makes owner the controller of another object.
func (w Writer) reference(owner metav1.Object) *metav1apply.OwnerReferenceApplyConfiguration {
	return metav1apply.OwnerReference().WithAPIVersion(w.Owner.GroupVersion().String()).WithKind(w.Owner.Kind).
		WithName(owner.GetName()).WithUID(owner.GetUID()).WithController(true).WithBlockOwnerDeletion(true)
}
