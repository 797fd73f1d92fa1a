package tests

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	fleetv1informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions/internalinterfaces"
)

// Indexers and a filter for informers that are built without a factory.
var (
	byRegion = cache.Indexers{"region": func(object any) ([]string, error) {
		return []string{object.(*fleetv1.Workload).Spec.RegionName}, nil
	}}
	byRegionTyped = fleetv1informers.WorkloadIndexers{"region": func(object *fleetv1.Workload) ([]string, error) {
		return []string{object.Spec.RegionName}, nil
	}}
)

func onlyFront(options *metav1.ListOptions) { options.LabelSelector = "tier=front" }

// TestInformerConstructors builds an informer for one namespace in each of the six ways.
func TestInformerConstructors(t *testing.T) {
	all, front := []string{"shop/db", "shop/web"}, []string{"shop/web"}
	tests := map[string]struct {
		build    func(client versioned.Interface) cache.SharedIndexInformer
		want     []string
		selector string
	}{
		"New": {
			func(client versioned.Interface) cache.SharedIndexInformer {
				return fleetv1informers.NewWorkloadInformer(client, "shop", 0, byRegion)
			}, all, "",
		},
		"NewTyped": {
			func(client versioned.Interface) cache.SharedIndexInformer {
				return fleetv1informers.NewTypedWorkloadInformer(client, "shop", 0, byRegionTyped)
			}, all, "",
		},
		"NewFiltered": {
			func(client versioned.Interface) cache.SharedIndexInformer {
				return fleetv1informers.NewFilteredWorkloadInformer(client, "shop", 0, byRegion, onlyFront)
			}, front, "tier=front",
		},
		"NewTypedFiltered": {
			func(client versioned.Interface) cache.SharedIndexInformer {
				return fleetv1informers.NewTypedFilteredWorkloadInformer(client, "shop", 0, byRegionTyped, onlyFront)
			}, front, "tier=front",
		},
		"NewWithOptions": {
			func(client versioned.Interface) cache.SharedIndexInformer {
				options := internalinterfaces.InformerOptions{Indexers: byRegion, TweakListOptions: onlyFront}
				return fleetv1informers.NewWorkloadInformerWithOptions(client, "shop", options)
			}, front, "tier=front",
		},
		"NewTypedWithOptions": {
			func(client versioned.Interface) cache.SharedIndexInformer {
				options := internalinterfaces.InformerOptions{Indexers: byRegion}
				return fleetv1informers.NewTypedWorkloadInformerWithOptions(client, "shop", options)
			}, all, "",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := fake.NewSimpleClientset(
					workload("shop", "web", map[string]string{"tier": "front"}),
					workload("shop", "db", map[string]string{"tier": "back"}),
					workload("blog", "web", map[string]string{"tier": "front"}),
				)
				informer := test.build(client)
				run(t, informer)
				synctest.Wait()

				keys, err := informer.GetIndexer().IndexKeys("region", "north")
				require.NoError(t, err)
				assert.ElementsMatch(t, test.want, keys)
				assertListsAndWatches(t, client, sent{Resource: "workloads.fleet.example.com/v1", Namespace: "shop"}, test.selector)
			})
		})
	}
}

// TestClusterScopedConstructorTakesNoNamespace runs an informer of a kind whose resource name is set by a marker.
func TestClusterScopedConstructorTakesNoNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset()
		_, err := client.FleetV1().Chassises().Create(t.Context(), chassis("c1"), metav1.CreateOptions{})
		require.NoError(t, err)
		client.ClearActions()

		informer := fleetv1informers.NewChassisInformerWithOptions(client, internalinterfaces.InformerOptions{})
		run(t, informer)
		synctest.Wait()
		assert.Equal(t, []string{"c1"}, informer.GetIndexer().ListKeys())
		assertListsAndWatches(t, client, sent{Resource: "chassis.fleet.example.com/v1"}, "")
	})
}

// assertListsAndWatches checks that an informer has sent a list and a watch for the same objects.
func assertListsAndWatches(t *testing.T, client *fake.Clientset, what sent, selector string) {
	t.Helper()
	list, watch := what, what
	list.Verb, watch.Verb = "list", "watch"
	require.Equal(t, []sent{list, watch}, sentBy(client))
	assert.Equal(t, selector, client.Actions()[0].(clienttesting.ListAction).GetListRestrictions().Labels.String())
	assert.Equal(t, selector, client.Actions()[1].(clienttesting.WatchAction).GetWatchRestrictions().Labels.String())
}
