package informer

import (
	"context"
	"maps"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/reduce"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

// Object is a pointer to an API type, such as *corev1.Pod.
type Object = lister.Object

// Client reads the objects of one kind, in one namespace or all, as typed clients do. L is the type of a list.
type Client[T Object, L runtime.Object] interface {
	Get(ctx context.Context, name string, options metav1.GetOptions) (T, error)
	List(ctx context.Context, options metav1.ListOptions) (L, error)
	Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error)
}

// Source says where the objects of an informer come from: a resource and its client. It is a value; methods that change it return
// a changed copy. Make it with [Namespaced], [Cluster], [Metadata], [Dynamic] or [FromListerWatcher]: the zero value is not usable.
type Source[T Object] struct {
	resource   schema.GroupVersionResource
	namespaced bool
	clientset  any
	indexers   cache.Indexers
	// underlying returns the client that the caller passed, and client the same in the form of this package.
	underlying func(namespace string) any
	client     func(namespace string) Client[T, runtime.Object]
	// fields are the known fields of the objects, see WithFields.
	fields string
	// whole is the type of the whole objects if the source has only their metadata, or nil.
	whole reflect.Type
	// listerWatcher replaces the client if it is set.
	listerWatcher cache.ListerWatcher
}

// Namespaced returns a source for a namespaced resource. The function client returns the typed client for a namespace, or for all
// namespaces if it is empty: it is a method of the group's client, and T follows from it.
//
//	informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods)
//
// Pass the clientset that the client belongs to. It says whether it can stream lists, which fake clientsets cannot, and
// serves discovery for [Informer.StartWhenServed].
func Namespaced[T Object, L runtime.Object, C Client[T, L]](
	clientset any, resource schema.GroupVersionResource, client func(namespace string) C,
) Source[T] {
	return Source[T]{
		resource:   resource,
		namespaced: true,
		clientset:  clientset,
		underlying: func(namespace string) any { return client(namespace) },
		client: func(namespace string) Client[T, runtime.Object] {
			return reduce.Untyped[T, L]{Typed: client(namespace)}
		},
	}
}

// Cluster returns a source for a cluster-scoped resource, see [Namespaced].
//
//	informer.Cluster(kube, corev1.SchemeGroupVersion.WithResource("nodes"), kube.CoreV1().Nodes())
func Cluster[T Object, L runtime.Object, C Client[T, L]](clientset any, resource schema.GroupVersionResource, client C) Source[T] {
	source := Namespaced[T, L](clientset, resource, func(string) C { return client })
	source.namespaced = false
	return source
}

// Metadata returns a source for the metadata of objects, which takes a fraction of the memory of whole objects. The informer is
// independent of one for whole objects.
func Metadata(
	client metadata.Interface, resource schema.GroupVersionResource, namespaced bool,
) Source[*metav1.PartialObjectMetadata] {
	return withSubresources(client, resource, namespaced,
		func(namespace string) reduce.Subresources[*metav1.PartialObjectMetadata, *metav1.PartialObjectMetadataList] {
			return client.Resource(resource).Namespace(namespace)
		})
}

// Dynamic returns a source for objects whose Go type is not known.
func Dynamic(client dynamic.Interface, resource schema.GroupVersionResource, namespaced bool) Source[*unstructured.Unstructured] {
	return withSubresources(client, resource, namespaced,
		func(namespace string) reduce.Subresources[*unstructured.Unstructured, *unstructured.UnstructuredList] {
			return client.Resource(resource).Namespace(namespace)
		})
}

// FromListerWatcher returns a source for a ListerWatcher, whose lists have all objects of the informer: it cannot be limited to
// namespaces. T must be given.
func FromListerWatcher[T Object](listerWatcher cache.ListerWatcher, resource schema.GroupVersionResource) Source[T] {
	return Source[T]{resource: resource, listerWatcher: listerWatcher}
}

// withSubresources returns a source for a client whose method Get takes subresources.
func withSubresources[T Object, L runtime.Object](
	clientset any, resource schema.GroupVersionResource, namespaced bool, client func(namespace string) reduce.Subresources[T, L],
) Source[T] {
	return Source[T]{
		resource:   resource,
		namespaced: namespaced,
		clientset:  clientset,
		underlying: func(namespace string) any { return client(namespace) },
		client: func(namespace string) Client[T, runtime.Object] {
			return reduce.Untyped[T, L]{Typed: reduce.Main[T, L]{Subresources: client(namespace)}}
		},
	}
}

// WithIndexers returns a source whose informers have indexes, in addition to indexes of options. It is for indexes that other code
// relies on, such as look-ups that are generated for the type.
func (s Source[T]) WithIndexers(indexers cache.Indexers) Source[T] {
	all := cache.Indexers{}
	maps.Copy(all, s.indexers)
	maps.Copy(all, indexers)
	s.indexers = all
	return s
}

// Resource returns the resource.
func (s Source[T]) Resource() schema.GroupVersionResource { return s.resource }

// Namespaced reports whether the resource is namespaced. It is false for a source that cannot be limited to namespaces.
func (s Source[T]) Namespaced() bool { return s.namespaced }

// Client returns the client for a namespace, or for all namespaces if it is empty. It is nil for a source that was made with
// FromListerWatcher.
func (s Source[T]) Client(namespace string) Client[T, runtime.Object] {
	if s.client == nil {
		return nil
	}
	return s.client(namespace)
}

// Underlying returns the client that the source was made with, for a namespace, or for all namespaces if it is empty. Methods that
// [Client] lacks, such as Patch, are found with a type assertion. The client is nil for a source that was made with
// FromListerWatcher.
func (s Source[T]) Underlying(namespace string) any {
	if s.underlying == nil {
		return nil
	}
	return s.underlying(namespace)
}

// lists returns a ListerWatcher for a namespace, or for all namespaces if it is empty.
func (s Source[T]) lists(namespace string) cache.ListerWatcher {
	if s.listerWatcher != nil {
		return s.listerWatcher
	}
	client := s.client(namespace)
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return client.List(ctx, options)
		},
		WatchFuncWithContext: client.Watch,
	}, s.clientset)
}

// object returns an empty object.
func (s Source[T]) object() runtime.Object {
	return reflect.New(reflect.TypeFor[T]().Elem()).Interface().(runtime.Object)
}
