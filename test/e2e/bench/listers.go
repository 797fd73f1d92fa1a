package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/listers"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetcontrollers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	fleetlisters "github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/fleet/v1"
)

// read is one way to read from the cache. It returns how many objects it has found.
type read struct {
	name string
	read func() (int, error)
}

// reads are ways to read the same; the last one is ours.
type reads struct {
	what   string
	finds  int
	theirs []read
	ours   read
}

// listers reads the same objects from the same cache by what is generated, and by what client-go has.
func (b *bench) listers(ctx context.Context) error {
	if err := b.world.warm(ctx); err != nil {
		return err
	}
	owned, err := b.ownedReads(ctx)
	if err != nil {
		return err
	}
	if err := flag.Set("test.benchtime", b.options.benchtime); err != nil {
		return err
	}
	for _, all := range append(b.lists(), owned) {
		var contestants []contestant
		for _, r := range append(all.theirs, all.ours) {
			contestants = append(contestants, contestant{r.name, func() ([]float64, error) { return r.benchmark(all.finds) }})
		}
		medians, err := b.inTurn(all.what, contestants...)
		if err != nil {
			return fmt.Errorf("%s: %w", all.what, err)
		}
		for i, theirs := range all.theirs {
			b.results.add(comparison{
				what: all.what, beside: theirs.name, unit: nanoseconds, target: true,
				theirs: medians[i][0], ours: medians[len(all.theirs)][0],
				allocations: &[2]float64{medians[i][1], medians[len(all.theirs)][1]},
			})
		}
	}
	return nil
}

// benchmark returns nanoseconds and allocations.
func (r read) benchmark(finds int) ([]float64, error) {
	if got, err := r.read(); err != nil || got != finds {
		return nil, fmt.Errorf("%s finds %d objects, not %d: %w", r.name, got, finds, err)
	}
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := r.read(); err != nil {
				b.Fatal(err)
			}
		}
	})
	if result.N == 0 {
		return nil, errors.New(r.name + " fails under load")
	}
	return []float64{float64(result.T.Nanoseconds()) / float64(result.N), float64(result.AllocsPerOp())}, nil
}

// What client-go's listers are called in the table.
const (
	typedName   = "client-go's form"
	genericName = "`cache.NewGenericLister`"
	scanName    = "a scan of the lister"
)

// typedLister has the form of the listers that client-go has for its own kinds, for workloads.
type typedLister interface {
	List(labels.Selector) ([]*fleetv1.Workload, error)
	Workloads(namespace string) typedNamespaceLister
}

type typedNamespaceLister interface {
	List(labels.Selector) ([]*fleetv1.Workload, error)
	Get(name string) (*fleetv1.Workload, error)
}

type typedIndexer struct {
	listers.ResourceIndexer[*fleetv1.Workload]
}

func newTypedLister(indexer cache.Indexer) typedLister {
	return &typedIndexer{listers.New[*fleetv1.Workload](indexer, fleetv1.Resource("workloads"))}
}

func (t *typedIndexer) Workloads(namespace string) typedNamespaceLister {
	return listers.NewNamespaced(t.ResourceIndexer, namespace)
}

// lists are reads of workloads.
func (b *bench) lists() []reads {
	informer := b.world.factory.Fleet().V1().Workloads()
	indexer := informer.Informer().GetIndexer()
	typed := newTypedLister(indexer)
	generic := cache.NewGenericLister(indexer, fleetv1.Resource("workloads"))
	ours := fleetlisters.NewWorkloadLister(indexer)

	name, objects := b.world.names[len(b.world.names)/2], len(b.world.names)
	everything, shard := labels.Everything(), labels.SelectorFromSet(labels.Set{shardLabel: shardOf(0)})
	first := b.world.names[0].Namespace
	return []reads{
		{
			"Get", 1, []read{
				{typedName, one(func() (*fleetv1.Workload, error) { return typed.Workloads(name.Namespace).Get(name.Name) })},
				{genericName, one(func() (runtime.Object, error) { return generic.ByNamespace(name.Namespace).Get(name.Name) })},
			},
			read{"generated", one(func() (*fleetv1.Workload, error) { return ours.Workloads(name.Namespace).Get(name.Name) })},
		},
		{
			"List by namespace", min(perNamespace, objects), []read{
				{typedName, many(func() ([]*fleetv1.Workload, error) { return typed.Workloads(first).List(everything) })},
				{genericName, many(func() ([]runtime.Object, error) { return generic.ByNamespace(first).List(everything) })},
			},
			read{"generated", many(func() ([]*fleetv1.Workload, error) { return ours.Workloads(first).List(everything) })},
		},
		{
			"List by label", (objects + shards - 1) / shards, []read{
				{typedName, many(func() ([]*fleetv1.Workload, error) { return typed.List(shard) })},
				{genericName, many(func() ([]runtime.Object, error) { return generic.List(shard) })},
			},
			read{"generated", many(func() ([]*fleetv1.Workload, error) { return ours.List(shard) })},
		},
	}
}

// one and many count what is found.
func one[T any](get func() (T, error)) func() (int, error) {
	return func() (int, error) {
		_, err := get()
		return 1, err
	}
}

func many[T any](list func() ([]T, error)) func() (int, error) {
	return func() (int, error) {
		objects, err := list()
		return len(objects), err
	}
}

// ownedReads stores revisions, waits until the cache has them, and finds those of one workload.
func (b *bench) ownedReads(ctx context.Context) (reads, error) {
	none := newTally(len(b.world.names), "")
	c, err := generated.make(b.world, 1, none)
	if err != nil {
		return reads{}, err
	}
	owners, err := storeRevisions(ctx, b.world.client, b.world.storage, b.world.names)
	if err != nil {
		return reads{}, err
	}
	name := b.world.names[owners/2*ownersShare]
	owner, err := b.world.factory.Fleet().V1().Workloads().Lister().Workloads(name.Namespace).Get(name.Name)
	if err != nil {
		return reads{}, err
	}
	informer := b.world.factory.Fleet().V1().WorkloadRevisions()
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err = wait.PollUntilContextCancel(waiting, settle, true, func(context.Context) (bool, error) {
		return len(informer.Informer().GetIndexer().ListKeys()) == owners*revisionsPerOwner, nil
	})
	if err != nil {
		return reads{}, fmt.Errorf("the cache has not got %d revisions: %w", owners*revisionsPerOwner, err)
	}
	lister, byIndex := informer.Lister(), c.(*fleetcontrollers.WorkloadController)
	return reads{
		fmt.Sprintf("owner of %d among %d", revisionsPerOwner, owners*revisionsPerOwner), revisionsPerOwner,
		[]read{{scanName, many(func() ([]*fleetv1.WorkloadRevision, error) {
			all, err := lister.WorkloadRevisions(owner.Namespace).List(labels.Everything())
			var mine []*fleetv1.WorkloadRevision
			for _, revision := range all {
				if metav1.IsControlledBy(revision, owner) {
					mine = append(mine, revision)
				}
			}
			return mine, err
		})}},
		read{"generated", many(func() ([]*fleetv1.WorkloadRevision, error) { return byIndex.OwnedWorkloadRevisions(owner) })},
	}, nil
}
