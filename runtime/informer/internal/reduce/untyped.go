package reduce

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Typed is a client whose lists have a type.
type Typed[T any, L runtime.Object] interface {
	Get(ctx context.Context, name string, options metav1.GetOptions) (T, error)
	List(ctx context.Context, options metav1.ListOptions) (L, error)
	Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error)
}

// Untyped is a client whose lists have any type.
type Untyped[T any, L runtime.Object] struct{ Typed[T, L] }

// List lists objects.
func (c Untyped[T, L]) List(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	list, err := c.Typed.List(ctx, options)
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Subresources is a client whose method Get takes subresources: clients for metadata and for unstructured objects.
type Subresources[T any, L runtime.Object] interface {
	Get(ctx context.Context, name string, options metav1.GetOptions, subresources ...string) (T, error)
	List(ctx context.Context, options metav1.ListOptions) (L, error)
	Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error)
}

// Main is a client that gets no subresources.
type Main[T any, L runtime.Object] struct{ Subresources[T, L] }

// Get gets an object.
func (c Main[T, L]) Get(ctx context.Context, name string, options metav1.GetOptions) (T, error) {
	return c.Subresources.Get(ctx, name, options)
}
