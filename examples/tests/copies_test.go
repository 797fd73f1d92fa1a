package tests

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	fleetv1listers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

// Package lister is tested in its own module. These tests cover its functions on generated listers.

func TestFunctionsOnGeneratedListers(t *testing.T) {
	web, api, other := workload("shop", "web", nil), workload("shop", "api", nil), workload("blog", "web", nil)
	workloads := fleetv1listers.NewWorkloadLister(indexer(t, web, api, other))
	assert.ElementsMatch(t, []*fleetv1.Workload{web, api, other}, slices.Collect(lister.All(workloads)))
	assert.Equal(t, []*fleetv1.Workload{other, api, web}, lister.Sorted(workloads))
	assert.Equal(t, 3, lister.Len(workloads))
	shop := workloads.Workloads("shop")
	assert.Equal(t, []*fleetv1.Workload{api, web}, lister.Sorted(shop))
	assert.Equal(t, 2, lister.Len(shop))
	assert.True(t, lister.Exists(shop, "api"))
	assert.False(t, lister.Exists(shop, "db"))
	assert.Zero(t, lister.Len(workloads.Workloads("closed")))

	south, north := region("south"), region("north")
	regions := fleetv1listers.NewRegionLister(indexer(t, south, north))
	assert.Equal(t, []*fleetv1.Region{north, south}, lister.Sorted(regions))
	assert.True(t, lister.Exists(regions, "north"))
	assert.False(t, lister.Exists(regions, "west"))
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

// TestCopies calls every method of a generated lister of copies, including handwritten ones.
func TestCopies(t *testing.T) {
	web, api, other := workload("shop", "web", map[string]string{"tier": "front"}), workload("shop", "api", nil), workload("blog", "web", nil)
	cached := []*fleetv1.Workload{web, api, other}
	before := []*fleetv1.Workload{web.DeepCopy(), api.DeepCopy(), other.DeepCopy()}
	copies := lister.Copies(indexer(t, cached...))
	for range 2 {
		workloads := fleetv1listers.NewWorkloadLister(copies)
		spoil(t, cached, slices.Collect(lister.All(workloads)), nil)
		list, err := workloads.List(labels.Everything())
		spoil(t, cached, list, err)
		list, err = workloads.InRegion(web.Spec.RegionName)
		spoil(t, cached, list, err)

		shop := workloads.Workloads("shop")
		list, err = shop.List(labels.SelectorFromSet(labels.Set{"tier": "front"}))
		spoil(t, cached, list, err)
		list, err = shop.InRegion(web.Spec.RegionName)
		spoil(t, cached, list, err)
		assert.Len(t, list, 2)
		object, err := shop.Get("api")
		spoil(t, cached, []*fleetv1.Workload{object}, err)
		copies = lister.Copies(copies)
	}
	assert.Equal(t, before, cached)
}

// TestListerOfCopies reads a kind with +informergen:lister=copies.
func TestListerOfCopies(t *testing.T) {
	quota := &fleetv1.Quota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "q"}}
	quotas := fleetv1listers.NewQuotaLister(indexer(t, quota))
	got, err := quotas.Quotas("shop").Get("q")
	require.NoError(t, err)
	assert.NotSame(t, quota, got)
	assert.Equal(t, quota, got)
	list, err := quotas.List(labels.Everything())
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
}
