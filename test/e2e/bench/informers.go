package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
)

// stripManagedFields is what the generated controllers do to an object before it is stored, unless they are told not to.
func stripManagedFields(object any) (any, error) {
	if object, ok := object.(metav1.Object); ok {
		object.SetManagedFields(nil)
	}
	return object, nil
}

// sync fills the cache of one informer, with and without the managed fields of objects.
func (b *bench) sync(ctx context.Context) error {
	medians, err := b.inTurn("sync",
		contestant{"kept", func() ([]float64, error) { return b.syncOnce(ctx) }},
		contestant{"stripped", func() ([]float64, error) {
			return b.syncOnce(ctx, informers.WithTransform(stripManagedFields))
		}})
	if err != nil {
		return err
	}
	b.results.sync = &syncs{kept: medians[0], stripped: medians[1]}
	return nil
}

// syncOnce returns the seconds that it takes until an informer has all objects, and the bytes of memory for each.
func (b *bench) syncOnce(ctx context.Context, options ...informers.SharedInformerOption) ([]float64, error) {
	before := heap()
	ctx, cancel := context.WithTimeout(ctx, patience)
	factory := informers.NewSharedInformerFactoryWithOptions(b.world.client, 0, options...)
	defer factory.Shutdown()
	defer cancel()
	informer := factory.Fleet().V1().Workloads().Informer()
	start := time.Now()
	factory.StartWithContext(ctx)
	if !cache.WaitFor(ctx, "", informer.HasSyncedChecker()) {
		return nil, fmt.Errorf("no sync: %w", context.Cause(ctx))
	}
	took := time.Since(start)
	perObject := (heap() - before) / float64(b.options.objects)
	if got := len(informer.GetIndexer().ListKeys()); got != b.options.objects {
		return nil, fmt.Errorf("%d objects in the cache, not %d", got, b.options.objects)
	}
	return []float64{took.Seconds(), perObject}, nil
}

// heap returns how many bytes are in use once the garbage is collected.
func heap() float64 {
	runtime.GC()
	runtime.GC() // what finalizers and pools still held
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}
