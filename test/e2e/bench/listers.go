package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/listers"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetcontrollers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

// read is one way to read from the cache. It returns the number of objects found.
type read struct {
	name string
	read func() (int, error)
}

// reads are equivalent ways to read; the last one is ours.
type reads struct {
	what   string
	finds  int
	theirs []read
	ours   read
}

// listers reads the same objects from the same cache with the run-time library, with client-go, and with controller-runtime. The
// cache is that of client-go's informers, because the listers of client-go are slower on the store of the library's informers.
func (b *bench) listers(ctx context.Context) error {
	if err := b.world.warm(ctx); err != nil {
		return err
	}
	factory, shutdown, err := b.world.clientGo(ctx)
	if err != nil {
		return err
	}
	defer shutdown()
	lists, stop, err := b.lists(ctx, factory)
	if err != nil {
		return err
	}
	defer stop()
	owned, err := b.ownedReads(ctx, factory)
	if err != nil {
		return err
	}
	if err := flag.Set("test.benchtime", b.options.benchtime); err != nil {
		return err
	}
	for _, all := range append(lists, owned) {
		var contestants []contestant
		for _, r := range append(all.theirs, all.ours) {
			contestants = append(contestants, contestant{Name: r.name, Run: func() (sample, error) { return r.benchmark(all.finds) }})
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
func (r read) benchmark(finds int) (sample, error) {
	if got, err := r.read(); err != nil || got != finds {
		return nil, fmt.Errorf("finds %d objects, not %d: %w", got, finds, err)
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
		return nil, errors.New("fails under load")
	}
	return sample{float64(result.T.Nanoseconds()) / float64(result.N), float64(result.AllocsPerOp())}, nil
}

// Names of client-go's listers in the table.
const (
	typedName     = "client-go's form"
	genericName   = "`cache.NewGenericLister`"
	runtimeName   = "controller-runtime"
	scanName      = "a scan of the lister"
	byIndexName   = "`ByIndex` by hand"
	generatedName = "generated"
)

// typedLister has the form of client-go's listers for built-in kinds, for workloads.
type typedLister interface {
	List(selector labels.Selector) ([]*fleetv1.Workload, error)
	Workloads(namespace string) typedNamespaceLister
}

type typedNamespaceLister interface {
	List(selector labels.Selector) ([]*fleetv1.Workload, error)
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

// tenField is an index of workloads by the name without its last digit, which ten of them share.
const tenField = "metadata.ten"

func tensOf(w *fleetv1.Workload) []string { return []string{w.Name[:len(w.Name)-1]} }

// byTen is the index as generated code has it for a field.
var byTen = lister.NewIndex(tenField, tensOf)

// sources are ways to read workloads from one cache. They are the fields of a struct that is passed on, as in controllers: the
// compiler does not see how they were made, nor the types behind interfaces.
type sources struct {
	indexer cache.Indexer
	typed   typedLister
	generic cache.GenericLister
	runtime client.Reader
	ours    lister.Lister[*fleetv1.Workload]
	copies  lister.Lister[*fleetv1.Workload]
}

//go:noinline
func newSources(indexer cache.Indexer, runtime client.Reader) *sources {
	ours := lister.New[*fleetv1.Workload](indexer, fleetv1.Resource("workloads"))
	return &sources{
		indexer, newTypedLister(indexer), cache.NewGenericLister(indexer, fleetv1.Resource("workloads")), runtime, ours, ours.Copies(),
	}
}

// lists returns reads of workloads, and stop, which releases their resources.
func (b *bench) lists(ctx context.Context, factory informers.SharedInformerFactory) (all []reads, stop func(), err error) {
	workloads := factory.Fleet().V1().Workloads().Informer()
	indexers := lister.Indexers(byTen)
	delete(indexers, cache.NamespaceIndex) // the informer has it
	if err := workloads.AddIndexers(indexers); err != nil {
		return nil, nil, err
	}
	fromRuntime, stop, err := readFrom(ctx, b.world, workloads)
	if err != nil {
		return nil, nil, err
	}
	s := newSources(workloads.GetIndexer(), fromRuntime)
	return slices.Concat(s.gets(ctx, b.world), s.lists(ctx, b.world), s.lookups(ctx, b.world)), stop, nil
}

// gets are reads of one workload.
func (s *sources) gets(ctx context.Context, w *world) []reads {
	name := w.names[len(w.names)/2]
	typed, generic, ours := s.typed.Workloads(name.Namespace), s.generic.ByNamespace(name.Namespace), s.ours.In(name.Namespace)
	key := client.ObjectKey{Namespace: name.Namespace, Name: name.Name}
	get := func(options ...client.GetOption) func() (int, error) {
		return one(func() (*fleetv1.Workload, error) {
			object := &fleetv1.Workload{}
			return object, s.runtime.Get(ctx, key, object, options...)
		})
	}
	return []reads{
		{
			"Get", 1, []read{
				{typedName, one(func() (*fleetv1.Workload, error) { return s.typed.Workloads(name.Namespace).Get(name.Name) })},
				{genericName, one(func() (runtime.Object, error) { return s.generic.ByNamespace(name.Namespace).Get(name.Name) })},
				{runtimeName, get(shared)},
			},
			read{generatedName, one(func() (*fleetv1.Workload, error) { return s.ours.Get(name.Namespace, name.Name) })},
		},
		{
			"Get from the lister of a namespace", 1, []read{
				{typedName, one(func() (*fleetv1.Workload, error) { return typed.Get(name.Name) })},
				{genericName, one(func() (runtime.Object, error) { return generic.Get(name.Name) })},
			},
			read{generatedName, one(func() (*fleetv1.Workload, error) { return ours.Get(name.Name) })},
		},
		{
			"Get a copy", 1, []read{{runtimeName, get()}},
			read{generatedName, one(func() (*fleetv1.Workload, error) { return s.copies.Get(name.Namespace, name.Name) })},
		},
	}
}

// listRuntime lists from controller-runtime's cache.
func (s *sources) listRuntime(ctx context.Context, options ...client.ListOption) func() (int, error) {
	return func() (int, error) {
		var list fleetv1.WorkloadList
		err := s.runtime.List(ctx, &list, options...)
		return len(list.Items), err
	}
}

// shared makes controller-runtime's cache list without copies.
const shared = client.UnsafeDisableDeepCopy

// lists are reads of all workloads, of a namespace, and by label.
func (s *sources) lists(ctx context.Context, w *world) []reads {
	objects, inNamespace, inShard := len(w.names), min(perNamespace, len(w.names)), (len(w.names)+shards-1)/shards
	everything, shard := labels.Everything(), labels.SelectorFromSet(labels.Set{shardLabel: shardOf(0)})
	first := w.names[0].Namespace
	return []reads{
		{
			"List", objects, []read{
				{typedName, many(func() ([]*fleetv1.Workload, error) { return s.typed.List(everything) })},
				{genericName, many(func() ([]runtime.Object, error) { return s.generic.List(everything) })},
				{runtimeName, s.listRuntime(ctx, shared)},
			},
			read{generatedName, many(func() ([]*fleetv1.Workload, error) { return s.ours.List(everything) })},
		},
		{
			"List by namespace", inNamespace, []read{
				{typedName, many(func() ([]*fleetv1.Workload, error) { return s.typed.Workloads(first).List(everything) })},
				{genericName, many(func() ([]runtime.Object, error) { return s.generic.ByNamespace(first).List(everything) })},
				{runtimeName, s.listRuntime(ctx, shared, client.InNamespace(first))},
			},
			read{generatedName, many(func() ([]*fleetv1.Workload, error) { return s.ours.In(first).List(everything) })},
		},
		{
			"List by label", inShard, []read{
				{typedName, many(func() ([]*fleetv1.Workload, error) { return s.typed.List(shard) })},
				{genericName, many(func() ([]runtime.Object, error) { return s.generic.List(shard) })},
				{runtimeName, s.listRuntime(ctx, shared, client.MatchingLabelsSelector{Selector: shard})},
			},
			read{generatedName, many(func() ([]*fleetv1.Workload, error) { return s.ours.List(shard) })},
		},
		{
			"List copies by namespace", inNamespace, []read{{runtimeName, s.listRuntime(ctx, client.InNamespace(first))}},
			read{generatedName, many(func() ([]*fleetv1.Workload, error) { return s.copies.In(first).List(everything) })},
		},
		{
			"iterate over all", objects, []read{
				{typedName, each(func() ([]*fleetv1.Workload, error) { return s.typed.List(everything) })},
				{genericName, each(func() ([]runtime.Object, error) { return s.generic.List(everything) })},
				{runtimeName, s.listRuntime(ctx, shared)},
			},
			read{generatedName, func() (found int, err error) {
				for object := range lister.All(s.ours) {
					found += present(object)
				}
				return found, nil
			}},
		},
	}
}

// lookups are reads by index.
func (s *sources) lookups(ctx context.Context, w *world) []reads {
	objects, first, ten := len(w.names), w.names[0].Namespace, w.names[0].Name[:len(w.names[0].Name)-1]
	return []reads{
		{
			"look up ten by an index", min(10, objects), []read{
				{byIndexName, many(func() ([]*fleetv1.Workload, error) { return byHand(s.indexer, ten) })},
				{runtimeName, s.listRuntime(ctx, shared, client.MatchingFields{tenField: ten})},
			},
			read{generatedName, many(func() ([]*fleetv1.Workload, error) { return byTen.Get(s.indexer, ten) })},
		},
		{
			"look up ten by an index, in a namespace", min(10, objects), []read{
				{runtimeName, s.listRuntime(ctx, shared, client.MatchingFields{tenField: ten}, client.InNamespace(first))},
			},
			read{generatedName, many(func() ([]*fleetv1.Workload, error) { return byTen.In(s.indexer, first, ten) })},
		},
	}
}

// byHand looks up objects without generated lookups.
func byHand(indexer cache.Indexer, ten string) ([]*fleetv1.Workload, error) {
	found, err := indexer.ByIndex(tenField, ten)
	if err != nil {
		return nil, err
	}
	list := make([]*fleetv1.Workload, 0, len(found))
	for _, obj := range found {
		list = append(list, obj.(*fleetv1.Workload))
	}
	return list, nil
}

// one and many count the objects found.
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

// each is like many, but also reads each object.
func each[T comparable](list func() ([]T, error)) func() (int, error) {
	return func() (found int, err error) {
		objects, err := list()
		for _, object := range objects {
			found += present(object)
		}
		return found, err
	}
}

//go:noinline
func present[T comparable](object T) int {
	var none T
	if object == none {
		return 0
	}
	return 1
}

// ownedReads stores revisions, waits until the caches have them, and returns reads of those owned by one workload: from the cache
// of the factory, and from that of the controller.
func (b *bench) ownedReads(ctx context.Context, factory informers.SharedInformerFactory) (reads, error) {
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
	theirs, ours := factory.Fleet().V1().WorkloadRevisions(), b.world.factory.Fleet().V1().WorkloadRevisions()
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err = wait.PollUntilContextCancel(waiting, settle, true, func(context.Context) (bool, error) {
		return min(len(theirs.Informer().GetIndexer().ListKeys()), len(ours.Informer().GetIndexer().ListKeys())) == owners*revisionsPerOwner, nil
	})
	if err != nil {
		return reads{}, fmt.Errorf("the caches have not got %d revisions: %w", owners*revisionsPerOwner, err)
	}
	all, byIndex := theirs.Lister(), c.(*fleetcontrollers.WorkloadController)
	return reads{
		fmt.Sprintf("owner of %d among %d", revisionsPerOwner, owners*revisionsPerOwner), revisionsPerOwner,
		[]read{{scanName, many(func() ([]*fleetv1.WorkloadRevision, error) {
			inNamespace, err := all.WorkloadRevisions(owner.Namespace).List(labels.Everything())
			var mine []*fleetv1.WorkloadRevision
			for _, revision := range inNamespace {
				if metav1.IsControlledBy(revision, owner) {
					mine = append(mine, revision)
				}
			}
			return mine, err
		})}},
		read{generatedName, many(func() ([]*fleetv1.WorkloadRevision, error) { return byIndex.OwnedWorkloadRevisions(owner) })},
	}, nil
}
