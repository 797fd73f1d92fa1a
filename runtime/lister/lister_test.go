package lister_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	fleetv1listers "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/listers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

type workload = fleetv1.Workload

var resource = fleetv1.Resource("workload")

func newWorkload(namespace, name, region string) *workload {
	return &workload{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Generation: int64(len(name)), Labels: map[string]string{"region": region}},
		Spec:       fleetv1.WorkloadSpec{RegionName: region},
	}
}

// objects are in three namespaces, and not in order.
func objects() []*workload {
	return []*workload{
		newWorkload("shop", "web", "north"), newWorkload("blog", "web", "south"), newWorkload("shop", "api", "south"),
		newWorkload("shop-2", "web", "north"), newWorkload("shop", "database", "north"),
	}
}

// fill adds objects to an indexer.
func fill[T lister.Object](t testing.TB, indexer cache.Indexer, objects ...T) cache.Indexer {
	t.Helper()
	for _, object := range objects {
		require.NoError(t, indexer.Add(object))
	}
	return indexer
}

// clientGos returns an indexer of client-go.
func clientGos(indexers cache.Indexers) cache.Indexer {
	return cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers)
}

// store returns the indexer of an informer that does not run.
func store(indexers cache.Indexers) cache.Indexer {
	client := fake.NewSimpleClientset()
	source := informer.Namespaced(client, fleetv1.SchemeGroupVersion.WithResource("workloads"), client.FleetV1().Workloads)
	return informer.For(informer.NewFactory(), source.WithIndexers(indexers)).Indexer()
}

// implementations returns listers of the same objects, read in every way there is.
func implementations(t testing.TB) map[string]lister.Lister[*workload] {
	t.Helper()
	all := map[string]lister.Lister[*workload]{}
	for name, indexer := range map[string]cache.Indexer{
		"indexer": clientGos(indexes()), "indexer without indexes": clientGos(cache.Indexers{}), "store": store(indexes()),
	} {
		fill(t, indexer, objects()...)
		all[name] = lister.New[*workload](indexer, resource)
		all["copies of "+name] = all[name].Copies()
		all["lister on copies of "+name] = lister.New[*workload](lister.Copies(lister.Copies(indexer)), resource)
	}
	return all
}

func namesOf(list []*workload) (names []string) {
	for _, object := range list {
		names = append(names, object.Namespace+"/"+object.Name)
	}
	slices.Sort(names)
	return names
}

var (
	everyName = []string{"blog/web", "shop-2/web", "shop/api", "shop/database", "shop/web"}
	inShop    = []string{"shop/api", "shop/database", "shop/web"}
	inNorth   = []string{"shop-2/web", "shop/database", "shop/web"}
)

func TestGet(t *testing.T) {
	for name, l := range implementations(t) {
		t.Run(name, func(t *testing.T) {
			object, err := l.Get("shop", "api")
			require.NoError(t, err)
			assert.Equal(t, newWorkload("shop", "api", "south"), object)
			object, err = l.In("shop").Get("api")
			require.NoError(t, err)
			assert.Equal(t, newWorkload("shop", "api", "south"), object)
			assert.True(t, lister.Exists(l.In("shop"), "api"))
			for _, absent := range [][2]string{{"shop", "x"}, {"x", "api"}, {"blog", "api"}} {
				object, err := l.Get(absent[0], absent[1])
				assert.Nil(t, object)
				assert.EqualError(t, err, fmt.Sprintf("workload.fleet.example.com %q not found", absent[1]))
				assert.True(t, apierrors.IsNotFound(err))
				assert.False(t, lister.Exists(l.In(absent[0]), absent[1]))
			}
		})
	}
}

func TestClusterScopedKinds(t *testing.T) {
	south, north := &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "south"}}, &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}
	for _, indexer := range []cache.Indexer{clientGos(nil), store(nil)} {
		fill(t, indexer, south, north)
		l := lister.New[*fleetv1.Region](indexer, fleetv1.Resource("region"))
		got, err := l.Get("", "north")
		require.NoError(t, err)
		assert.Same(t, north, got)
		assert.True(t, lister.Exists(l.In(""), "north"))
		assert.False(t, lister.Exists(l.In(""), "west"))
		assert.Equal(t, []*fleetv1.Region{north, south}, lister.Sorted(l))
		assert.Equal(t, 2, lister.Len(l.In("")))
	}
}

func TestList(t *testing.T) {
	for name, l := range implementations(t) {
		t.Run(name, func(t *testing.T) {
			north := labels.SelectorFromSet(labels.Set{"region": "north"})
			for _, test := range []struct {
				namespace string
				selector  labels.Selector
				want      []string
			}{
				{"", labels.Everything(), everyName},
				{"", north, inNorth},
				{"", labels.Nothing(), nil},
				{"", labels.SelectorFromSet(labels.Set{"region": "west"}), nil},
				{"shop", labels.Everything(), inShop},
				{"shop", north, []string{"shop/database", "shop/web"}},
				{"shop", labels.Nothing(), nil},
				{"none", labels.Everything(), nil},
			} {
				list, err := l.In(test.namespace).List(test.selector)
				require.NoError(t, err)
				assert.Equal(t, test.want, namesOf(list), "%s %s", test.namespace, test.selector)
				if test.namespace == "" {
					list, err = l.List(test.selector)
					require.NoError(t, err)
					assert.Equal(t, test.want, namesOf(list))
				}
			}
		})
	}
}

// TestListOfMany compares with a loop. Every third object has no label.
func TestListOfMany(t *testing.T) {
	const many = 4096 // as manyObjects
	for _, count := range []int{many, many + 1, many + 63, many + 64} {
		indexer := clientGos(cache.Indexers{})
		for i := range count {
			object := newWorkload("shop", strconv.Itoa(i), []string{"north", "south"}[i%2])
			if i%3 == 0 {
				object.Labels = nil
			}
			fill(t, indexer, object)
		}
		l := lister.New[*workload](indexer, resource)
		for _, text := range []string{"region=north", "region!=north", "!region", "region", "region in (north,south)", "app=x"} {
			selector, err := labels.Parse(text)
			require.NoError(t, err)
			var want []*workload
			for object := range lister.All(l) {
				if selector.Matches(labels.Set(object.Labels)) {
					want = append(want, object)
				}
			}
			list, err := l.List(selector)
			require.NoError(t, err)
			assert.Equal(t, namesOf(want), namesOf(list), text)
		}
	}
}

// mock is a handwritten lister of all namespaces or of one.
type mock struct {
	objects   []*workload
	namespace string
	err       error
}

func (m mock) List(selector labels.Selector) (list []*workload, err error) {
	for _, object := range m.objects {
		if (m.namespace == "" || m.namespace == object.Namespace) && selector.Matches(labels.Set(object.Labels)) {
			list = append(list, object)
		}
	}
	return list, m.err
}

func (m mock) Get(name string) (*workload, error) {
	if m.err != nil {
		return nil, m.err
	}
	for _, object := range m.objects {
		if object.Namespace == m.namespace && object.Name == name {
			return object, nil
		}
	}
	return nil, apierrors.NewNotFound(resource, name)
}

// namespaceLister is a lister of one namespace.
type namespaceLister interface {
	lister.AnyLister[*workload]
	lister.Getter[*workload]
}

func TestFunctions(t *testing.T) {
	type listers struct {
		all lister.AnyLister[*workload]
		in  func(namespace string) namespaceLister
	}
	every := map[string]listers{"mock": {mock{objects: objects()}, func(namespace string) namespaceLister { return mock{objects(), namespace, nil} }}}
	for name, l := range implementations(t) {
		every[name] = listers{l, func(namespace string) namespaceLister { return l.In(namespace) }}
		generated := fleetv1listers.NewWorkloadLister(l.Indexer())
		every["generated lister on "+name] = listers{generated, func(namespace string) namespaceLister { return generated.Workloads(namespace) }}
	}
	for name, l := range every {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, everyName, namesOf(slices.Collect(lister.All(l.all))))
			assert.Equal(t, inShop, namesOf(slices.Collect(lister.All(l.in("shop")))))
			assert.Empty(t, slices.Collect(lister.All(l.in("none"))))
			for _, some := range []lister.AnyLister[*workload]{l.all, l.in("shop")} {
				seen := 0
				for range lister.All(some) {
					if seen++; seen == 2 {
						break
					}
				}
				assert.Equal(t, 2, seen)
			}
			var sorted []string
			for _, object := range lister.Sorted(l.all) {
				sorted = append(sorted, object.Namespace+" "+object.Name)
			}
			assert.Equal(t, []string{"blog web", "shop api", "shop database", "shop web", "shop-2 web"}, sorted)
			assert.Equal(t, inShop, namesOf(lister.Sorted(l.in("shop"))))
			assert.Empty(t, lister.Sorted(l.in("none")))
			assert.Equal(t, 5, lister.Len(l.all))
			assert.Equal(t, 3, lister.Len(l.in("shop")))
			assert.Zero(t, lister.Len(l.in("none")))
			assert.True(t, lister.Exists(l.in("shop"), "api"))
			assert.False(t, lister.Exists(l.in("shop"), "x"))
			assert.False(t, lister.Exists(l.in("blog"), "api"))
		})
	}
}

// TestErrors reads a mock that fails. Errors are logged, and the objects that it returns with them are read.
func TestErrors(t *testing.T) {
	broken := mock{objects(), "shop", assert.AnError}
	assert.Equal(t, 3, lister.Len(broken))
	assert.False(t, lister.Exists(broken, "web"))
}

// failing is an indexer that cannot get objects.
type failing struct{ cache.Indexer }

func (failing) GetByKey(string) (any, bool, error) { return nil, false, assert.AnError }

func TestErrorsOfIndexers(t *testing.T) {
	broken := lister.New[*workload](failing{fill(t, clientGos(indexes()), objects()...)}, resource)
	_, err := broken.Get("shop", "web")
	assert.ErrorIs(t, err, assert.AnError)
	assert.False(t, lister.Exists(broken.In("shop"), "web"), "and logged")
}

// TestCopies changes whatever it gets.
func TestCopies(t *testing.T) {
	for name, l := range implementations(t) {
		t.Run(name, func(t *testing.T) {
			copies := l.Copies()
			generated := fleetv1listers.NewWorkloadLister(copies.Indexer())
			var all []*workload
			collect := func(list []*workload, err error) {
				t.Helper()
				require.NoError(t, err)
				require.NotEmpty(t, list)
				all = append(all, list...)
			}
			north := labels.SelectorFromSet(labels.Set{"region": "north"})
			collect(slices.Collect(lister.All(copies)), nil)
			collect(slices.Collect(lister.All(copies.In("shop"))), nil)
			collect(lister.Sorted(copies), nil)
			collect(copies.List(north))
			collect(copies.In("shop").List(north))
			collect(generated.List(north))
			collect(generated.Workloads("shop").List(north))
			for _, get := range []func() (*workload, error){
				func() (*workload, error) { return copies.Get("shop", "web") },
				func() (*workload, error) { return generated.Workloads("shop").Get("web") },
			} {
				object, err := get()
				collect([]*workload{object}, err)
			}
			if !strings.HasSuffix(name, "without indexes") {
				collect(byRegion.Get(copies, "north"))
				collect(byRegion.In(copies.Indexer(), "shop", "north"))
			}
			for _, object := range all {
				object.Labels["changed"] = "yes"
			}
			for object := range lister.All(l) {
				assert.NotContains(t, object.Labels, "changed")
			}
		})
	}
}

// TestIndexerOfCopies calls what handwritten methods of listers may call.
func TestIndexerOfCopies(t *testing.T) {
	held := objects()
	copies := lister.Copies(fill(t, clientGos(indexes()), held...))
	item, exists, err := copies.Get(held[0])
	require.NoError(t, err)
	assert.True(t, exists)
	assert.Equal(t, held[0], item)
	assert.NotSame(t, held[0], item)
	for _, found := range [][]any{
		first(copies.Index(cache.NamespaceIndex, held[0])), first(copies.ByIndex(cache.NamespaceIndex, "shop")),
	} {
		assert.ElementsMatch(t, []any{held[0], held[2], held[4]}, found)
		assert.NotSame(t, held[0], found[slices.IndexFunc(found, func(obj any) bool { return obj.(*workload).Name == "web" })])
	}
	for _, err := range []error{
		copies.Add(held[0]), copies.Update(held[0]), copies.Delete(held[0]), copies.Replace(nil, ""), copies.AddIndexers(nil),
	} {
		assert.EqualError(t, err, "an indexer of copies is read-only: write to the original")
	}
	copies.Bookmark("5")
	assert.Empty(t, copies.LastStoreSyncResourceVersion())
	assert.NoError(t, copies.Resync())
	assert.Len(t, copies.ListKeys(), 5)
	none, exists, err := copies.GetByKey("none")
	assert.Nil(t, none)
	assert.False(t, exists)
	assert.NoError(t, err)
}

func first[T any](value T, _ error) T { return value }

func TestSharedWithoutCopies(t *testing.T) {
	for _, indexer := range []cache.Indexer{clientGos(indexes()), store(indexes())} {
		l := lister.New[*workload](fill(t, indexer, objects()...), resource)
		in, _, err := indexer.GetByKey("shop/web")
		require.NoError(t, err)
		object, err := l.Get("shop", "web")
		require.NoError(t, err)
		assert.Same(t, in, object)
		assert.Same(t, indexer, l.Indexer())
	}
}

// TestListCopiesOnlyMatches counts allocations, as copies are allocated.
func TestListCopiesOnlyMatches(t *testing.T) {
	copies := lister.New[*workload](fill(t, clientGos(indexes()), objects()...), resource).Copies()
	one := labels.SelectorFromSet(labels.Set{"region": "south"})
	matching := leastAllocations(func() { _, _ = copies.List(one) })
	all := leastAllocations(func() { _, _ = copies.List(labels.Everything()) })
	assert.LessOrEqual(t, matching, all*3/4)
}

// leastAllocations returns the allocations of a call that gets its buffer from a pool, which the race detector makes forgetful.
func leastAllocations(call func()) float64 {
	least := testing.AllocsPerRun(1, call)
	for range 100 {
		least = min(least, testing.AllocsPerRun(1, call))
	}
	return least
}
