package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// api has the measured operations of each fake: requests for the objects of one kind, in one namespace.
type api interface {
	create(ctx context.Context, number int) (client.Object, error)
	get(ctx context.Context, name string) error
	update(ctx context.Context, object client.Object) error
	updateStatus(ctx context.Context, object client.Object) error
	merge(ctx context.Context, name string) error
	apply(ctx context.Context, name string) error
	delete(ctx context.Context, name string) error
	// list returns the number of objects.
	list(ctx context.Context, selector string) (int, error)
	watch(ctx context.Context) (watch.Interface, error)
}

// typedClient is the client of a kind in a clientset.
type typedClient[O client.Object, L runtime.Object, A any] interface {
	Create(ctx context.Context, object O, options metav1.CreateOptions) (O, error)
	Get(ctx context.Context, name string, options metav1.GetOptions) (O, error)
	Update(ctx context.Context, object O, options metav1.UpdateOptions) (O, error)
	Patch(ctx context.Context, name string, kind types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string) (O, error)
	Apply(ctx context.Context, configuration A, options metav1.ApplyOptions) (O, error)
	Delete(ctx context.Context, name string, options metav1.DeleteOptions) error
	List(ctx context.Context, options metav1.ListOptions) (L, error)
	Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error)
}

// typed adapts a client of a clientset.
type typed[O client.Object, L runtime.Object, A any] struct {
	typedClient[O, L, A]
	kind[O, L, A]
}

// kind creates objects and changes them.
type kind[O client.Object, L runtime.Object, A any] struct {
	object        func(number int) O
	change        func(O)
	configuration func(name string) A
	count         func(L) int
}

func (t typed[O, L, A]) create(ctx context.Context, number int) (client.Object, error) {
	return t.Create(ctx, t.object(number), metav1.CreateOptions{})
}

func (t typed[O, L, A]) get(ctx context.Context, name string) error {
	_, err := t.Get(ctx, name, metav1.GetOptions{})
	return err
}

func (t typed[O, L, A]) update(ctx context.Context, object client.Object) error {
	o, ok := object.(O)
	if !ok {
		return fmt.Errorf("a %T", object)
	}
	t.change(o)
	_, err := t.Update(ctx, o, metav1.UpdateOptions{})
	return err
}

func (t typed[O, L, A]) updateStatus(ctx context.Context, object client.Object) error {
	c, ok := t.typedClient.(interface {
		UpdateStatus(ctx context.Context, object O, options metav1.UpdateOptions) (O, error)
	})
	if !ok {
		return fmt.Errorf("%T does not update the status", t.typedClient)
	}
	o, ok := object.(O)
	if !ok {
		return fmt.Errorf("a %T", object)
	}
	changeStatus(o)
	_, err := c.UpdateStatus(ctx, o, metav1.UpdateOptions{})
	return err
}

func (t typed[O, L, A]) merge(ctx context.Context, name string) error {
	_, err := t.Patch(ctx, name, types.MergePatchType, []byte(mergePatch), metav1.PatchOptions{})
	return err
}

func (t typed[O, L, A]) apply(ctx context.Context, name string) error {
	_, err := t.Apply(ctx, t.configuration(name), metav1.ApplyOptions{FieldManager: manager, Force: true})
	return err
}

func (t typed[O, L, A]) delete(ctx context.Context, name string) error {
	return t.Delete(ctx, name, metav1.DeleteOptions{})
}

func (t typed[O, L, A]) list(ctx context.Context, selector string) (int, error) {
	list, err := t.List(ctx, metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		return 0, err
	}
	return t.count(list), nil
}

func (t typed[O, L, A]) watch(ctx context.Context) (watch.Interface, error) {
	return t.Watch(ctx, metav1.ListOptions{})
}

// untyped adapts the fake client of controller-runtime.
type untyped struct{ client.WithWatch }

func (u untyped) create(ctx context.Context, number int) (client.Object, error) {
	object := newWorkload(number)
	return object, u.Create(ctx, object)
}

func (u untyped) get(ctx context.Context, name string) error {
	return u.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &fleetv1.Workload{})
}

func (u untyped) update(ctx context.Context, object client.Object) error {
	object.SetAnnotations(map[string]string{"example.com/changed": "yes"})
	return u.Update(ctx, object)
}

func (u untyped) updateStatus(ctx context.Context, object client.Object) error {
	changeStatus(object)
	return u.Status().Update(ctx, object)
}

func (u untyped) merge(ctx context.Context, name string) error {
	object := &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	return u.Patch(ctx, object, client.RawPatch(types.MergePatchType, []byte(mergePatch)))
}

func (u untyped) apply(ctx context.Context, name string) error {
	return u.Apply(ctx, workloadConfiguration(name), client.FieldOwner(manager), client.ForceOwnership)
}

func (u untyped) delete(ctx context.Context, name string) error {
	return u.Delete(ctx, &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}})
}

func (u untyped) list(ctx context.Context, selector string) (int, error) {
	list := &fleetv1.WorkloadList{}
	options := &client.ListOptions{Namespace: namespace, Raw: &metav1.ListOptions{}}
	if selector != "" {
		parsed, err := metav1.ParseToLabelSelector(selector)
		if err != nil {
			return 0, err
		}
		if options.LabelSelector, err = metav1.LabelSelectorAsSelector(parsed); err != nil {
			return 0, err
		}
	}
	err := u.List(ctx, list, options)
	return len(list.Items), err
}

func (u untyped) watch(ctx context.Context) (watch.Interface, error) {
	return u.Watch(ctx, &fleetv1.WorkloadList{}, client.InNamespace(namespace))
}
