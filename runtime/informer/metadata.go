package informer

import (
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/reduce"
)

// MetadataOf returns a source for the metadata of the objects of another source, see [Metadata]. It takes the connection from the
// source's client. Clients without one, such as fakes, return whole objects, and only their metadata is used. It returns an error if
// the connection of the client cannot be used for metadata.
func MetadataOf[T Object](source Source[T]) (Source[*metav1.PartialObjectMetadata], error) {
	if source.client == nil {
		return Source[*metav1.PartialObjectMetadata]{}, fmt.Errorf("metadata of %s: the source has no client", source.resource.GroupResource())
	}
	if typed, ok := source.underlying(metav1.NamespaceAll).(interface{ GetClient() rest.Interface }); ok {
		if client, ok := typed.GetClient().(*rest.RESTClient); ok && client != nil {
			same, err := reduce.Same(client)
			if err != nil {
				return Source[*metav1.PartialObjectMetadata]{}, fmt.Errorf("metadata of %s: %w", source.resource.GroupResource(), err)
			}
			reduced := Metadata(same, source.resource, source.namespaced)
			reduced.clientset, reduced.whole = source.clientset, reflect.TypeFor[T]()
			return reduced, nil
		}
	}
	client := func(namespace string) Client[*metav1.PartialObjectMetadata, runtime.Object] {
		return reduce.Client[T](source.client(namespace))
	}
	return Source[*metav1.PartialObjectMetadata]{
		resource: source.resource, namespaced: source.namespaced, clientset: source.clientset, whole: reflect.TypeFor[T](),
		underlying: func(namespace string) any { return client(namespace) }, client: client,
	}, nil
}
