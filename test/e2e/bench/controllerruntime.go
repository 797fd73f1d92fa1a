package main

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	crlog "sigs.k8s.io/controller-runtime/pkg/log"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/scheme"
)

// startedInformer is an informer that is already running. controller-runtime's caches can read its objects.
type startedInformer struct{ cache.SharedIndexInformer }

func (startedInformer) SetTransform(cache.TransformFunc) error { return nil }

func (startedInformer) RunWithContext(ctx context.Context) { <-ctx.Done() }

// readFrom returns a controller-runtime cache that reads workloads from an informer. stop ends it.
func readFrom(ctx context.Context, w *world, informer cache.SharedIndexInformer) (reader client.Reader, stop func(), err error) {
	crlog.SetLogger(logr.Discard())
	c, err := crcache.New(w.server.Config(), crcache.Options{
		HTTPClient: w.http, Scheme: scheme.Scheme,
		NewInformer: func(cache.ListerWatcher, runtime.Object, time.Duration, cache.Indexers) cache.SharedIndexInformer {
			return startedInformer{informer}
		},
	})
	if err != nil {
		return nil, nil, err
	}
	if err := c.IndexField(
		ctx,
		&fleetv1.Workload{},
		tenField,
		func(object client.Object) []string { return tensOf(object.(*fleetv1.Workload)) },
	); err != nil {
		return nil, nil, fmt.Errorf("index of controller-runtime: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if c.Start(ctx) != nil {
			cancel() // nothing needs to wait for it
		}
	}()
	stop = func() {
		cancel()
		<-ended
	}
	if !c.WaitForCacheSync(ctx) {
		stop()
		return nil, nil, ctx.Err()
	}
	return c, stop, nil
}
