package shared

import (
	"context"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/selecting"
)

// observed is a ListerWatcher that records the API server's responses.
type observed struct {
	source  *source
	client  cache.ListerWatcherWithContext
	selects *selecting.Requests
}

// List implements cache.ListerWatcher.
func (o *observed) List(options metav1.ListOptions) (runtime.Object, error) {
	return o.ListWithContext(context.Background(), options)
}

// Watch implements cache.ListerWatcher.
func (o *observed) Watch(options metav1.ListOptions) (watch.Interface, error) {
	return o.WatchWithContext(context.Background(), options)
}

// ListWithContext implements cache.ListerWatcherWithContext.
func (o *observed) ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	if version := o.source.continues(); version != "" {
		return &metav1.List{ListMeta: metav1.ListMeta{ResourceVersion: version}}, nil // source.Replace keeps the stored objects
	}
	o.tweak(&options)
	list, err := o.selects.List(ctx, options, o.client.ListWithContext)
	if ctx.Err() == nil {
		o.source.answered(err)
	}
	if err == nil && options.Continue == "" {
		o.source.count(&o.source.lists, 1)
	}
	return list, err
}

// WatchWithContext implements cache.ListerWatcherWithContext.
func (o *observed) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	o.tweak(&options)
	var first watch.Event
	if options.SendInitialEvents != nil {
		if version := o.source.continues(); version != "" {
			options.SendInitialEvents, options.ResourceVersionMatch, options.ResourceVersion = nil, "", version
			first = watch.Event{Type: watch.Bookmark, Object: endOfList(version)}
		}
	}
	opened, err := o.selects.Watch(ctx, options, o.client.WatchWithContext)
	if ctx.Err() == nil {
		o.source.answered(err)
	}
	if err != nil {
		if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
			o.source.continued()
		}
		return nil, err
	}
	if first.Object != nil || !o.source.part.Arcs.IsAll() {
		opened = selecting.Relay(opened, first, o.selects.Keeps)
	}
	o.source.count(&o.source.watches, 1)
	return &openWatch{opened, sync.OnceFunc(func() { o.source.count(&o.source.watches, -1) })}, nil
}

// endOfList returns the bookmark that ends a streamed list.
func endOfList(version string) runtime.Object {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		ResourceVersion: version, Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"},
	}}
}

func (o *observed) tweak(options *metav1.ListOptions) {
	if tweak := o.source.informer.config.Tweak; tweak != nil {
		tweak(options)
	}
}

// IsWatchListSemanticsUnSupported reports whether the client cannot stream lists.
func (o *observed) IsWatchListSemanticsUnSupported() bool {
	client, ok := o.client.(interface{ IsWatchListSemanticsUnSupported() bool })
	return ok && client.IsWatchListSemanticsUnSupported()
}

// openWatch is a watch that counts as open until it is stopped.
type openWatch struct {
	watch.Interface

	closed func()
}

// Stop implements watch.Interface.
func (w *openWatch) Stop() {
	w.Interface.Stop()
	w.closed()
}
