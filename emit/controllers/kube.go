package controllers

import (
	kubeinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
)

// WithKubeFactory is WithFactory for the informers of owned built-in kinds.
func WithKubeFactory(factory kubeinformers.SharedInformerFactory) Option {
	return func(s *settings) { s.kubeFactory = factory }
}

// KubeFactory returns the informer factory for owned objects of built-in kinds in a namespace.
func (c *Controller[T]) KubeFactory(kube kubernetes.Interface, namespace string) kubeinformers.SharedInformerFactory {
	if shared, ok := c.settings.kubeFactory.(kubeinformers.SharedInformerFactory); ok {
		c.factories = append(c.factories, shared)
		return shared
	}
	own := kubeinformers.NewSharedInformerFactoryWithOptions(kube, 0,
		kubeinformers.WithInformerName(c.settings.identity(namespace)), //emit:if InformerNames
		kubeinformers.WithNamespace(namespace), kubeinformers.WithTransform(c.settings.trim))
	c.ownFactories = append(c.ownFactories, own)
	return own
}
