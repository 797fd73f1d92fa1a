package controller

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	metav1apply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/wanted"
)

// Desired is the desired set of objects of one kind, with the functions that write them. Create it with Apply or Create, for a
// single call of Sync.
type Desired[O Object] struct {
	objects []desiredObject[O]
	// get reads an object from the API server, and remove deletes one. They are nil if the client has no such verb.
	get    func(ctx context.Context, name cache.ObjectName) (O, error)
	remove func(ctx context.Context, object O) error
	// adopts is set by Adopt, and atomic if create fails for objects that exist.
	adopts, atomic bool
}

type desiredObject[O Object] struct {
	wanted.Object
	// create writes a new object, and update an existing object that the owner controls or adopts. They return the API server's
	// response; update returns current if it is up to date.
	create func(ctx context.Context, w Writer, owner metav1.Object) (O, error)
	update func(ctx context.Context, w Writer, owner metav1.Object, current O) (O, error)
}

// Adopt lets Sync adopt existing objects with desired names if they have no controller. Objects with another controller are never adopted.
func (d Desired[O]) Adopt() Desired[O] {
	d.adopts = true
	return d
}

// ClusterScoped adapts the accessor of a cluster-scoped client for Apply and Create, which pass a namespace.
func ClusterScoped[C any](client func() C) func(namespace string) C {
	return func(string) C { return client() }
}

// applyConfiguration is the part of an apply configuration that Apply needs.
type applyConfiguration[A any] interface {
	GetName() *string
	WithOwnerReferences(values ...*metav1apply.OwnerReferenceApplyConfiguration) A
	WithUID(value types.UID) A
	WithLabels(entries map[string]string) A
}

type creator[O any] interface {
	Create(ctx context.Context, object O, options metav1.CreateOptions) (O, error)
}

type deleter interface {
	Delete(ctx context.Context, name string, options metav1.DeleteOptions) error
}

// Apply returns a desired set that is written by server-side apply, with force for existing objects. An object is up to date
// if the fields that the field manager applied before equal the desired ones. The function extract returns the applied
// fields; it needs the managed fields of cached objects, see WithManagedFields. Owner references are added.
func Apply[O Object, A applyConfiguration[A], C interface {
	consistency.Applier[O, A]
	deleter
}](client func(namespace string) C, extract func(O, string) (A, error), desired []A) Desired[O] {
	d := ApplyOnly(client, extract, desired)
	d.remove = removeWith[O](client)
	return d
}

// ApplyOnly is Apply for clients without the verb delete: objects that are no longer desired are kept.
func ApplyOnly[O Object, A applyConfiguration[A], C consistency.Applier[O, A]](
	client func(namespace string) C, extract func(O, string) (A, error), desired []A,
) Desired[O] {
	d := Desired[O]{get: getWith[O](client)}
	for _, config := range desired {
		object := wanted.Of(config)
		d.objects = append(d.objects, desiredObject[O]{
			Object: object,
			create: func(ctx context.Context, w Writer, owner metav1.Object) (O, error) {
				config.WithLabels(w.label.Map())
				return applyNew(ctx, client(object.Name.Namespace), extract, config.WithOwnerReferences(w.reference(owner)), w.FieldManager)
			},
			update: func(ctx context.Context, w Writer, owner metav1.Object, current O) (O, error) {
				config.WithLabels(w.label.Map()).WithOwnerReferences(w.reference(owner))
				applied, err := extract(current, w.FieldManager)
				if err != nil || equality.Semantic.DeepEqual(applied, config) {
					return current, err
				}
				if uid := current.GetUID(); uid != "" { // fake clientsets leave it empty
					config.WithUID(uid) // the request fails if another object has the name by now
				}
				return client(object.Name.Namespace).Apply(ctx, config, metav1.ApplyOptions{FieldManager: w.FieldManager, Force: true})
			},
		})
	}
	return d
}

// applyNew creates an object by server-side apply, which has no precondition for that. If another client has created the object
// first, applyNew releases the applied fields again. Without force, they have not replaced any value.
func applyNew[O Object, A applyConfiguration[A]](
	ctx context.Context, client consistency.Applier[O, A], extract func(O, string) (A, error), config A, manager string,
) (O, error) {
	options, began := metav1.ApplyOptions{FieldManager: manager}, time.Now()
	created, err := client.Apply(ctx, config, options)
	if err != nil || !wanted.CreatedByOthers(created.GetManagedFields(), manager, time.Since(began) < promptly) {
		return created, err
	}
	unmanaged := created.DeepCopyObject().(O)
	unmanaged.SetManagedFields(nil)
	nothing, err := extract(unmanaged, manager)
	if err != nil {
		return *new(O), err
	}
	released, err := client.Apply(ctx, nothing, options)
	if err != nil {
		return *new(O), err
	}
	return *new(O), takenBy(released)
}

// promptly is a time within which no standby can have become the leader and created the object.
const promptly = time.Second

// Create returns a desired set whose missing objects are created. Existing objects are not updated. Owner references are replaced.
func Create[O Object, C interface {
	creator[O]
	deleter
}](client func(namespace string) C, desired []O) Desired[O] {
	d := CreateOnly(client, desired)
	d.remove = removeWith[O](client)
	return d
}

// CreateOnly is Create for clients without the verb delete: objects that are no longer desired are kept.
func CreateOnly[O Object, C creator[O]](client func(namespace string) C, desired []O) Desired[O] {
	d := Desired[O]{get: getWith[O](client), atomic: true}
	for _, made := range desired {
		object := wanted.Of(made)
		d.objects = append(d.objects, desiredObject[O]{
			Object: object,
			create: func(ctx context.Context, w Writer, owner metav1.Object) (O, error) {
				made.SetLabels(w.label.AddTo(made.GetLabels()))
				made.SetOwnerReferences([]metav1.OwnerReference{*metav1.NewControllerRef(owner, w.Owner)})
				return client(object.Name.Namespace).Create(ctx, made, metav1.CreateOptions{FieldManager: w.FieldManager})
			},
			update: func(ctx context.Context, w Writer, owner metav1.Object, current O) (O, error) {
				if metav1.IsControlledBy(current, owner) && w.label.In(current.GetLabels()) {
					return current, nil
				}
				return adopt[O](ctx, client(object.Name.Namespace), w, owner, current)
			},
		})
	}
	return d
}

// removeWith returns a function that deletes an object, unless it has changed or was replaced by a new object with the same
// name, which may belong to somebody else.
func removeWith[O Object, C deleter](client func(namespace string) C) func(context.Context, O) error {
	return func(ctx context.Context, object O) error {
		options := metav1.NewPreconditionDeleteOptions(string(object.GetUID()))
		if version := object.GetResourceVersion(); version != "" { // fake clientsets leave it empty
			options.Preconditions.ResourceVersion = &version
		}
		return client(object.GetNamespace()).Delete(ctx, object.GetName(), *options)
	}
}
