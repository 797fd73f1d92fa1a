package tests

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	fleetv1listers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/reader"
)

// mockWorkloadLister is a handwritten lister. It has web in shop and in blog.
type mockWorkloadLister struct {
	fleetv1listers.WorkloadLister
	objects []*fleetv1.Workload
}

func (m mockWorkloadLister) List(selector labels.Selector) ([]*fleetv1.Workload, error) {
	return m.Workloads("").List(selector)
}

func (m mockWorkloadLister) Workloads(namespace string) fleetv1listers.WorkloadNamespaceLister {
	return mockWorkloadNamespaceLister{mockWorkloadLister: m, namespace: namespace}
}

type mockWorkloadNamespaceLister struct {
	fleetv1listers.WorkloadNamespaceLister
	mockWorkloadLister
	namespace string
}

func (m mockWorkloadNamespaceLister) List(selector labels.Selector) (list []*fleetv1.Workload, err error) {
	for _, object := range m.objects {
		if (m.namespace == "" || m.namespace == object.Namespace) && selector.Matches(labels.Set(object.Labels)) {
			list = append(list, object)
		}
	}
	return list, nil
}

func (m mockWorkloadNamespaceLister) Get(name string) (*fleetv1.Workload, error) {
	for _, object := range m.objects {
		if object.Namespace == m.namespace && object.Name == name {
			return object, nil
		}
	}
	return nil, apierrors.NewNotFound(fleetv1.Resource("workload"), name)
}

func (m mockWorkloadNamespaceLister) InRegion(string) ([]*fleetv1.Workload, error) { return nil, nil }

func TestReader(t *testing.T) {
	web, api, other := workload("shop", "web", map[string]string{"tier": "front"}), workload("shop", "api", nil), workload("blog", "web", nil)
	for name, lister := range map[string]fleetv1listers.WorkloadLister{
		"generated": fleetv1listers.NewWorkloadLister(indexer(t, web, api, other)),
		"mock":      mockWorkloadLister{objects: []*fleetv1.Workload{web, api, other}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.ElementsMatch(t, []*fleetv1.Workload{web, api, other}, slices.Collect(reader.All(lister)))
			assert.Equal(t, []*fleetv1.Workload{other, api, web}, reader.Sorted(lister))
			assert.Equal(t, 3, reader.Len(lister))

			shop := lister.Workloads("shop")
			assert.ElementsMatch(t, []*fleetv1.Workload{web, api}, slices.Collect(reader.All(shop)))
			assert.Equal(t, []*fleetv1.Workload{api, web}, reader.Sorted(shop))
			assert.Equal(t, 2, reader.Len(shop))
			assert.True(t, reader.Exists(shop, "api"))
			assert.False(t, reader.Exists(shop, "db"))
			assert.Zero(t, reader.Len(lister.Workloads("closed")))
		})
	}
}

func TestReaderOfClusterScopedKind(t *testing.T) {
	south, north := region("south"), region("north")
	lister := fleetv1listers.NewRegionLister(indexer(t, south, north))
	assert.Equal(t, []*fleetv1.Region{north, south}, reader.Sorted(lister))
	assert.True(t, reader.Exists(lister, "north"))
	assert.False(t, reader.Exists(lister, "west"))
	assert.Equal(t, 2, reader.Len(lister))
	copied, err := fleetv1listers.NewRegionLister(reader.Copies(lister)).Get("north")
	require.NoError(t, err)
	assert.NotSame(t, north, copied)
	assert.Equal(t, north, copied)
}

// spoil fails the test if an object belongs to the cache, and then modifies it.
func spoil(t *testing.T, cached, objects []*fleetv1.Workload, err error) {
	t.Helper()
	require.NoError(t, err)
	assert.NotEmpty(t, objects)
	for _, object := range objects {
		for _, original := range cached {
			assert.NotSame(t, original, object)
		}
		object.Spec.RegionName = "changed"
		metav1.SetMetaDataLabel(&object.ObjectMeta, "changed", "yes")
	}
}

// TestCopies calls every method of a lister of copies, including handwritten ones.
func TestCopies(t *testing.T) {
	web, api, other := workload("shop", "web", map[string]string{"tier": "front"}), workload("shop", "api", nil), workload("blog", "web", nil)
	cached := []*fleetv1.Workload{web, api, other}
	before := []*fleetv1.Workload{web.DeepCopy(), api.DeepCopy(), other.DeepCopy()}
	for name, lister := range map[string]fleetv1listers.WorkloadLister{
		"generated": fleetv1listers.NewWorkloadLister(indexer(t, cached...)),
		"mock":      mockWorkloadLister{objects: cached},
	} {
		t.Run(name, func(t *testing.T) {
			copies := fleetv1listers.NewWorkloadLister(reader.Copies(lister))
			for range 2 {
				spoil(t, cached, slices.Collect(reader.All(copies)), nil)
				spoil(t, cached, reader.Sorted(copies), nil)
				list, err := copies.List(labels.Everything())
				spoil(t, cached, list, err)
				list, err = copies.InRegion(web.Spec.RegionName)
				spoil(t, cached, list, err)

				shop := copies.Workloads("shop")
				list, err = shop.List(labels.SelectorFromSet(labels.Set{"tier": "front"}))
				spoil(t, cached, list, err)
				list, err = shop.InRegion(web.Spec.RegionName)
				spoil(t, cached, list, err)
				assert.Len(t, list, 2)
				object, err := shop.Get("api")
				spoil(t, cached, []*fleetv1.Workload{object}, err)
				spoil(t, cached, slices.Collect(reader.All(shop)), nil)
				spoil(t, cached, reader.Sorted(shop), nil)
				copies = fleetv1listers.NewWorkloadLister(reader.Copies(copies))
			}
			assert.Equal(t, before, cached)
		})
	}
}

// TestListerOfCopies reads a kind with +informergen:lister=copies.
func TestListerOfCopies(t *testing.T) {
	quota := &fleetv1.Quota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "q"}}
	lister := fleetv1listers.NewQuotaLister(indexer(t, quota))
	got, err := lister.Quotas("shop").Get("q")
	require.NoError(t, err)
	assert.NotSame(t, quota, got)
	assert.Equal(t, quota, got)
	list, err := lister.List(labels.Everything())
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.NotSame(t, quota, list[0])

	ctx, factory := newFactory(t, fake.NewStrictClientset(quota))
	informer := factory.Fleet().V1().Quotas()
	informer.Informer()
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	held, exists, err := informer.Informer().GetIndexer().Get(quota)
	require.NoError(t, err)
	require.True(t, exists)
	got, err = informer.Lister().Quotas("shop").Get("q")
	require.NoError(t, err)
	assert.NotSame(t, held, got)
	again, err := informer.Lister().Quotas("shop").Get("q")
	require.NoError(t, err)
	assert.NotSame(t, again, got)
	assert.True(t, slices.ContainsFunc(slices.Collect(reader.All(informer.Lister())), func(q *fleetv1.Quota) bool { return q.Name == "q" && q != held }))
}

// TestReaderOfFactories reads from the stores of the factory's own informers, in all namespaces and in one.
func TestReaderOfFactories(t *testing.T) {
	ctx, factory := newFactory(t, fake.NewStrictClientset(workload("shop", "web", nil), workload("shop", "api", nil), workload("blog", "web", nil)))
	informer := factory.Fleet().V1().Workloads()
	informer.Informer()
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	lister := informer.Lister()
	assert.Equal(t, []string{"blog/web", "shop/api", "shop/web"}, names(t, reader.Sorted(lister), nil))
	assert.Equal(t, []string{"shop/api", "shop/web"}, names(t, reader.Sorted(lister.Workloads("shop")), nil))
	assert.Equal(t, 3, reader.Len(lister))
	assert.Equal(t, 2, reader.Len(lister.Workloads("shop")))
	assert.True(t, reader.Exists(lister.Workloads("blog"), "web"))
	list, err := lister.Workloads("shop").List(labels.Everything())
	assert.Len(t, names(t, list, err), 2)
	for object := range reader.All(fleetv1listers.NewWorkloadLister(reader.Copies(lister))) {
		held, _, err := informer.Informer().GetIndexer().GetByKey(cache.MetaObjectToName(object).String())
		require.NoError(t, err)
		assert.NotSame(t, held, object)
	}
}
