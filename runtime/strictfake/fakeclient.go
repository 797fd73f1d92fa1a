package strictfake

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/gentype"
	"k8s.io/client-go/testing"
)

// The types of package gentype lack the steps of a server before a request reaches its store. Generated fakes embed
// the types below in their place, with the same constructors: selectors that cannot be parsed are errors, instead of panics; empty
// lists are not nil; and a watch stops with its context.

// Resource is an object of a typed client.
type Resource interface {
	runtime.Object
	metav1.Object
}

// ApplyConfiguration is an apply configuration of a typed client.
type ApplyConfiguration interface {
	comparable
	GetName() *string
}

// FakeClient is a [gentype.FakeClient] whose watches stop with their contexts. It is embedded by generated fakes.
type FakeClient[T Resource] struct {
	*gentype.FakeClient[T]
}

// NewFakeClient takes what [gentype.NewFakeClient] takes.
func NewFakeClient[T Resource](
	fake *testing.Fake, namespace string, resource schema.GroupVersionResource, kind schema.GroupVersionKind, newObject func() T,
) *FakeClient[T] {
	return &FakeClient[T]{gentype.NewFakeClient(fake, namespace, resource, kind, newObject)}
}

// Watch starts a watch, which stops when ctx is done. Selectors that cannot be parsed are a BadRequest.
func (c *FakeClient[T]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return watchUntil(ctx, opts, c.FakeClient.Watch)
}

// FakeClientWithApply is a [gentype.FakeClientWithApply] whose watches stop with their contexts. It is embedded by generated fakes.
type FakeClientWithApply[T Resource, C ApplyConfiguration] struct {
	*gentype.FakeClientWithApply[T, C]
}

// NewFakeClientWithApply takes what [gentype.NewFakeClientWithApply] takes.
func NewFakeClientWithApply[T Resource, C ApplyConfiguration](
	fake *testing.Fake, namespace string, resource schema.GroupVersionResource, kind schema.GroupVersionKind, newObject func() T,
) *FakeClientWithApply[T, C] {
	return &FakeClientWithApply[T, C]{gentype.NewFakeClientWithApply[T, C](fake, namespace, resource, kind, newObject)}
}

// Watch starts a watch, which stops when ctx is done. Selectors that cannot be parsed are a BadRequest.
func (c *FakeClientWithApply[T, C]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return watchUntil(ctx, opts, c.FakeClientWithApply.Watch)
}

// FakeClientWithList is a [gentype.FakeClientWithList] that reports invalid selectors. It is embedded by generated fakes.
type FakeClientWithList[T Resource, L runtime.Object] struct {
	*gentype.FakeClientWithList[T, L]
	lists lists[T, L]
}

// NewFakeClientWithList takes what [gentype.NewFakeClientWithList] takes.
func NewFakeClientWithList[T Resource, L runtime.Object](
	fake *testing.Fake, namespace string, resource schema.GroupVersionResource, kind schema.GroupVersionKind, newObject func() T,
	newList func() L, copyListMeta func(dst, src L), items func(L) []T, setItems func(L, []T),
) *FakeClientWithList[T, L] {
	client := gentype.NewFakeClientWithList(fake, namespace, resource, kind, newObject, newList, copyListMeta, items, setItems)
	return &FakeClientWithList[T, L]{client, lists[T, L]{newList, items, setItems}}
}

// Watch starts a watch, which stops when ctx is done. Selectors that cannot be parsed are a BadRequest.
func (c *FakeClientWithList[T, L]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return watchUntil(ctx, opts, c.FakeClientWithList.Watch)
}

// List returns the objects that the options select. Selectors that cannot be parsed are a BadRequest.
func (c *FakeClientWithList[T, L]) List(ctx context.Context, opts metav1.ListOptions) (L, error) {
	return c.lists.list(ctx, opts, c.FakeClientWithList.List)
}

// DeleteCollection deletes the objects that the list options select. Selectors that cannot be parsed are a BadRequest.
func (c *FakeClientWithList[T, L]) DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error {
	if err := checkSelectors(listOpts); err != nil {
		return err
	}
	return c.FakeClientWithList.DeleteCollection(ctx, opts, listOpts)
}

// FakeClientWithListAndApply is a [gentype.FakeClientWithListAndApply] that reports invalid selectors. It is embedded by generated
// fakes.
type FakeClientWithListAndApply[T Resource, L runtime.Object, C ApplyConfiguration] struct {
	*gentype.FakeClientWithListAndApply[T, L, C]
	lists lists[T, L]
}

// NewFakeClientWithListAndApply takes what [gentype.NewFakeClientWithListAndApply] takes.
func NewFakeClientWithListAndApply[T Resource, L runtime.Object, C ApplyConfiguration](
	fake *testing.Fake, namespace string, resource schema.GroupVersionResource, kind schema.GroupVersionKind, newObject func() T,
	newList func() L, copyListMeta func(dst, src L), items func(L) []T, setItems func(L, []T),
) *FakeClientWithListAndApply[T, L, C] {
	client := gentype.NewFakeClientWithListAndApply[T, L, C](
		fake, namespace, resource, kind, newObject, newList, copyListMeta, items, setItems)
	return &FakeClientWithListAndApply[T, L, C]{client, lists[T, L]{newList, items, setItems}}
}

// Watch starts a watch, which stops when ctx is done. Selectors that cannot be parsed are a BadRequest.
func (c *FakeClientWithListAndApply[T, L, C]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return watchUntil(ctx, opts, c.FakeClientWithListAndApply.Watch)
}

// List returns the objects that the options select. Selectors that cannot be parsed are a BadRequest.
func (c *FakeClientWithListAndApply[T, L, C]) List(ctx context.Context, opts metav1.ListOptions) (L, error) {
	return c.lists.list(ctx, opts, c.FakeClientWithListAndApply.List)
}

// DeleteCollection deletes the objects that the list options select. Selectors that cannot be parsed are a BadRequest.
func (c *FakeClientWithListAndApply[T, L, C]) DeleteCollection(
	ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions,
) error {
	if err := checkSelectors(listOpts); err != nil {
		return err
	}
	return c.FakeClientWithListAndApply.DeleteCollection(ctx, opts, listOpts)
}

// lists makes and changes lists.
type lists[T Resource, L runtime.Object] struct {
	empty    func() L
	items    func(L) []T
	setItems func(L, []T)
}

// list calls a client's List.
func (l lists[T, L]) list(
	ctx context.Context, opts metav1.ListOptions, request func(context.Context, metav1.ListOptions) (L, error),
) (L, error) {
	if err := checkSelectors(opts); err != nil {
		return l.empty(), err
	}
	list, err := request(ctx, opts)
	if err != nil || l.items(list) != nil {
		return list, err
	}
	if metadata, err := meta.ListAccessor(list); err == nil && metadata.GetResourceVersion() != "" {
		l.setItems(list, []T{}) // as a server answers, not as a plain fake does
	}
	return list, nil
}

// watchUntil calls a client's Watch. A watch of a server stops when ctx is done.
func watchUntil(
	ctx context.Context, opts metav1.ListOptions, request func(context.Context, metav1.ListOptions) (watch.Interface, error),
) (watch.Interface, error) {
	if err := checkSelectors(opts); err != nil {
		return nil, err
	}
	w, err := request(ctx, opts)
	if served, ok := w.(interface{ StopWith(ctx context.Context) }); ok {
		served.StopWith(ctx)
	}
	return w, err
}

// checkSelectors returns a server's error for selectors that cannot be parsed. Actions cannot record such selectors.
func checkSelectors(opts metav1.ListOptions) error {
	if _, err := labels.Parse(opts.LabelSelector); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	if _, err := fields.ParseSelector(opts.FieldSelector); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return nil
}
