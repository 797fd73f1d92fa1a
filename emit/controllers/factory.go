package controllers

import (
	clientset "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
)

// WithFactory uses the informers of a shared factory instead of informers of the controller's own. Run starts the factory,
// if it is not started yet, with Run's own context; the caller shuts it down.
func WithFactory(factory informers.SharedInformerFactory) Option {
	return func(s *settings) { s.factory = factory }
}

// Factory returns the informer factory for objects of the kind in a namespace.
func (c *Controller[T]) Factory(client clientset.Interface, namespace string) informers.SharedInformerFactory {
	return c.factoryFor(client, namespace, informers.WithTweakListOptions(c.settings.selectObjects))
}

// OwnedFactory returns the informer factory for owned objects in a namespace. Selectors do not apply to them.
func (c *Controller[T]) OwnedFactory(client clientset.Interface, namespace string) informers.SharedInformerFactory {
	return c.factoryFor(client, namespace)
}

func (c *Controller[T]) factoryFor(client clientset.Interface, namespace string, options ...informers.SharedInformerOption) informers.SharedInformerFactory {
	if shared, ok := c.settings.factory.(informers.SharedInformerFactory); ok {
		c.factories = append(c.factories, shared)
		return shared
	}
	options = append(options, informers.WithNamespace(namespace), informers.WithTransform(c.settings.trim))
	options = append(options, informers.WithInformerName(c.settings.identity(namespace))) //emit:if InformerNames
	own := informers.NewSharedInformerFactoryWithOptions(client, 0, options...)
	c.ownFactories = append(c.ownFactories, own)
	return own
}
