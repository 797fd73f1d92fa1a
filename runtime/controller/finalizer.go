package controller

import (
	"context"
	"encoding/json"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/util/retry"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/attempt"
)

// addFinalizer sets the finalizer of the kind and returns the patched object. It returns false if the object is being
// deleted, is gone, or was replaced by a new object with the same name: an event about that follows.
func (c *Controller[T]) addFinalizer(ctx context.Context, object T) (T, bool, error) {
	return c.changeFinalizers(ctx, object, func(live T) ([]string, bool) {
		if live.GetDeletionTimestamp() != nil {
			return nil, false
		}
		finalizers := slices.Clone(live.GetFinalizers())
		if !slices.Contains(finalizers, c.finalizing.name) {
			finalizers = append(finalizers, c.finalizing.name)
		}
		return finalizers, true
	})
}

// finalize calls Finalize for an object that is being deleted, and then removes the finalizer.
func (c *Controller[T]) finalize(ctx context.Context, object T) error {
	if !slices.Contains(object.GetFinalizers(), c.finalizing.name) {
		return nil // removed before, or never set
	}
	a := attempt.From(ctx)
	a.Finalizing = object.GetUID()
	err := c.finalizing.finalize(ctx, object.DeepCopyObject().(T))
	a.Finalizing = ""
	if err != nil {
		return err
	}
	_, _, err = c.changeFinalizers(ctx, object, func(live T) ([]string, bool) {
		finalizers := slices.DeleteFunc(slices.Clone(live.GetFinalizers()), func(name string) bool { return name == c.finalizing.name })
		return finalizers, len(finalizers) < len(live.GetFinalizers())
	})
	return err
}

// changeFinalizers patches the finalizers of an object. After a conflict it reads the live object and tries again. It
// returns false if nothing had to change or the object is gone.
func (c *Controller[T]) changeFinalizers(ctx context.Context, object T, change func(T) ([]string, bool)) (T, bool, error) {
	name, uid := nameOf(object), object.GetUID()
	changed := false
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		finalizers, needed := change(object)
		if !needed || object.GetUID() != uid {
			return nil
		}
		version := object.GetResourceVersion()
		patch, err := metadataPatch(version, map[string]any{"finalizers": finalizers})
		if err != nil {
			return err
		}
		patched, err := c.finalizing.patch(ctx, name, patch)
		if err == nil {
			object, changed = patched, true
			consistency.Replaced(ctx, version, patched)
			return nil
		}
		if apierrors.IsConflict(err) && ctx.Err() == nil {
			live, getErr := c.finalizing.get(ctx, name)
			if getErr != nil {
				return getErr
			}
			object = live
		}
		return err
	})
	if IsNotFound(err) {
		Deleted(ctx, object)
		return object, false, nil
	}
	return object, changed, err
}

// metadataPatch returns a merge patch that sets fields of the metadata, with the resource version as an optimistic lock.
func metadataPatch(resourceVersion string, metadata map[string]any) ([]byte, error) {
	if resourceVersion != "" { // fake clientsets leave it empty
		metadata["resourceVersion"] = resourceVersion
	}
	return json.Marshal(map[string]any{"metadata": metadata})
}
