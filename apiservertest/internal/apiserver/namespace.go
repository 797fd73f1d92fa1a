package apiserver

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	storeerrors "k8s.io/apiserver/pkg/storage/errors"
	"k8s.io/apiserver/pkg/util/dryrun"
)

// prepareNamespace adds the finalizer that keeps a namespace until its objects are deleted, the phase and the name
// label.
func prepareNamespace(namespace *corev1.Namespace) {
	namespace.Spec.Finalizers = []corev1.FinalizerName{corev1.FinalizerKubernetes}
	namespace.Status.Phase = corev1.NamespaceActive
	if namespace.Labels == nil {
		namespace.Labels = map[string]string{}
	}
	namespace.Labels[corev1.LabelMetadataName] = namespace.Name
}

// finalizeStrategy updates only the finalizers in the spec of a namespace.
type finalizeStrategy struct{ strategy }

func (finalizeStrategy) PrepareForUpdate(_ context.Context, object, old runtime.Object) {
	keepOld(object, old, func(object, changed runtime.Object) {
		object.(*corev1.Namespace).Spec.Finalizers = changed.(*corev1.Namespace).Spec.Finalizers
	})
}

// namespaceStorage serves namespaces. Deleting a namespace with finalizers in its spec only marks it; removing the last
// finalizer deletes it.
type namespaceStorage struct{ resourceStorage }

var _ rest.GracefulDeleter = (*namespaceStorage)(nil)

// Delete implements rest.GracefulDeleter.
func (n *namespaceStorage) Delete(
	ctx context.Context,
	name string,
	validate rest.ValidateObjectFunc,
	options *metav1.DeleteOptions,
) (runtime.Object, bool, error) {
	object, err := n.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, false, err
	}
	if len(object.(*corev1.Namespace).Spec.Finalizers) == 0 {
		return n.Store.Delete(ctx, name, validate, options)
	}
	key, err := n.KeyFunc(ctx, name)
	if err != nil {
		return nil, false, err
	}
	var preconditions storage.Preconditions
	if options != nil && options.Preconditions != nil {
		preconditions = storage.Preconditions{UID: options.Preconditions.UID, ResourceVersion: options.Preconditions.ResourceVersion}
	}
	marked := &corev1.Namespace{}
	mark := func(existing runtime.Object) (runtime.Object, error) {
		if err := validate(ctx, existing); err != nil {
			return nil, err
		}
		namespace := existing.(*corev1.Namespace)
		if namespace.DeletionTimestamp == nil {
			namespace.DeletionTimestamp, namespace.DeletionGracePeriodSeconds = new(metav1.Now()), new(int64(0))
		}
		namespace.Status.Phase = corev1.NamespaceTerminating
		return namespace, nil
	}
	isDryRun := options != nil && dryrun.IsDryRun(options.DryRun)
	err = n.Storage.GuaranteedUpdate(ctx, key, marked, false, &preconditions, storage.SimpleUpdate(mark), isDryRun, nil)
	return marked, false, storeerrors.InterpretDeleteError(err, n.DefaultQualifiedResource, name)
}

// DeleteCollection implements rest.CollectionDeleter. Unlike other kinds, namespaces do not support it.
func (n *namespaceStorage) DeleteCollection(
	context.Context,
	rest.ValidateObjectFunc,
	*metav1.DeleteOptions,
	*internalversion.ListOptions,
) (runtime.Object, error) {
	return nil, apierrors.NewMethodNotSupported(n.DefaultQualifiedResource, "deletecollection")
}
