package controllers

import (
	clientset "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
)

// WithFactory uses the informers of a shared factory instead of the controller's own. Run starts the factory with Run's
// context, if it is not started yet. The caller must shut it down.
func WithFactory(factory informers.SharedInformerFactory) Option {
	return func(s *settings) { s.factory = factory }
}

// ownFactories are the factories that Run starts and shuts down.
type ownFactories struct {
	// selecting is for objects of the kind and has the selectors; all is for owned objects. They are the same if there are no
	// selectors.
	selecting, all *informers.Factory
}

// newFactories returns factories with the options of the controller.
func newFactories[T Object](c *Controller[T]) (own ownFactories, err error) {
	s := c.settings
	client, _ := c.config.Client.(clientset.Interface) // nil if all informers are shared
	options := []informers.SharedInformerOption{informers.WithNamespaces(s.namespaces...), informers.WithTransform(s.trim)}
	if s.keepManaged {
		options = append(options, informers.WithManagedFields())
	}
	if s.informerName != nil { //emit:if InformerNames
		options = append(options, informers.WithInformerName(s.informerName)) //emit:if InformerNames
	} //emit:if InformerNames
	if own.all, err = informers.New(client, options...); err != nil {
		return own, err
	}
	own.selecting = own.all
	var selectors []informers.SharedInformerOption
	if s.labels != nil {
		selectors = append(selectors, informers.WithLabels(s.labels))
	}
	if s.fields != nil {
		selectors = append(selectors, informers.WithFields(s.fields))
	}
	if len(selectors) > 0 {
		own.selecting, err = informers.New(client, append(options, informers.For[T](selectors...))...)
	}
	return own, err
}

// started returns the factories, each once.
func (own ownFactories) started() []informerFactory {
	if own.selecting == own.all {
		return []informerFactory{own.all}
	}
	return []informerFactory{own.selecting, own.all}
}

// Factory returns the informer factory for the objects of the kind.
func (c *Controller[T]) Factory() informers.SharedInformerFactory {
	return c.sharedFactory(c.own.selecting)
}

// OwnedFactory returns the informer factory for owned objects. Selectors do not apply to them.
func (c *Controller[T]) OwnedFactory() informers.SharedInformerFactory {
	return c.sharedFactory(c.own.all)
}

// sharedFactory returns the factory of WithFactory or, without it, the controller's own.
func (c *Controller[T]) sharedFactory(own *informers.Factory) informers.SharedInformerFactory {
	shared, ok := c.settings.factory.(informers.SharedInformerFactory)
	if !ok {
		return own
	}
	c.shared = append(c.shared, shared)
	return shared
}
