package reader

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/emit/cached"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

type workload = fleetv1.Workload

var resource = fleetv1.Resource("workload")

// generated is like a generated lister.
type generated struct{ cached.ListerSource }

func newGenerated(indexer cache.Indexer) generated {
	return generated{cached.ListerSource{Objects: cached.New(indexer, resource)}}
}

func (g generated) List(selector labels.Selector) ([]*workload, error) {
	return cached.List[*workload](g.Objects, selector)
}

func (g generated) Get(name string) (*workload, error) { return cached.Get[*workload](g.Objects, name) }

func (g generated) In(namespace string) lister {
	return generated{cached.ListerSource{Objects: g.Objects.In(namespace)}}
}

// mock is another implementation.
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
	for _, object := range m.objects {
		if m.err == nil && object.Namespace == m.namespace && object.Name == name {
			return object, nil
		}
	}
	if m.err != nil {
		return nil, m.err
	}
	return nil, apierrors.NewNotFound(resource, name)
}

func (m mock) In(namespace string) lister { return mock{m.objects, namespace, m.err} }

// lister lists and gets. In stands for methods such as Workloads.
type lister interface {
	Lister[*workload]
	Getter[*workload]
	In(namespace string) lister
}

func newWorkload(namespace, name string) *workload {
	return &workload{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"app": name}}}
}

func listers(t *testing.T) (all map[string]lister, held []*workload) {
	t.Helper()
	held = []*workload{newWorkload("shop", "web"), newWorkload("shop-2", "web"), newWorkload("shop", "api"), newWorkload("blog", "web")}
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, object := range held {
		require.NoError(t, indexer.Add(object))
	}
	return map[string]lister{"generated": newGenerated(indexer), "mock": mock{objects: held}}, held
}

func names(objects []*workload) (names []string) {
	for _, object := range objects {
		names = append(names, object.Namespace+"/"+object.Name)
	}
	return names
}

func TestReader(t *testing.T) {
	all, held := listers(t)
	for name, l := range all {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, []string{"blog/web", "shop/api", "shop/web", "shop-2/web"}, names(Sorted(l)))
			assert.ElementsMatch(t, held, slices.Collect(All(l)))
			assert.Equal(t, 4, Len(l))
			shop := l.In("shop")
			assert.Equal(t, []string{"shop/api", "shop/web"}, names(Sorted(shop)))
			assert.ElementsMatch(t, []*workload{held[0], held[2]}, slices.Collect(All(shop)))
			assert.Equal(t, 2, Len(shop))
			assert.True(t, Exists(shop, "api"))
			assert.False(t, Exists(shop, "database"))
			assert.False(t, Exists(l.In("blog"), "api"))
			assert.Zero(t, Len(l.In("closed")))
			assert.Empty(t, Sorted(l.In("closed")))
			for object := range All(l) {
				assert.Contains(t, held, object)
				break
			}
		})
	}
}

// TestErrors reads a mock that fails. Errors are logged, and what it returns beside them is read.
func TestErrors(t *testing.T) {
	broken := mock{objects: []*workload{newWorkload("shop", "web")}, namespace: "shop", err: assert.AnError}
	assert.Equal(t, 1, Len(broken))
	assert.False(t, Exists(broken, "web"))
}

// TestCopies changes all that a lister of copies returns.
func TestCopies(t *testing.T) {
	all, held := listers(t)
	for name, l := range all {
		t.Run(name, func(t *testing.T) {
			copies := newGenerated(Copies(l))
			assert.Equal(t, names(Sorted(l)), names(Sorted(copies)))
			assert.Equal(t, []string{"shop/api", "shop/web"}, names(Sorted(copies.In("shop"))))
			assert.Equal(t, 2, Len(copies.In("shop")))
			assert.True(t, Exists(copies.In("shop"), "api"))
			assert.False(t, Exists(copies.In("shop"), "x"))
			got, err := copies.In("shop").Get("api")
			require.NoError(t, err)
			matching, err := copies.List(labels.SelectorFromSet(labels.Set{"app": "web"}))
			require.NoError(t, err)
			assert.Len(t, matching, 3)
			for _, object := range slices.Concat([]*workload{got}, matching, Sorted(copies), slices.Collect(All(copies.In("shop")))) {
				object.Labels["app"] = "changed"
			}
			for _, object := range held {
				assert.Equal(t, object.Name, object.Labels["app"])
			}
			again := newGenerated(Copies(copies))
			assert.Equal(t, held[2], Sorted(again)[1])
			assert.NotSame(t, held[2], Sorted(again)[1])
		})
	}
}

// TestCopiesOfOneNamespace makes a lister from that of a namespace. It has the objects of that namespace.
func TestCopiesOfOneNamespace(t *testing.T) {
	all, held := listers(t)
	for name, l := range all {
		t.Run(name, func(t *testing.T) {
			copies := newGenerated(Copies(l.In("shop")))
			assert.Equal(t, []string{"shop/api", "shop/web"}, names(Sorted(copies)))
			assert.Empty(t, Sorted(copies.In("blog")))
			assert.False(t, Exists(copies.In("blog"), "web"))
			got, err := copies.In("shop").Get("web")
			require.NoError(t, err)
			assert.Equal(t, held[0], got)
			assert.NotSame(t, held[0], got)
		})
	}
}

// TestIndexers calls what handwritten methods of listers may call.
func TestIndexers(t *testing.T) {
	all, held := listers(t)
	for name, indexer := range map[string]cache.Indexer{
		"generated": Copies(all["generated"]), "mock": Copies(all["mock"]),
		"namespace": Copies(all["generated"].In("shop")), "namespace of a mock": Copies(all["mock"].In("shop")),
	} {
		t.Run(name, func(t *testing.T) {
			item, exists, err := indexer.Get(held[0])
			require.NoError(t, err)
			assert.True(t, exists)
			assert.Equal(t, held[0], item)
			assert.NotSame(t, held[0], item)
			_, exists, err = indexer.GetByKey("shop/x")
			assert.False(t, exists)
			assert.NoError(t, err)
			_, _, err = indexer.Get(0)
			assert.Error(t, err)
			assert.Len(t, indexer.ListKeys(), len(indexer.List()))
			keys, err := indexer.IndexKeys(cache.NamespaceIndex, "shop")
			require.NoError(t, err)
			assert.ElementsMatch(t, []string{"shop/api", "shop/web"}, keys)
			assert.Contains(t, indexer.ListIndexFuncValues(cache.NamespaceIndex), "shop")
			assert.Contains(t, indexer.GetIndexers(), cache.NamespaceIndex)
			for _, found := range [][]any{first(indexer.Index(cache.NamespaceIndex, held[0])), first(indexer.ByIndex(cache.NamespaceIndex, "shop"))} {
				assert.ElementsMatch(t, []any{held[0], held[2]}, found)
			}
			_, err = indexer.ByIndex("region", "north")
			assert.EqualError(t, err, "Index with name region does not exist")

			for _, err := range []error{
				indexer.Add(held[0]), indexer.Update(held[0]), indexer.Delete(held[0]), indexer.Replace(nil, ""), indexer.AddIndexers(nil),
			} {
				assert.EqualError(t, err, "an indexer of copies is read-only")
			}
			assert.NoError(t, indexer.Resync())
			assert.Equal(t, 4, Len(all["generated"]))
		})
	}
}

func first[T any](value T, _ error) T { return value }

// TestLookupsInCopiesOfOneNamespace uses the indexes of the lister.
func TestLookupsInCopiesOfOneNamespace(t *testing.T) {
	indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	cached.AddNamespacedIndex(indexers, "app", func(w *workload) []string { return []string{w.Labels["app"]} })
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers)
	for _, object := range []*workload{newWorkload("shop", "web"), newWorkload("blog", "web")} {
		require.NoError(t, indexer.Add(object))
	}
	copies := newGenerated(Copies(newGenerated(indexer).In("shop")))
	for _, objects := range []cached.Objects{copies.Objects, copies.Objects.In("shop")} {
		found, err := cached.LookUp[*workload](objects, "namespace/app", "web")
		require.NoError(t, err)
		assert.Equal(t, []string{"shop/web"}, names(found))
	}
	found, err := cached.LookUp[*workload](copies.Objects.In("blog"), "namespace/app", "web")
	require.NoError(t, err)
	assert.Empty(t, found)
}
