package controllers

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// WithInformerName sets the name of the informers in metrics, next to their resource. Informers without a name report no
// metrics. With several namespaces, only the informers of the first one report.
func WithInformerName(name *cache.InformerName) Option {
	return func(s *settings) {
		s.informerName = name
		s.notForFactory = append(s.notForFactory, "WithInformerName")
	}
}

// identity returns the name in metrics of the informers of a namespace. Metrics distinguish informers of one resource only
// by name, so that just those of the first namespace get it.
func (s *settings) identity(namespace string) *cache.InformerName {
	if namespace != metav1.NamespaceAll && namespace != s.namespaces[0] {
		return nil
	}
	return s.informerName
}
