package cached

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/listers"
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

var resource = fleetv1.Resource("workload")

func get(o Objects, name string) (*workload, error) { return Get[*workload](o, name) }

// implementations returns the same objects, read in every way there is.
func implementations(t testing.TB) map[string]Objects {
	all := map[string]Objects{
		"indexer": New(filled(t, indexers()), resource), "indexer without indexes": New(filled(t, cache.Indexers{}), resource),
		"store": New(newFastStore(t), resource),
	}
	for name, r := range maps.Clone(all) {
		all["copies of "+name] = r.Copies()
		all["indexer of copies of "+name] = New(r.Copies().Indexer(), resource)
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
			object, err := get(r.In("shop"), "api")
			require.NoError(t, err)
			assert.Equal(t, newWorkload("shop", "api", "south"), object)
			assert.True(t, r.In("shop").Exists("api"))
			for _, absent := range [][2]string{{"shop", "x"}, {"x", "api"}, {"blog", "api"}} {
				object, err := get(r.In(absent[0]), absent[1])
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
				list, err := List[*workload](r.In(test.namespace), test.selector)
				require.NoError(t, err)
				assert.Equal(t, test.want, namesOf(list), "%s %s", test.namespace, test.selector)
			}
		})
	}
}

// TestListOfMany compares with a loop. Every third object has no label.
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
		l := New(indexer, resource)
		for _, text := range []string{"region=north", "region!=north", "!region", "region", "region in (north,south)", "app=x"} {
			selector, err := labels.Parse(text)
			require.NoError(t, err)
			var want []string
			for object := range All[*workload](l) {
				if selector.Matches(labels.Set(object.Labels)) {
					want = append(want, object.Namespace+"/"+object.Name)
				}
			}
			slices.Sort(want)
			list, err := List[*workload](l, selector)
			require.NoError(t, err)
			assert.Equal(t, want, namesOf(list), text)
		}
	}
}

func TestAll(t *testing.T) {
	for name, r := range implementations(t) {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, everyName, namesOf(slices.Collect(All[*workload](r))))
			assert.Equal(t, inShop, namesOf(slices.Collect(All[*workload](r.In("shop")))))
			assert.Empty(t, slices.Collect(All[*workload](r.In("none"))))
			seen := 0
			for range All[*workload](r) {
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
			for _, object := range Sorted[*workload](r) {
				names = append(names, object.Namespace+" "+object.Name)
			}
			assert.Equal(t, []string{"blog web", "shop api", "shop database", "shop web", "shop-2 web"}, names)
			assert.Equal(t, inShop, namesOf(Sorted[*workload](r.In("shop"))))
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
				_, err := LookUp[*workload](r, byRegion, "north")
				assert.EqualError(t, err, "look up workload.fleet.example.com: Index with name region does not exist; add WorkloadIndexers to the informer")
				return
			}
			for _, test := range []struct {
				what      string
				look      func(r Objects) ([]*workload, error)
				all, shop []string
			}{
				{"text", func(r Objects) ([]*workload, error) { return LookUp[*workload](r, byRegion, "north") }, inNorth, []string{"shop/database", "shop/web"}},
				{"no text", func(r Objects) ([]*workload, error) { return LookUp[*workload](r, byRegion, "") }, nil, nil},
				{"int", func(r Objects) ([]*workload, error) { return LookUpInt[*workload](r, byGeneration, 8) }, []string{"shop/database"}, []string{"shop/database"}},
				{"uint", func(r Objects) ([]*workload, error) { return LookUpUint[*workload](r, byGeneration, 3) }, []string{"blog/web", "shop-2/web", "shop/api", "shop/web"}, []string{"shop/api", "shop/web"}},
				{"entry", func(r Objects) ([]*workload, error) {
					return LookUpEntry[*workload](r, byLabel, "region", "south")
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
	fast := New(newFastStore(t), resource)
	_, err := LookUp[*workload](fast, namespacePrefix+"absent", "x")
	assert.EqualError(t, err, "look up workload.fleet.example.com: no such index; add WorkloadIndexers to the informer")
}

// TestLookUpAllocatesItsResultOnly looks up in a store of generated informers.
func TestLookUpAllocatesItsResultOnly(t *testing.T) {
	fast := New(newFastStore(t), resource)
	for _, r := range []Objects{fast, fast.In("shop")} {
		for name, look := range map[string]func() ([]*workload, error){
			"text":  func() ([]*workload, error) { return LookUp[*workload](r, byRegion, "north") },
			"int":   func() ([]*workload, error) { return LookUpInt[*workload](r, byGeneration, 3) },
			"uint":  func() ([]*workload, error) { return LookUpUint[*workload](r, byGeneration, 3) },
			"entry": func() ([]*workload, error) { return LookUpEntry[*workload](r, byLabel, "region", "south") },
		} {
			allocations := leastAllocations(func() {
				if list, err := look(); err != nil || len(list) == 0 {
					t.Fatal(list, err)
				}
			})
			assert.LessOrEqual(t, allocations, 1.0, name)
		}
		none := leastAllocations(func() { _, _ = LookUpInt[*workload](r, byGeneration, 1<<40) })
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
			for _, l := range []Objects{copies, again} {
				for _, namespace := range []string{"", "shop"} {
					in := l.In(namespace)
					for object := range All[*workload](in) {
						object.Labels["changed"] = "yes"
					}
					for _, object := range Sorted[*workload](in) {
						object.Labels["changed"] = "yes"
					}
					list, err := List[*workload](in, labels.SelectorFromSet(labels.Set{"region": "north"}))
					require.NoError(t, err)
					require.NotEmpty(t, list)
					for _, object := range list {
						object.Labels["changed"] = "yes"
					}
					list, err = LookUp[*workload](in, byRegion, "north")
					if strings.HasSuffix(name, "without indexes") {
						require.Error(t, err)
					} else {
						require.NoError(t, err)
						require.NotEmpty(t, list)
					}
					for _, object := range list {
						object.Labels["changed"] = "yes"
					}
				}
				object, err := get(l.In("shop"), "web")
				require.NoError(t, err)
				object.Labels["changed"] = "yes"
				changeByResourceIndexer(t, l)
			}
			for object := range All[*workload](r) {
				assert.NotContains(t, object.Labels, "changed")
			}
		})
	}
}

// changeByResourceIndexer changes what handwritten methods read.
func changeByResourceIndexer(t *testing.T, o Objects) {
	t.Helper()
	if _, fast := o.source.store.(*fastStore); fast {
		return // which gets by name only
	}
	r := listers.New[*workload](o.Indexer(), resource)
	list, err := r.List(labels.Everything())
	require.NoError(t, err)
	require.Len(t, list, 5)
	object, err := r.Get("shop/web")
	require.NoError(t, err)
	_, err = r.Get("shop/x")
	assert.True(t, apierrors.IsNotFound(err))
	for _, object := range append(list, object) {
		object.Labels["changed"] = "yes"
	}
}

func TestSharedWithoutCopies(t *testing.T) {
	indexer := filled(t, indexers())
	l := New(indexer, resource)
	in, _, err := indexer.GetByKey("shop/web")
	require.NoError(t, err)
	object, err := get(l.In("shop"), "web")
	require.NoError(t, err)
	assert.Same(t, in, object)
	object, err = get(l, "shop/web")
	require.NoError(t, err)
	assert.Same(t, in, object)
}

// TestListCopiesWhatMatches counts allocations, as copies are allocated.
func TestListCopiesWhatMatches(t *testing.T) {
	l := New(filled(t, indexers()), resource)
	copies := l.Copies()
	one := labels.SelectorFromSet(labels.Set{"region": "south"})
	matching := leastAllocations(func() { _, _ = List[*workload](copies, one) })
	all := leastAllocations(func() { _, _ = List[*workload](copies, labels.Everything()) })
	assert.LessOrEqual(t, matching, all*3/4)
}

// failing is an indexer that cannot get objects.
type failing struct{ cache.Indexer }

func (failing) GetByKey(string) (any, bool, error) { return nil, false, assert.AnError }

func TestErrorsOfIndexers(t *testing.T) {
	broken := New(failing{filled(t, indexers())}, resource)
	_, err := get(broken.In("shop"), "web")
	assert.ErrorIs(t, err, assert.AnError)
	assert.False(t, broken.In("shop").Exists("web"), "and logged")
}

func TestOf(t *testing.T) {
	objects := New(filled(t, indexers()), resource)
	found, ok := Of(struct{ ListerSource }{ListerSource{objects.In("shop")}})
	assert.True(t, ok)
	assert.Equal(t, objects.In("shop"), found)
	_, ok = Of(struct{}{})
	assert.False(t, ok)
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
