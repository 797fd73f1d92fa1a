package lister_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

type (
	region string
	short  int8
	wide   uint32
)

// The indexes of the tests, one for each kind of value.
var (
	byRegion = lister.NewIndex("region", func(w *workload) []string { return []string{w.Spec.RegionName} })
	byName   = lister.NewIndex("named string", func(w *workload) []region { return []region{region(w.Spec.RegionName)} })
	byShop   = lister.NewIndex("bool", func(w *workload) []bool { return []bool{w.Namespace == "shop"} })
	byLength = lister.NewIndex("int", func(w *workload) []int64 { return []int64{w.Generation} })
	byMinus  = lister.NewIndex("named int", func(w *workload) []short { return []short{-short(w.Generation)} })
	byWidth  = lister.NewIndex("uint", func(w *workload) []wide { return []wide{wide(w.Generation)} })
	byLabel  = lister.NewIndex("labels", func(w *workload) (entries []lister.Entry) {
		for key, value := range w.Labels {
			entries = append(entries, lister.Entry{Key: key, Value: value})
		}
		return entries
	})
	byOwner = lister.NewIndex("owner", func(w *workload) (uids []types.UID) {
		for _, owner := range w.OwnerReferences {
			uids = append(uids, owner.UID)
		}
		return uids
	})
)

func indexes() cache.Indexers {
	return lister.Indexers(byRegion, byName, byShop, byLength, byMinus, byWidth, byLabel, byOwner)
}

// look is a lookup in all namespaces and in one.
type look func(in lister.Indexed, namespace string) ([]*workload, error)

func lookUp[V lister.Value](index *lister.Index[*workload, V], value V) look {
	return func(in lister.Indexed, namespace string) ([]*workload, error) {
		if namespace == "" {
			return index.Get(in, value)
		}
		return index.In(in, namespace, value)
	}
}

func TestLookUp(t *testing.T) {
	for name, l := range implementations(t) {
		if strings.HasSuffix(name, "without indexes") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for what, test := range map[string]struct {
				look      look
				all, shop []string
			}{
				"string":       {lookUp(byRegion, "north"), inNorth, []string{"shop/database", "shop/web"}},
				"no string":    {lookUp(byRegion, "west"), nil, nil},
				"named string": {lookUp(byName, region("south")), []string{"blog/web", "shop/api"}, []string{"shop/api"}},
				"bool":         {lookUp(byShop, true), inShop, inShop},
				"other bool":   {lookUp(byShop, false), []string{"blog/web", "shop-2/web"}, nil},
				"int":          {lookUp(byLength, 8), []string{"shop/database"}, []string{"shop/database"}},
				"named int":    {lookUp(byMinus, -8), []string{"shop/database"}, []string{"shop/database"}},
				"uint":         {lookUp(byWidth, 3), []string{"blog/web", "shop-2/web", "shop/api", "shop/web"}, []string{"shop/api", "shop/web"}},
				"entry":        {lookUp(byLabel, lister.Entry{Key: "region", Value: "south"}), []string{"blog/web", "shop/api"}, []string{"shop/api"}},
				"no owner":     {lookUp(byOwner, "uid"), nil, nil},
			} {
				for _, in := range []lister.Indexed{l, l.Indexer()} {
					for range 3 { // with used buffers
						list, err := test.look(in, "")
						require.NoError(t, err, what)
						assert.Equal(t, test.all, namesOf(list), what)
						list, err = test.look(in, "shop")
						require.NoError(t, err, what)
						assert.Equal(t, test.shop, namesOf(list), what)
					}
				}
			}
			found, err := byRegion.In(l, "", "north")
			require.NoError(t, err)
			assert.Equal(t, inNorth, namesOf(found))
			raw, err := l.ByIndex("region", "north")
			require.NoError(t, err)
			assert.Len(t, raw, 3)
		})
	}
}

// TestEmptyValues are found like others.
func TestEmptyValues(t *testing.T) {
	for _, indexer := range []cache.Indexer{clientGos(indexes()), store(indexes())} {
		fill(t, indexer, newWorkload("shop", "web", ""))
		for _, namespace := range []string{"", "shop"} {
			found, err := byRegion.In(indexer, namespace, "")
			require.NoError(t, err)
			assert.Equal(t, []string{"shop/web"}, namesOf(found))
		}
	}
}

func TestLookUpInInformers(t *testing.T) {
	client := fake.NewClientset(newWorkload("shop", "web", "north"))
	factory := informer.NewFactory(informer.WithIndexers(lister.Indexers(byRegion)))
	defer factory.Shutdown()
	workloads := informer.For(factory, informer.Namespaced(client, fleetv1.SchemeGroupVersion.WithResource("workloads"), client.FleetV1().Workloads))
	factory.StartWithContext(t.Context())
	require.NoError(t, factory.WaitForSync(t.Context()))
	found, err := byRegion.Get(workloads, "north")
	require.NoError(t, err)
	assert.Len(t, found, 1)
}

func TestMissingIndexesHaveAHint(t *testing.T) {
	hint := "; add the index to the informer: informer.WithIndexers(lister.Indexers(index))"
	_, err := byRegion.Get(store(nil), "north")
	assert.EqualError(t, err, "look up *v1.Workload: index with name region does not exist"+hint)
	_, err = byRegion.In(clientGos(nil), "shop", "north")
	assert.EqualError(t, err, "look up *v1.Workload: Index with name namespace/region does not exist"+hint)
}

func TestIndexFunctions(t *testing.T) {
	assert.Equal(t, "region", byRegion.Name())
	for name, keysOf := range indexes() {
		if name == cache.NamespaceIndex {
			continue
		}
		keys, err := keysOf(&fleetv1.Region{})
		assert.NoError(t, err)
		assert.Empty(t, keys, "objects of another type")
	}
	byLocation := lister.NewIndex("location", func(r *fleetv1.Region) []string { return []string{r.Spec.Location} })
	keys, err := lister.Indexers(byLocation)["namespace/location"](&fleetv1.Region{})
	assert.NoError(t, err)
	assert.Empty(t, keys, "a second index of cluster-scoped objects would only take memory")
	keys, err = lister.Indexers(byOwner)["namespace/owner"](&workload{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", OwnerReferences: []metav1.OwnerReference{{UID: "u"}},
	}})
	assert.NoError(t, err)
	assert.Equal(t, []string{"shop/u"}, keys)
}

// TestLookUpAllocatesItsResultOnly looks up in the store of an informer.
func TestLookUpAllocatesItsResultOnly(t *testing.T) {
	indexer := fill(t, store(indexes()), objects()...)
	l := lister.New[*workload](indexer, resource)
	for _, in := range []lister.Indexed{indexer, l} {
		for _, namespace := range []string{"", "shop"} {
			for name, look := range map[string]look{
				"string":       lookUp(byRegion, "north"),
				"named string": lookUp(byName, region("north")),
				"bool":         lookUp(byShop, true),
				"int":          lookUp(byLength, 3),
				"uint":         lookUp(byWidth, 3),
				"entry":        lookUp(byLabel, lister.Entry{Key: "region", Value: "south"}),
			} {
				allocations := leastAllocations(func() {
					if list, err := look(in, namespace); err != nil || len(list) == 0 {
						t.Fatal(list, err)
					}
				})
				assert.LessOrEqual(t, allocations, 1.0, "%s %q %T", name, namespace, in)
			}
		}
		none := leastAllocations(func() { _, _ = byLength.Get(in, 1<<40) })
		assert.Zero(t, none, "nothing found")
	}
}

// TestLookUpInOtherIndexers: a lookup of a string allocates what a handwritten one does, two slices.
func TestLookUpInOtherIndexers(t *testing.T) {
	indexer := fill(t, cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexes()), objects()...)
	byHand := leastAllocations(func() {
		found, err := indexer.ByIndex(byRegion.Name(), "north")
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		list := make([]*workload, 0, len(found))
		for _, object := range found {
			list = append(list, object.(*workload))
		}
		kept = list
	})
	allocations := leastAllocations(func() {
		list, err := byRegion.Get(indexer, "north")
		if err != nil || len(list) == 0 {
			t.Fatal(list, err)
		}
	})
	assert.LessOrEqual(t, allocations, byHand)
	number := leastAllocations(func() { _, _ = byLength.Get(indexer, 3) })
	assert.LessOrEqual(t, number, byHand+1, "the key is a new string")
}

// kept keeps the compiler from allocating on the stack.
var kept []*workload
