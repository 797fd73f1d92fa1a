// Command next fills the cache of one informer with workloads, and prints the seconds, the bytes of heap per object and the number of
// objects. The benchmark compiles it with a client-go release that is not final yet:
//
//	next (client-go|new) KUBECONFIG
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"

	"bench.example/next/generated/clientset/versioned"
	informers "bench.example/next/generated/informers/externalversions"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(side, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	client, err := versioned.NewForConfigAndClient(config, http)
	if err != nil {
		return err
	}
	fill := map[string]func(context.Context, versioned.Interface) (cache.SharedIndexInformer, error){"client-go": fillClientGo, "new": fillNew}[side]
	before := heap()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	start := time.Now()
	informer, err := fill(ctx, client)
	if err != nil {
		return err
	}
	took := time.Since(start)
	grown := heap() - before
	objects := len(informer.GetIndexer().ListKeys())
	fmt.Println(took.Seconds(), grown/float64(objects), objects)
	return nil
}

func fillClientGo(ctx context.Context, client versioned.Interface) (cache.SharedIndexInformer, error) {
	factory := informers.NewSharedInformerFactory(client, 0)
	informer := factory.Fleet().V1().Workloads().Informer()
	factory.StartWithContext(ctx)
	return informer, factory.WaitForCacheSyncWithContext(ctx).AsError()
}

func fillNew(ctx context.Context, client versioned.Interface) (cache.SharedIndexInformer, error) {
	factory, err := informers.New(client)
	if err != nil {
		return nil, err
	}
	informer := factory.Fleet().V1().Workloads().Informer()
	factory.StartWithContext(ctx)
	return informer, factory.WaitForSync(ctx)
}

// heap returns the bytes in use after garbage collection.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}
