package shared

import (
	"context"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// observed is a ListerWatcher that records the API server's responses.
type observed struct {
	source *source
	client cache.ListerWatcherWithContext
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
	selected := o.source.informer.shard()
	if err := o.tweak(&options, selected); err != nil {
		return nil, err
	}
	list, err := o.client.ListWithContext(ctx, options)
	if err == nil {
		err = selected.filter(list)
	}
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
	selected := o.source.informer.shard()
	if err := o.tweak(&options, selected); err != nil {
		return nil, err
	}
	opened, err := o.client.WatchWithContext(ctx, options)
	if ctx.Err() == nil {
		o.source.answered(err)
	}
	if err != nil {
		return nil, err
	}
	o.source.count(&o.source.watches, 1)
	return &openWatch{selected.watch(opened), sync.OnceFunc(func() { o.source.count(&o.source.watches, -1) })}, nil
}

func (o *observed) tweak(options *metav1.ListOptions, selected *shard) error {
	if tweak := o.source.informer.config.Tweak; tweak != nil {
		tweak(options)
	}
	return selected.request(options)
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
