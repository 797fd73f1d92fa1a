package tests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	edgev1alpha1listers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/edge/v1alpha1"
	fleetv1listers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/fleet/v1"
	fleetv1beta1listers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/fleet/v1beta1"
)

// indexer returns a cache like that of an informer, filled with objects.
func indexer[T metav1.Object](t *testing.T, objects ...T) cache.Indexer {
	t.Helper()
	filled := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, object := range objects {
		require.NoError(t, filled.Add(object))
	}
	return filled
}

func TestNamespacedLister(t *testing.T) {
	web := workload("shop", "web", map[string]string{"tier": "front", "team": "a"})
	api := workload("shop", "api", map[string]string{"tier": "front"})
	db := workload("shop", "db", map[string]string{"tier": "back"})
	other := workload("blog", "web", map[string]string{"tier": "front"})
	lister := fleetv1listers.NewWorkloadLister(indexer(t, web, api, db, other))
	front := labels.SelectorFromSet(labels.Set{"tier": "front"})

	all, err := lister.List(labels.Everything())
	require.NoError(t, err)
	assert.ElementsMatch(t, []*fleetv1.Workload{web, api, db, other}, all)

	everywhere, err := lister.List(front)
	require.NoError(t, err)
	assert.ElementsMatch(t, []*fleetv1.Workload{web, api, other}, everywhere)

	inShop, err := lister.Workloads("shop").List(front)
	require.NoError(t, err)
	assert.ElementsMatch(t, []*fleetv1.Workload{web, api}, inShop)

	nowhere, err := lister.Workloads("closed").List(labels.Everything())
	require.NoError(t, err)
	assert.Empty(t, nowhere)

	got, err := lister.Workloads("blog").Get("web")
	require.NoError(t, err)
	assert.Same(t, other, got, "listers hand out what the cache holds")
}

func TestListerExpansion(t *testing.T) {
	north, south := workload("shop", "web", nil), workload("blog", "web", nil)
	south.Spec.RegionName = "south"
	found, err := fleetv1listers.NewWorkloadLister(indexer(t, north, south)).InRegion("south")
	require.NoError(t, err)
	assert.Equal(t, []*fleetv1.Workload{south}, found)
}

func TestClusterScopedLister(t *testing.T) {
	north, south := region("north"), region("south")
	south.Labels = map[string]string{"tier": "cheap"}
	lister := fleetv1listers.NewRegionLister(indexer(t, north, south))

	got, err := lister.Get("north")
	require.NoError(t, err)
	assert.Same(t, north, got)

	cheap, err := lister.List(labels.SelectorFromSet(labels.Set{"tier": "cheap"}))
	require.NoError(t, err)
	assert.Equal(t, []*fleetv1.Region{south}, cheap)
}

// TestListerOfKindWithoutVerbs covers a kind that is never stored: it has a lister, for caches filled by other code.
func TestListerOfKindWithoutVerbs(t *testing.T) {
	evacuation := &fleetv1beta1.Evacuation{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	got, err := fleetv1beta1listers.NewEvacuationLister(indexer(t, evacuation)).Evacuations("shop").Get("web")
	require.NoError(t, err)
	assert.Same(t, evacuation, got)
}

// TestListersNameTheResourceInErrors checks that the error names the kind in lower case, as upstream's does: the text ends up in
// statuses, events and tests.
func TestListersNameTheResourceInErrors(t *testing.T) {
	empty := indexer[metav1.Object](t)
	tests := map[string]error{
		`workload.fleet.example.com "x" not found`:            ignoreResult(fleetv1listers.NewWorkloadLister(empty).Workloads("shop").Get("x")),
		`workloadrevision.fleet.example.com "x" not found`:    ignoreResult(fleetv1listers.NewWorkloadRevisionLister(empty).WorkloadRevisions("shop").Get("x")),
		`quota.fleet.example.com "x" not found`:               ignoreResult(fleetv1listers.NewQuotaLister(empty).Quotas("shop").Get("x")),
		`heartbeat.fleet.example.com "x" not found`:           ignoreResult(fleetv1listers.NewHeartbeatLister(empty).Heartbeats("shop").Get("x")),
		`region.fleet.example.com "x" not found`:              ignoreResult(fleetv1listers.NewRegionLister(empty).Get("x")),
		`chassis.fleet.example.com "x" not found`:             ignoreResult(fleetv1listers.NewChassisLister(empty).Get("x")),
		`gateway.fleet.example.com "x" not found`:             ignoreResult(fleetv1beta1listers.NewGatewayLister(empty).Gateways("shop").Get("x")),
		`placementpolicy.fleet.example.com "x" not found`:     ignoreResult(fleetv1beta1listers.NewPlacementPolicyLister(empty).PlacementPolicies("shop").Get("x")),
		`alarm.fleet.example.com "x" not found`:               ignoreResult(fleetv1beta1listers.NewAlarmLister(empty).Alarms("shop").Get("x")),
		`tunnel.edge-network.example.com "x" not found`:       ignoreResult(edgev1alpha1listers.NewTunnelLister(empty).Tunnels("shop").Get("x")),
		`trafficclass.edge-network.example.com "x" not found`: ignoreResult(edgev1alpha1listers.NewTrafficClassLister(empty).Get("x")),
	}
	for want, err := range tests {
		assert.EqualError(t, err, want)
		assert.True(t, apierrors.IsNotFound(err), want)
	}
}
