package controllers

import (
	"context"
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	deleteInBackground = metav1.DeletePropagationBackground
	deleteInForeground = metav1.DeletePropagationForeground
)

// collect deletes an object if it has owners and all of them are gone, and removes references to missing owners
// otherwise. It reports whether it did either.
func (c *Controllers) collect(ctx context.Context, v *view) (bool, error) {
	var kept []metav1.OwnerReference
	waiting := false
	for _, owner := range v.owners {
		if !owner.absent && !owner.waiting {
			kept = append(kept, owner.ref)
		}
		waiting = waiting || owner.waiting
	}
	switch {
	case len(kept) == len(v.owners):
		return false, nil
	case len(kept) > 0:
		return true, c.patch(ctx, v.object, map[string]any{"ownerReferences": kept})
	case waiting && len(v.dependents) > 0:
		return true, c.delete(ctx, v.object, deleteInForeground)
	}
	return true, c.delete(ctx, v.object, deleteInBackground)
}

// releaseDependents prepares the deletion of an object: its dependents lose the owner reference, or are deleted first.
// The object's finalizers say which.
func (c *Controllers) releaseDependents(ctx context.Context, v *view) error {
	if v.hasFinalizer(metav1.FinalizerOrphanDependents) {
		for _, dependent := range v.dependents {
			others := slices.DeleteFunc(slices.Clone(dependent.OwnerReferences), func(ref metav1.OwnerReference) bool { return ref.UID == v.UID })
			if err := c.patch(ctx, dependent, map[string]any{"ownerReferences": others}); err != nil {
				return err
			}
		}
		return c.removeFinalizer(ctx, v.object, metav1.FinalizerOrphanDependents)
	}
	if !v.hasFinalizer(metav1.FinalizerDeleteDependents) {
		return nil
	}
	blocked := false
	for _, dependent := range v.dependents {
		c.queue.Add(dependent.key)
		for _, ref := range dependent.OwnerReferences {
			blocked = blocked || ref.UID == v.UID && ref.BlockOwnerDeletion != nil && *ref.BlockOwnerDeletion
		}
	}
	if blocked {
		return nil // the deletion of each dependent enqueues this object
	}
	return c.removeFinalizer(ctx, v.object, metav1.FinalizerDeleteDependents)
}

// emptyNamespace deletes the objects in a namespace, and finalizes the namespace once it is empty.
func (c *Controllers) emptyNamespace(ctx context.Context, v *view) error {
	for _, o := range v.content {
		c.queue.Add(o.key)
	}
	if len(v.content) > 0 {
		return nil // the deletion of each object enqueues this namespace
	}
	namespace, err := c.kube.CoreV1().Namespaces().Get(ctx, v.Name, metav1.GetOptions{})
	if err != nil || namespace.UID != v.UID {
		return err
	}
	namespace.Spec.Finalizers = slices.DeleteFunc(
		namespace.Spec.Finalizers,
		func(f corev1.FinalizerName) bool { return f == corev1.FinalizerKubernetes },
	)
	_, err = c.kube.CoreV1().Namespaces().Finalize(ctx, namespace, metav1.UpdateOptions{})
	return err
}

// delete deletes an object unless it has changed.
func (c *Controllers) delete(ctx context.Context, o *object, policy metav1.DeletionPropagation) error {
	return c.metadata.Resource(o.resource).Namespace(o.Namespace).Delete(ctx, o.Name, metav1.DeleteOptions{
		Preconditions:     &metav1.Preconditions{UID: &o.UID, ResourceVersion: &o.ResourceVersion},
		PropagationPolicy: &policy,
	})
}

func (c *Controllers) removeFinalizer(ctx context.Context, o *object, name string) error {
	return c.patch(ctx, o, map[string]any{
		"finalizers": slices.DeleteFunc(slices.Clone(o.Finalizers), func(f string) bool { return f == name }),
	})
}

// patch changes the metadata of an object unless it has changed.
func (c *Controllers) patch(ctx context.Context, o *object, fields map[string]any) error {
	fields["uid"], fields["resourceVersion"] = o.UID, o.ResourceVersion
	patch, err := json.Marshal(map[string]any{"metadata": fields})
	if err != nil {
		return err
	}
	_, err = c.metadata.Resource(o.resource).Namespace(o.Namespace).Patch(ctx, o.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}
