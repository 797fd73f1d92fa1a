package consistency

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/absent"
)

// Client writes the objects of one kind, in one namespace, and records its writes in the session of the context. Verbs that the
// client of the source does not have fail with a MethodNotSupported error. Requests that fail because the object was not found are
// recorded as deletions.
type Client[T informer.Object] struct {
	source    informer.Source[T]
	namespace string
	session   *Session
}

// NewClient returns a client that records its writes. It writes with the client of the source, which may be any typed client, or
// one for unstructured objects.
//
//	pods := consistency.NewClient(informer.Namespaced(kube, podResource, kube.CoreV1().Pods))
//	pod, err := pods.In("shop").Create(ctx, pod, metav1.CreateOptions{})
//
// For server-side apply, see [Apply].
func NewClient[T informer.Object](source informer.Source[T]) Client[T] {
	return Client[T]{source: source}
}

// In returns the client for a namespace. Cluster-scoped kinds do not need it.
func (c Client[T]) In(namespace string) Client[T] {
	c.namespace = namespace
	return c
}

// WithSession returns a client that records in a session, whatever the context has.
func (c Client[T]) WithSession(session *Session) Client[T] {
	c.session = session
	return c
}

func (c Client[T]) sessionOf(ctx context.Context) *Session {
	if c.session != nil {
		return c.session
	}
	return FromContext(ctx)
}

// recorded records the outcome of a request. The object was sent, or comes from the cache.
func (c Client[T]) recorded(ctx context.Context, object metav1.Object, written T, err error) (T, error) {
	if object != nil || err == nil {
		c.sessionOf(ctx).note(object, written, err)
	}
	return written, err
}

func (c Client[T]) unsupported(verb string) error {
	return apierrors.NewMethodNotSupported(c.source.Resource().GroupResource(), verb)
}

// Get reads an object from the API server. It records nothing.
func (c Client[T]) Get(ctx context.Context, name string, options metav1.GetOptions) (object T, err error) {
	client := c.source.Client(c.namespace)
	if client == nil {
		return object, c.unsupported("get")
	}
	return client.Get(ctx, name, options)
}

// Create creates an object.
func (c Client[T]) Create(ctx context.Context, object T, options metav1.CreateOptions) (created T, err error) {
	switch client := c.source.Underlying(c.namespace).(type) {
	case interface {
		Create(ctx context.Context, object T, options metav1.CreateOptions) (T, error)
	}:
		created, err = client.Create(ctx, object, options)
	case interface {
		Create(ctx context.Context, object T, options metav1.CreateOptions, subresources ...string) (T, error)
	}:
		created, err = client.Create(ctx, object, options)
	default:
		err = c.unsupported("create")
	}
	return c.recorded(ctx, nil, created, err)
}

// Update updates an object.
func (c Client[T]) Update(ctx context.Context, object T, options metav1.UpdateOptions) (updated T, err error) {
	switch client := c.source.Underlying(c.namespace).(type) {
	case interface {
		Update(ctx context.Context, object T, options metav1.UpdateOptions) (T, error)
	}:
		updated, err = client.Update(ctx, object, options)
	case interface {
		Update(ctx context.Context, object T, options metav1.UpdateOptions, subresources ...string) (T, error)
	}:
		updated, err = client.Update(ctx, object, options)
	default:
		err = c.unsupported("update")
	}
	return c.recorded(ctx, object, updated, err)
}

// UpdateStatus updates the status of an object. If the object has a resource version, the write is recorded with
// [Session.Replaced].
func (c Client[T]) UpdateStatus(ctx context.Context, object T, options metav1.UpdateOptions) (updated T, err error) {
	client, ok := c.source.Underlying(c.namespace).(interface {
		UpdateStatus(ctx context.Context, object T, options metav1.UpdateOptions) (T, error)
	})
	if !ok {
		return updated, c.unsupported("update")
	}
	version := object.GetResourceVersion()
	updated, err = client.UpdateStatus(ctx, object, options)
	if err == nil {
		c.sessionOf(ctx).Replaced(version, updated)
		return updated, nil
	}
	return c.recorded(ctx, object, updated, err)
}

// Patch patches an object.
func (c Client[T]) Patch(
	ctx context.Context, name string, patch types.PatchType, data []byte, options metav1.PatchOptions,
) (patched T, err error) {
	client, ok := c.source.Underlying(c.namespace).(interface {
		Patch(
			ctx context.Context, name string, patch types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string,
		) (T, error)
	})
	if !ok {
		return patched, c.unsupported("patch")
	}
	cached := c.cached(ctx, name)
	patched, err = client.Patch(ctx, name, patch, data, options)
	return c.recorded(ctx, cached, patched, err)
}

// Delete deletes an object.
func (c Client[T]) Delete(ctx context.Context, name string, options metav1.DeleteOptions) (err error) {
	cached := c.cached(ctx, name)
	switch client := c.source.Underlying(c.namespace).(type) {
	case interface {
		Delete(ctx context.Context, name string, options metav1.DeleteOptions) error
	}:
		err = client.Delete(ctx, name, options)
	case interface {
		Delete(ctx context.Context, name string, options metav1.DeleteOptions, subresources ...string) error
	}:
		err = client.Delete(ctx, name, options)
	default:
		return c.unsupported("delete")
	}
	if cached != nil && (err == nil || absent.Is(err)) {
		c.sessionOf(ctx).Deleted(cached)
	}
	return err
}

// cached returns the object of a name from the cache, or nil: an object that the cache lacks need not disappear from it.
func (c Client[T]) cached(ctx context.Context, name string) metav1.Object {
	if s := c.sessionOf(ctx); s != nil {
		return s.tracker.cached(c.source.Resource(), c.namespace, name)
	}
	return nil
}

// Applier is a typed client with server-side apply. A is the type of its apply configurations.
type Applier[T informer.Object, A any] interface {
	Apply(ctx context.Context, config A, options metav1.ApplyOptions) (T, error)
}

// Apply applies a configuration and records the write in the session of the context.
//
//	deployment, err := consistency.Apply(ctx, kube.AppsV1().Deployments("shop"), config, metav1.ApplyOptions{FieldManager: "us"})
func Apply[T informer.Object, A any](
	ctx context.Context, client Applier[T, A], config A, options metav1.ApplyOptions,
) (T, error) {
	applied, err := client.Apply(ctx, config, options)
	if err == nil {
		Wrote(ctx, applied)
	}
	return applied, err
}
