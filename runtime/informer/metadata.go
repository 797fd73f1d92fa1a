package informer

import (
	"context"
	"fmt"
	"net/url"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/metadata"
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
			same, err := metadataClient(client)
			if err != nil {
				return Source[*metav1.PartialObjectMetadata]{}, fmt.Errorf("metadata of %s: %w", source.resource.GroupResource(), err)
			}
			reduced := Metadata(same, source.resource, source.namespaced)
			reduced.clientset = source.clientset
			return reduced, nil
		}
	}
	client := func(namespace string) Client[*metav1.PartialObjectMetadata, runtime.Object] {
		return metadataOf[T]{source.client(namespace)}
	}
	return Source[*metav1.PartialObjectMetadata]{
		resource: source.resource, namespaced: source.namespaced, clientset: source.clientset,
		underlying: func(namespace string) any { return client(namespace) }, client: client,
	}, nil
}

// metadataClient returns a client for metadata with the connection and the rate limit of another client.
func metadataClient(client *rest.RESTClient) (metadata.Interface, error) {
	root := client.Get().AbsPath("/").URL()
	host := url.URL{Scheme: root.Scheme, Host: root.Host, Path: root.Path}
	return metadata.NewForConfigAndClient(&rest.Config{Host: host.String(), RateLimiter: client.GetRateLimiter()}, client.Client)
}

// metadataOf is a client that reduces objects to their metadata.
type metadataOf[T Object] struct{ whole Client[T, runtime.Object] }

// Get implements Client.
func (c metadataOf[T]) Get(ctx context.Context, name string, options metav1.GetOptions) (*metav1.PartialObjectMetadata, error) {
	object, err := c.whole.Get(ctx, name, options)
	if err != nil {
		return nil, err
	}
	return meta.AsPartialObjectMetadata(object), nil
}

// List implements Client.
func (c metadataOf[T]) List(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	whole, err := c.whole.List(ctx, options)
	if err != nil {
		return nil, err
	}
	list := &metav1.PartialObjectMetadataList{}
	if from, err := meta.ListAccessor(whole); err == nil {
		list.ResourceVersion, list.Continue = from.GetResourceVersion(), from.GetContinue()
	}
	err = meta.EachListItem(whole, func(item runtime.Object) error {
		object, err := meta.Accessor(item)
		if err == nil {
			list.Items = append(list.Items, *meta.AsPartialObjectMetadata(object))
		}
		return err
	})
	return list, err
}

// Watch implements Client.
func (c metadataOf[T]) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	whole, err := c.whole.Watch(ctx, options)
	if err != nil {
		return nil, err
	}
	return reduce.Watch[T](whole), nil
}
