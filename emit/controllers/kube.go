package controllers

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	kubeinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
)

// WithKubeFactory is WithFactory for the informers of owned built-in kinds.
func WithKubeFactory(factory kubeinformers.SharedInformerFactory) Option {
	return func(s *settings) { s.kubeFactory = factory }
}

// KubeClient lists and watches the objects of a built-in kind.
type KubeClient[L runtime.Object] interface {
	List(context.Context, metav1.ListOptions) (L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
}

// OwnKube is Own for a built-in kind. The function client returns its client for a namespace, or for all
// namespaces if it is empty.
func OwnKube[T, O Object, L runtime.Object](c *Controller[T], owned *Owned[O], resource schema.GroupVersionResource, namespaced bool, kube kubernetes.Interface, client func(namespace string) KubeClient[L]) error {
	informer, err := kubeInformer[O](c, resource, namespaced, kube, client)
	if err != nil {
		return err
	}
	return Own(c, owned, resource.GroupResource(), namespaced, Cache[O]{
		Informer: informer,
		List: func(ctx context.Context, namespace string, options metav1.ListOptions) error {
			return ListError(client(namespace).List(ctx, options))
		},
	})
}

// kubeInformer returns an informer of the factory of WithKubeFactory or, without it, of the controller's own factory.
func kubeInformer[O, T Object, L runtime.Object](c *Controller[T], resource schema.GroupVersionResource, namespaced bool, kube kubernetes.Interface, client func(namespace string) KubeClient[L]) (cache.SharedIndexInformer, error) {
	shared, ok := c.settings.kubeFactory.(kubeinformers.SharedInformerFactory)
	if !ok {
		return informers.InformerOf[O](c.own.all, resource, namespaced, kube, client), nil
	}
	c.shared = append(c.shared, shared)
	informer, err := shared.ForResource(resource)
	if err != nil {
		return nil, err
	}
	return informer.Informer(), nil
}
