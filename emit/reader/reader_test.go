package reader

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

type workload = fleetv1.Workload

func newWorkload(namespace, name, region string) *workload {
	return &workload{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Generation: int64(len(name)), Labels: map[string]string{"region": region}},
		Spec:       fleetv1.WorkloadSpec{RegionName: region},
	}
}

// The indexes of the tests.
const (
	byRegion     = namespacePrefix + "region"
	byLabel      = namespacePrefix + "labels"
	byGeneration = namespacePrefix + "generation"
)

func indexers() cache.Indexers {
	all := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	AddNamespacedIndex(all, "region", func(w *workload) []string { return []string{w.Spec.RegionName} })
	AddNamespacedIndex(all, "labels", func(w *workload) (keys []string) {
		for key, value := range w.Labels {
			keys = append(keys, EntryKey(key, value))
		}
		return keys
	})
	AddNamespacedIndex(all, "generation", func(w *workload) []string { return []string{fmt.Sprint(w.Generation)} })
	return all
}

// objects are in three namespaces, and not in order.
func objects() []*workload {
	return []*workload{
		newWorkload("shop", "web", "north"), newWorkload("blog", "web", "south"), newWorkload("shop", "api", "south"),
		newWorkload("shop-2", "web", "north"), newWorkload("shop", "database", "north"),
	}
}

func filled(t testing.TB, indexers cache.Indexers) cache.Indexer {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers)
	for _, object := range objects() {
		require.NoError(t, indexer.Add(object))
	}
	return indexer
}

// fastStore is an indexer like the stores of generated informers. The test fails if it is asked for an object by key.
type fastStore struct {
	cache.Indexer
	t       testing.TB
	objects []*workload
	// found are preallocated results of lookups.
	found map[string][]any
}

func newFastStore(t testing.TB) *fastStore {
	s := &fastStore{Indexer: filled(t, indexers()), t: t, objects: objects(), found: map[string][]any{}}
	for name, keysOf := range indexers() {
		for _, object := range s.objects {
			keys, err := keysOf(object)
			require.NoError(t, err)
			for _, key := range keys {
				s.found[name+" "+key] = append(s.found[name+" "+key], object)
			}
		}
	}
	return s
}

func (s *fastStore) GetByName(namespace, name string) (any, bool) {
	for _, object := range s.objects {
		if object.Namespace == namespace && object.Name == name {
			return object, true
		}
	}
	return nil, false
}

func (s *fastStore) AppendByIndex(dst []any, index, namespace, key string) ([]any, error) {
	var buffer [64]byte
	found := s.found[string(append(append(append(buffer[:0], index...), ' '), key...))]
	if index == "absent" {
		return dst, errors.New("no such index")
	}
	for _, obj := range found {
		if namespace == "" || obj.(*workload).Namespace == namespace {
			dst = append(dst, obj)
		}
	}
	return dst, nil
}

func (s *fastStore) Range(namespace string, yield func(obj any) bool) {
	for _, object := range s.objects {
		if (namespace == "" || object.Namespace == namespace) && !yield(object) {
			return
		}
	}
}

func (s *fastStore) Len(namespace string) (count int) {
	s.Range(namespace, func(any) bool { count++; return true })
	return count
}

func (s *fastStore) GetByKey(key string) (any, bool, error) {
	s.t.Errorf("GetByKey(%q) needs a key", key)
	return nil, false, nil
}

// mock is a lister of another implementation.
type mock struct {
	objects []*workload
	err     error
}

func (m mock) List(selector labels.Selector) ([]*workload, error) {
	return mockNamespace{m, ""}.List(selector)
}

type mockNamespace struct {
	mock
	namespace string
}

func (m mockNamespace) List(selector labels.Selector) (list []*workload, err error) {
	for _, object := range m.objects {
		if (m.namespace == "" || m.namespace == object.Namespace) && selector.Matches(labels.Set(object.Labels)) {
			list = append(list, object)
		}
	}
	return list, m.err
}

func (m mockNamespace) Get(name string) (*workload, error) {
	for _, object := range m.objects {
		if object.Namespace == m.namespace && object.Name == name {
			return object, m.err
		}
	}
	return nil, cmpErr(m.err, apierrors.NewNotFound(resource, name))
}

func cmpErr(errs ...error) error {
	return errs[slices.IndexFunc(errs, func(err error) bool { return err != nil })]
}

var resource = fleetv1.Resource("workload")

func fromMock(m mock) ResourceIndexer[*workload] {
	return FromLister(resource, indexers(), m, func(namespace string) AnyNamespaceLister[*workload] { return mockNamespace{m, namespace} })
}

// implementations returns the same objects, read in every way there is.
func implementations(t testing.TB) map[string]ResourceIndexer[*workload] {
	plain := New[*workload](filled(t, indexers()), resource)
	bare := New[*workload](filled(t, cache.Indexers{}), resource)
	fast := New[*workload](newFastStore(t), resource)
	all := map[string]ResourceIndexer[*workload]{
		"indexer": plain.In(""), "indexer without indexes": bare.In(""), "store": fast.In(""), "mock": fromMock(mock{objects: objects()}),
	}
	for name, r := range maps.Clone(all) {
		copies := r.Copies()
		all["copies of "+name] = copies.In("")
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
	for name, r := range implementations(t) {
		t.Run(name, func(t *testing.T) {
			object, err := r.In("shop").Get("api")
			require.NoError(t, err)
			assert.Equal(t, newWorkload("shop", "api", "south"), object)
			assert.True(t, r.In("shop").Exists("api"))
			for _, absent := range [][2]string{{"shop", "x"}, {"x", "api"}, {"blog", "api"}} {
				object, err := r.In(absent[0]).Get(absent[1])
				assert.Nil(t, object)
				assert.EqualError(t, err, fmt.Sprintf("workload.fleet.example.com %q not found", absent[1]))
				assert.True(t, apierrors.IsNotFound(err))
				assert.False(t, r.In(absent[0]).Exists(absent[1]))
			}
		})
	}
}

func TestList(t *testing.T) {
	for name, r := range implementations(t) {
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
				list, err := r.In(test.namespace).List(test.selector)
				require.NoError(t, err)
				assert.Equal(t, test.want, namesOf(list), "%s %s", test.namespace, test.selector)
			}
		})
	}
}

// TestListOfMany compares with a loop, for objects of which every third has no label.
func TestListOfMany(t *testing.T) {
	for _, count := range []int{manyObjects, manyObjects + 1, manyObjects + 63, manyObjects + 64} {
		indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
		for i := range count {
			object := newWorkload("shop", fmt.Sprint(i), []string{"north", "south"}[i%2])
			if i%3 == 0 {
				object.Labels = nil
			}
			require.NoError(t, indexer.Add(object))
		}
		l := New[*workload](indexer, resource)
		for _, text := range []string{"region=north", "region!=north", "!region", "region", "region in (north,south)", "app=x"} {
			selector, err := labels.Parse(text)
			require.NoError(t, err)
			var want []string
			for object := range l.In("").All() {
				if selector.Matches(labels.Set(object.Labels)) {
					want = append(want, object.Namespace+"/"+object.Name)
				}
			}
			slices.Sort(want)
			list, err := l.List(selector)
			require.NoError(t, err)
			assert.Equal(t, want, namesOf(list), text)
		}
	}
}

func TestAll(t *testing.T) {
	for name, r := range implementations(t) {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, everyName, namesOf(slices.Collect(r.All())))
			assert.Equal(t, inShop, namesOf(slices.Collect(r.In("shop").All())))
			assert.Empty(t, slices.Collect(r.In("none").All()))
			seen := 0
			for range r.All() {
				if seen++; seen == 2 {
					break
				}
			}
			assert.Equal(t, 2, seen)
		})
	}
}

func TestSortedAndLen(t *testing.T) {
	for name, r := range implementations(t) {
		t.Run(name, func(t *testing.T) {
			var names []string
			for _, object := range r.Sorted() {
				names = append(names, object.Namespace+" "+object.Name)
			}
			assert.Equal(t, []string{"blog web", "shop api", "shop database", "shop web", "shop-2 web"}, names)
			assert.Equal(t, inShop, namesOf(r.In("shop").Sorted()))
			assert.Equal(t, 5, r.Len())
			assert.Equal(t, 3, r.In("shop").Len())
			assert.Equal(t, 0, r.In("none").Len())
		})
	}
}

func TestLookUp(t *testing.T) {
	for name, r := range implementations(t) {
		t.Run(name, func(t *testing.T) {
			if r.source.indexer.GetIndexers()["region"] == nil {
				_, err := r.LookUp(byRegion, "north")
				assert.EqualError(t, err, "look up workload.fleet.example.com: Index with name region does not exist; add WorkloadIndexers to the informer")
				return
			}
			for _, test := range []struct {
				what      string
				look      func(r ResourceIndexer[*workload]) ([]*workload, error)
				all, shop []string
			}{
				{"text", func(r ResourceIndexer[*workload]) ([]*workload, error) { return r.LookUp(byRegion, "north") }, inNorth, []string{"shop/database", "shop/web"}},
				{"no text", func(r ResourceIndexer[*workload]) ([]*workload, error) { return r.LookUp(byRegion, "") }, nil, nil},
				{"int", func(r ResourceIndexer[*workload]) ([]*workload, error) { return r.LookUpInt(byGeneration, 8) }, []string{"shop/database"}, []string{"shop/database"}},
				{"uint", func(r ResourceIndexer[*workload]) ([]*workload, error) { return r.LookUpUint(byGeneration, 3) }, []string{"blog/web", "shop-2/web", "shop/api", "shop/web"}, []string{"shop/api", "shop/web"}},
				{"entry", func(r ResourceIndexer[*workload]) ([]*workload, error) {
					return r.LookUpEntry(byLabel, "region", "south")
				}, []string{"blog/web", "shop/api"}, []string{"shop/api"}},
			} {
				for range 3 { // with used buffers
					list, err := test.look(r)
					require.NoError(t, err, test.what)
					assert.Equal(t, test.all, namesOf(list), test.what)
					list, err = test.look(r.In("shop"))
					require.NoError(t, err, test.what)
					assert.Equal(t, test.shop, namesOf(list), test.what)
				}
			}
		})
	}
}

func TestLookUpFails(t *testing.T) {
	fast := New[*workload](newFastStore(t), resource)
	_, err := fast.In("").LookUp(namespacePrefix+"absent", "x")
	assert.EqualError(t, err, "look up workload.fleet.example.com: no such index; add WorkloadIndexers to the informer")
}

// TestLookUpAllocatesItsResultOnly looks up in a store of generated informers.
func TestLookUpAllocatesItsResultOnly(t *testing.T) {
	fast := New[*workload](newFastStore(t), resource)
	for _, r := range []ResourceIndexer[*workload]{fast.In(""), fast.In("shop")} {
		for name, look := range map[string]func() ([]*workload, error){
			"text":  func() ([]*workload, error) { return r.LookUp(byRegion, "north") },
			"int":   func() ([]*workload, error) { return r.LookUpInt(byGeneration, 3) },
			"uint":  func() ([]*workload, error) { return r.LookUpUint(byGeneration, 3) },
			"entry": func() ([]*workload, error) { return r.LookUpEntry(byLabel, "region", "south") },
		} {
			allocations := leastAllocations(func() {
				if list, err := look(); err != nil || len(list) == 0 {
					t.Fatal(list, err)
				}
			})
			assert.LessOrEqual(t, allocations, 1.0, name)
		}
		none := leastAllocations(func() { _, _ = r.LookUpInt(byGeneration, 1<<40) })
		assert.Zero(t, none, "nothing found")
	}
}

// leastAllocations returns the allocations of a call that gets its buffer from a pool, which the race detector makes forgetful.
func leastAllocations(call func()) float64 {
	least := testing.AllocsPerRun(1, call)
	for range 100 {
		least = min(least, testing.AllocsPerRun(1, call))
	}
	return least
}

// TestCopies changes whatever it gets.
func TestCopies(t *testing.T) {
	for name, r := range implementations(t) {
		t.Run(name, func(t *testing.T) {
			copies := r.Copies()
			again := copies.Copies()
			for _, l := range []*Lister[*workload]{&copies, &again} {
				for _, namespace := range []string{"", "shop"} {
					in := l.In(namespace)
					for object := range in.All() {
						object.Labels["changed"] = "yes"
					}
					for _, object := range in.Sorted() {
						object.Labels["changed"] = "yes"
					}
					list, err := in.List(labels.SelectorFromSet(labels.Set{"region": "north"}))
					require.NoError(t, err)
					require.NotEmpty(t, list)
					for _, object := range list {
						object.Labels["changed"] = "yes"
					}
					list, _ = in.LookUp(byRegion, "north")
					for _, object := range list {
						object.Labels["changed"] = "yes"
					}
				}
				object, err := l.In("shop").Get("web")
				require.NoError(t, err)
				object.Labels["changed"] = "yes"
				changeByResourceIndexer(t, l)
			}
			for object := range r.All() {
				assert.NotContains(t, object.Labels, "changed")
			}
		})
	}
}

// changeByResourceIndexer changes what handwritten methods read.
func changeByResourceIndexer(t *testing.T, l *Lister[*workload]) {
	t.Helper()
	if _, fast := l.source.store.(*fastStore); fast {
		return // which gets by name only
	}
	list, err := l.ResourceIndexer.List(labels.Everything())
	require.NoError(t, err)
	require.Len(t, list, 5)
	object, err := l.ResourceIndexer.Get("shop/web")
	require.NoError(t, err)
	_, err = l.ResourceIndexer.Get("shop/x")
	assert.True(t, apierrors.IsNotFound(err))
	for _, object := range append(list, object) {
		object.Labels["changed"] = "yes"
	}
}

func TestSharedWithoutCopies(t *testing.T) {
	indexer := filled(t, indexers())
	l := New[*workload](indexer, resource)
	in, _, err := indexer.GetByKey("shop/web")
	require.NoError(t, err)
	object, err := l.In("shop").Get("web")
	require.NoError(t, err)
	assert.Same(t, in, object)
	object, err = l.Get("shop/web")
	require.NoError(t, err)
	assert.Same(t, in, object)
}

// TestListCopiesWhatMatches counts allocations, as copies are allocated.
func TestListCopiesWhatMatches(t *testing.T) {
	l := New[*workload](filled(t, indexers()), resource)
	copies := l.Copies()
	one := labels.SelectorFromSet(labels.Set{"region": "south"})
	matching := leastAllocations(func() { _, _ = copies.List(one) })
	all := leastAllocations(func() { _, _ = copies.List(labels.Everything()) })
	assert.LessOrEqual(t, matching, all*3/4)
}

func TestErrorsOfMocks(t *testing.T) {
	broken := fromMock(mock{objects: objects(), err: assert.AnError})
	for name, r := range map[string]ResourceIndexer[*workload]{"shared": broken, "copies": func() ResourceIndexer[*workload] {
		copies := broken.Copies()
		return copies.In("")
	}()} {
		t.Run(name, func(t *testing.T) {
			_, err := r.List(labels.Everything())
			assert.ErrorIs(t, err, assert.AnError)
			_, err = r.In("shop").List(labels.Everything())
			assert.ErrorIs(t, err, assert.AnError)
			_, err = r.In("shop").Get("web")
			assert.ErrorIs(t, err, assert.AnError)
			_, err = r.LookUp(byRegion, "north")
			assert.ErrorIs(t, err, assert.AnError)
			_, err = r.LookUp(namespacePrefix+"absent", "north")
			assert.ErrorContains(t, err, "index with name absent does not exist")
			assert.False(t, r.In("shop").Exists("web"), "and logged")
		})
	}
}

func TestIndexFuncsIgnoreOtherTypes(t *testing.T) {
	for name, keysOf := range indexers() {
		if name != cache.NamespaceIndex {
			keys, err := keysOf(&fleetv1.Region{})
			assert.NoError(t, err)
			assert.Empty(t, keys, name)
		}
	}
}
