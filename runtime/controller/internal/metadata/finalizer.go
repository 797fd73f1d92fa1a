package metadata

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/absent"
)

// Finalizer adds a finalizer to objects and removes it.
type Finalizer[T informer.Object] struct {
	name   string
	source informer.Source[T]
}

// NewFinalizer returns the finalizer of a name for the objects of a source, or an error if its client has no verb patch.
func NewFinalizer[T informer.Object](name string, source informer.Source[T]) (*Finalizer[T], error) {
	client := source.Underlying(metav1.NamespaceAll)
	if _, ok := client.(Patcher[T]); !ok {
		return nil, fmt.Errorf("WithFinalizer: the client of %s, a %T, has no method Patch: "+
			"allow the verb patch, or remove the finalizer", source.Resource().GroupResource(), client)
	}
	return &Finalizer[T]{name, source}, nil
}

// In reports whether an object has the finalizer.
func (f *Finalizer[T]) In(object T) bool { return slices.Contains(object.GetFinalizers(), f.name) }

// Add sets the finalizer and returns the patched object. It returns false if the object is being deleted, is gone, or was replaced by a
// new object with the same name: an event about that follows.
func (f *Finalizer[T]) Add(ctx context.Context, object T) (T, bool, error) {
	return f.change(ctx, object, func(live T) ([]string, bool) {
		if live.GetDeletionTimestamp() != nil {
			return nil, false
		}
		finalizers := slices.Clone(live.GetFinalizers())
		if !f.In(live) {
			finalizers = append(finalizers, f.name)
		}
		return finalizers, true
	})
}

// Remove removes the finalizer.
func (f *Finalizer[T]) Remove(ctx context.Context, object T) error {
	_, _, err := f.change(ctx, object, func(live T) ([]string, bool) {
		finalizers := slices.DeleteFunc(slices.Clone(live.GetFinalizers()), func(name string) bool { return name == f.name })
		return finalizers, len(finalizers) < len(live.GetFinalizers())
	})
	return err
}

// change patches the finalizers of an object. After a conflict it reads the live object and tries again. It returns false if nothing had
// to change or the object is gone.
func (f *Finalizer[T]) change(ctx context.Context, object T, change func(T) ([]string, bool)) (T, bool, error) {
	namespace, name, uid := object.GetNamespace(), object.GetName(), object.GetUID()
	client := f.source.Underlying(namespace).(Patcher[T]) // NewFinalizer checks it
	changed := false
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		finalizers, needed := change(object)
		if !needed || object.GetUID() != uid {
			return nil
		}
		version := object.GetResourceVersion()
		patch, err := Patch(version, map[string]any{"finalizers": finalizers})
		if err != nil {
			return err
		}
		patched, err := client.Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
		if err == nil {
			object, changed = patched, true
			consistency.Replaced(ctx, version, patched)
			return nil
		}
		if apierrors.IsConflict(err) && ctx.Err() == nil {
			live, getErr := f.source.Client(namespace).Get(ctx, name, metav1.GetOptions{})
			if getErr != nil {
				return getErr
			}
			object = live
		}
		return err
	})
	if absent.Is(err) {
		consistency.Deleted(ctx, object)
		return object, false, nil
	}
	return object, changed, err
}
