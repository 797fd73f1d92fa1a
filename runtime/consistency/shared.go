package consistency

import (
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Selection says which objects an informer of client-go lists and watches. It must agree with the options of the informer's factory.
type Selection struct {
	Resource schema.GroupVersionResource
	// Namespace is set with informers.WithNamespace. It is empty for all namespaces and for cluster-scoped kinds.
	Namespace string
	// Labels and Fields are the selectors of informers.WithTweakListOptions, or nil.
	Labels labels.Selector
	Fields fields.Selector
}

// ranged is implemented by the informers of this library, which may watch several namespaces.
type ranged interface {
	Namespaces() []string
	Reached(namespace string) string
}

// WatchShared is [Watch] for an informer that package informer did not make, such as one of client-go's factories. T is the type of its
// objects:
//
//	secrets := factory.Core().V1().Secrets().Informer()
//	stop, err := consistency.WatchShared[*corev1.Secret](tracker, secrets, consistency.Selection{Resource: secretResource})
//
// Call it for each informer: with a factory per namespace, once for each namespace. A transform function of the informer must keep the
// names, UIDs and resource versions of objects. WatchShared returns an error if the informer has stopped.
func WatchShared[T informer.Object](t *Tracker, i cache.SharedIndexInformer, of Selection) (stop func(), err error) {
	namespaces, indexer := []string{of.Namespace}, i.GetIndexer()
	c := &Cache{
		resource: of.Resource, indexer: indexer, labels: of.Labels, fields: of.Fields,
		namespaces: func() []string { return namespaces },
		// LastSyncResourceVersion of the informer would be its reflector's version, which is ahead of the cache.
		reached: func(string) string { return indexer.LastStoreSyncResourceVersion() },
	}
	if own, ok := i.(ranged); ok {
		c.namespaces, c.reached = own.Namespaces, own.Reached
	}
	track[T](t, c)
	seen := func(object any) {
		if name, err := cache.DeletionHandlingObjectToName(object); err == nil {
			c.Seen(name)
		}
	}
	registration, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: seen, UpdateFunc: func(_, after any) { seen(after) }, DeleteFunc: seen,
	})
	if err != nil {
		return nil, err
	}
	return func() { _ = i.RemoveEventHandler(registration) }, nil // it fails only for foreign registrations
}
