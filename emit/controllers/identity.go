package controllers

import "k8s.io/client-go/tools/cache"

// WithInformerName sets the name of the informers in metrics, next to their resource. Informers without a name report no
// metrics.
func WithInformerName(name *cache.InformerName) Option {
	return func(s *settings) {
		s.informerName = name
		s.notForFactory = append(s.notForFactory, "WithInformerName")
	}
}
