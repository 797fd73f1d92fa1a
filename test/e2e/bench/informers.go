package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"
	crlog "sigs.k8s.io/controller-runtime/pkg/log"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/scheme"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// stripManagedFields drops managed fields, as `New` does by default.
func stripManagedFields(object any) (any, error) {
	if object, ok := object.(metav1.Object); ok {
		object.SetManagedFields(nil)
	}
	return object, nil
}

// filled is an informer with all objects. stop ends it.
type filled struct {
	keys func() []string
	stop func()
}

// filling is a way to fill the cache of one informer.
type filling struct {
	name string
	// fill returns when all objects are in the cache.
	fill func(context.Context, *world) (filled, error)
	// most is the maximum memory relative to client-go's factory; 0 for no target. The time may not be longer either.
	most float64
}

// fillings are the compared informers. The first is the reference.
var fillings = []filling{
	{name: "client-go's factory, its defaults", fill: fillClientGo()},
	{name: "client-go's factory, managed fields removed", fill: fillClientGo(informers.WithTransform(stripManagedFields))},
	{name: "controller-runtime's cache, its defaults", fill: fillControllerRuntime},
	{name: "`New`", fill: fillNew, most: 0.65},
	{name: "`New`, metadata only", fill: fillMetadata, most: 0.15},
}

// sync fills the cache of one informer in several ways.
func (b *bench) sync(ctx context.Context) error {
	contestants := make([]contestant, len(fillings))
	for n, f := range fillings {
		contestants[n] = contestant{Name: f.name, Run: func() (sample, error) { return b.syncOnce(ctx, f) }}
	}
	medians, err := b.inTurn("sync", contestants...)
	if err != nil {
		return err
	}
	for n, f := range fillings {
		b.results.syncs = append(b.results.syncs, syncing{what: f.name, seconds: medians[n][0], bytes: medians[n][1], most: f.most})
	}
	return nil
}

// syncOnce returns the seconds until an informer has all objects, and the bytes of memory per object.
func (b *bench) syncOnce(ctx context.Context, f filling) (sample, error) {
	before := heap()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	start := time.Now()
	informer, err := f.fill(ctx, b.world)
	if err != nil {
		return nil, fmt.Errorf("%s: no sync: %w", f.name, err)
	}
	defer informer.stop()
	took := time.Since(start)
	perObject := (heap() - before) / float64(b.options.objects)
	if got := len(informer.keys()); got != b.options.objects {
		return nil, fmt.Errorf("%d objects in the cache, not %d", got, b.options.objects)
	}
	return sample{took.Seconds(), perObject}, nil
}

func fillClientGo(options ...informers.SharedInformerOption) func(context.Context, *world) (filled, error) {
	return func(ctx context.Context, w *world) (filled, error) {
		ctx, cancel := context.WithCancel(ctx)
		factory := informers.NewSharedInformerFactoryWithOptions(w.client, 0, options...)
		informer := factory.Fleet().V1().Workloads().Informer()
		factory.StartWithContext(ctx)
		stop := func() {
			cancel()
			factory.Shutdown()
		}
		return filled{informer.GetIndexer().ListKeys, stop}, factory.WaitForCacheSyncWithContext(ctx).AsError()
	}
}

func fillNew(ctx context.Context, w *world) (filled, error) {
	return fillFactory(ctx, w, func(factory *informers.Factory) cache.SharedIndexInformer {
		return factory.Fleet().V1().Workloads().Informer()
	})
}

func fillMetadata(ctx context.Context, w *world) (filled, error) {
	client, err := metadata.NewForConfigAndClient(w.server.Config(), w.http)
	if err != nil {
		return filled{}, err
	}
	return fillFactory(ctx, w, func(factory *informers.Factory) cache.SharedIndexInformer {
		return informer.For(factory.Factory, informer.Metadata(client, fleetv1.SchemeGroupVersion.WithResource("workloads"), true)).Shared()
	})
}

func fillFactory(ctx context.Context, w *world, request func(*informers.Factory) cache.SharedIndexInformer) (filled, error) {
	factory, err := informers.New(w.client)
	if err != nil {
		return filled{}, err
	}
	requested := request(factory)
	ctx, cancel := context.WithCancel(ctx)
	factory.StartWithContext(ctx)
	stop := func() {
		cancel()
		factory.Shutdown()
	}
	return filled{requested.GetIndexer().ListKeys, stop}, factory.WaitForSync(ctx)
}

func fillControllerRuntime(ctx context.Context, w *world) (filled, error) {
	crlog.SetLogger(logr.Discard()) // otherwise it logs a request for one, with a stack
	c, err := crcache.New(w.server.Config(), crcache.Options{HTTPClient: w.http, Scheme: scheme.Scheme})
	if err != nil {
		return filled{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if c.Start(ctx) != nil {
			cancel() // nothing needs to wait for it
		}
	}()
	stop := func() {
		cancel()
		<-ended
	}
	informer, err := c.GetInformer(ctx, &fleetv1.Workload{})
	if err != nil {
		stop()
		return filled{}, err
	}
	cache.WaitFor(ctx, "", informer.(cache.SharedIndexInformer).HasSyncedChecker())
	return filled{informer.(cache.SharedIndexInformer).GetIndexer().ListKeys, stop}, nil
}

// heap returns the bytes in use after garbage collection.
func heap() float64 {
	runtime.GC()
	runtime.GC() // memory held by finalizers and pools
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}
