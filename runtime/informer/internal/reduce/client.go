package reduce

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Whole is a client for whole objects.
type Whole[T metav1.Object] interface {
	Get(ctx context.Context, name string, options metav1.GetOptions) (T, error)
	List(ctx context.Context, options metav1.ListOptions) (runtime.Object, error)
	Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error)
}

// Metadata is a client that reduces the objects of another client to their metadata.
type Metadata[T metav1.Object] struct{ whole Whole[T] }

// Client returns a client for the metadata of the objects of another client.
func Client[T metav1.Object](whole Whole[T]) Metadata[T] { return Metadata[T]{whole} }

// Get returns the metadata of an object.
func (c Metadata[T]) Get(ctx context.Context, name string, options metav1.GetOptions) (*metav1.PartialObjectMetadata, error) {
	object, err := c.whole.Get(ctx, name, options)
	if err != nil {
		return nil, err
	}
	return meta.AsPartialObjectMetadata(object), nil
}

// List returns a list of metadata.
func (c Metadata[T]) List(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
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

// Watch returns a watch for metadata.
func (c Metadata[T]) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	whole, err := c.whole.Watch(ctx, options)
	if err != nil {
		return nil, err
	}
	return Watch[T](whole), nil
}
