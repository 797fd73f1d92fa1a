package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// serveShards starts a server with or without the feature for shards, until the test ends.
func serveShards(t *testing.T, on bool, etcd []string) *apiservertest.Process {
	t.Helper()
	process, err := apiservertest.StartProcess(t.Context(), apiservertest.Options{
		Dir: t.TempDir(), CRDPaths: []string{crdDir}, AnyNamespace: true, Etcd: etcd, NoControllers: true,
		FeatureGates: map[string]bool{"ShardedListAndWatch": on},
	})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, process.Terminate()) })
	return process
}

// shardedKinds are informers for whole objects of two kinds, metadata, and objects whose type is not known.
type shardedKinds struct {
	factory    *informer.Factory
	workloads  *informer.Informer[*fleetv1.Workload]
	configMaps *informer.Informer[*corev1.ConfigMap]
	metadata   *informer.Informer[*metav1.PartialObjectMetadata]
	untyped    *informer.Informer[*unstructured.Unstructured]
}

// listing is a clientset that does not stream lists, so that they have pages.
type listing struct{ versioned.Interface }

func (listing) IsWatchListSemanticsUnSupported() bool { return true }

func informOfShards(t *testing.T, config *rest.Config, httpClient *http.Client, options ...informer.Option) *shardedKinds {
	t.Helper()
	client, err := versioned.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	kube, err := kubernetes.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	untyped, err := dynamic.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	k := &shardedKinds{factory: informer.NewFactory(options...)}
	workloads := fleetv1.SchemeGroupVersion.WithResource("workloads")
	k.workloads = informer.For(k.factory, informer.Namespaced(listing{client}, workloads, client.FleetV1().Workloads))
	k.configMaps = informer.For(k.factory, informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("configmaps"), kube.CoreV1().ConfigMaps))
	reduced, err := informer.MetadataOf(k.workloads.Source())
	require.NoError(t, err)
	k.metadata = informer.For(k.factory, reduced)
	k.untyped = informer.For(k.factory, informer.Dynamic(untyped, workloads, true))
	t.Cleanup(k.factory.Shutdown)
	k.factory.StartWithContext(t.Context())
	require.NoError(t, k.factory.WaitForSync(within(t)))
	return k
}

// keys returns the names that each informer has.
func (k *shardedKinds) keys() []string {
	return sorted(
		k.workloads.Indexer().ListKeys(), k.metadata.Indexer().ListKeys(), k.untyped.Indexer().ListKeys(), k.configMaps.Indexer().ListKeys(),
	)
}

// sorted returns the names of each kind in one line.
func sorted(all ...[]string) (lines []string) {
	for _, keys := range all {
		slices.Sort(keys)
		lines = append(lines, strings.Join(keys, " "))
	}
	return lines
}

// keysIn returns what keys is to be for buckets of some namespaces.
func keysIn(t *testing.T, config *rest.Config, buckets []informer.Arc, namespaces ...string) []string {
	t.Helper()
	client, kube := clientsOf(t, config)
	var workloads, configMaps []string
	note := func(keys *[]string, object metav1.Object) {
		bucket := informer.BucketOf(object.GetUID())
		in := slices.ContainsFunc(buckets, func(arc informer.Arc) bool { return arc.First <= bucket && bucket <= arc.Last })
		if in && (len(namespaces) == 0 || slices.Contains(namespaces, object.GetNamespace())) {
			*keys = append(*keys, object.GetNamespace()+"/"+object.GetName())
		}
	}
	allWorkloads, err := client.FleetV1().Workloads("").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	for i := range allWorkloads.Items {
		note(&workloads, &allWorkloads.Items[i])
	}
	allConfigMaps, err := kube.CoreV1().ConfigMaps("").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	for i := range allConfigMaps.Items {
		note(&configMaps, &allConfigMaps.Items[i])
	}
	return sorted(workloads, workloads, workloads, configMaps)
}

// populate creates workloads and ConfigMaps, in a hundred namespaces each. There are more workloads than a page has.
func populate(t *testing.T, config *rest.Config, from, to int) {
	t.Helper()
	client, kube := clientsOf(t, config)
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			for i := from + n; i < to; i += 8 {
				namespace, name := fmt.Sprintf("tenant-%03d", i%100), fmt.Sprintf("o%d", i)
				_, err := client.FleetV1().Workloads(namespace).Create(t.Context(), &fleetv1.Workload{
					ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: fleetv1.WorkloadSpec{RegionName: "north", Template: fleetv1.WorkloadTemplate{Image: "web:1"}},
				}, metav1.CreateOptions{})
				assert.NoError(t, err)
				_, err = kube.CoreV1().ConfigMaps(namespace).Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
				assert.NoError(t, err)
			}
		})
	}
	group.Wait()
}

// TestShards has servers with and without the feature. Informers have the same objects, whether or not the server filters.
func TestShards(t *testing.T) {
	if realCluster {
		t.Skip("the server must have a feature gate")
	}
	t.Parallel()
	for name, test := range map[string]struct {
		on             bool
		watches, lists int
	}{
		"filtering": {true, 2, 5},  // a list for each arc that comes, and for each namespace
		"ignoring":  {false, 1, 4}, // a list for all arcs that come at a time, and for each namespace
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serveShards(t, test.on, nil)
			populate(t, server.Config(), 0, 700)
			httpClient, err := rest.HTTPClientFor(server.Config())
			require.NoError(t, err)
			t.Cleanup(httpClient.CloseIdleConnections)
			buckets := []informer.Arc{{First: 0, Last: 60}, {First: 200, Last: 220}}
			k := informOfShards(t, server.Config(), httpClient, informer.WithShards(buckets...))
			assert.Equal(t, keysIn(t, server.Config(), buckets), k.keys())
			for _, status := range k.factory.Describe() {
				assert.Equal(t, !test.on, status.ShardsIgnored, status.Resource)
			}
			eventually(t, func() bool { return k.workloads.Describe().Watches == test.watches }, "the number of watches")

			populate(t, server.Config(), 700, 760)
			client, _ := clientsOf(t, server.Config())
			require.NoError(t, client.FleetV1().Workloads("tenant-001").DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
			eventually(t, func() bool { return assert.ObjectsAreEqual(keysIn(t, server.Config(), buckets), k.keys()) }, "what has changed")

			lists := k.workloads.Describe().Lists
			buckets = []informer.Arc{{First: 0, Last: 60}, {First: 100, Last: 255}}
			require.NoError(t, k.factory.SetShards(within(t), buckets...))
			assert.Equal(t, keysIn(t, server.Config(), buckets), k.keys())
			buckets = []informer.Arc{{First: 50, Last: 150}}
			require.NoError(t, k.factory.SetShards(within(t), buckets...))
			assert.Equal(t, keysIn(t, server.Config(), buckets), k.keys())
			require.NoError(t, k.factory.SetNamespaces(within(t), "tenant-003", "tenant-004"))
			assert.Equal(t, keysIn(t, server.Config(), buckets, "tenant-003", "tenant-004"), k.keys())
			assert.Equal(t, test.lists, k.workloads.Describe().Lists-lists, "what stays is not listed again")
		})
	}
}

// alternating sends each request to one of two servers.
type alternating struct {
	lock    sync.Mutex
	random  *rand.Rand
	servers [2]*url.URL
	with    [2]http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (a *alternating) RoundTrip(r *http.Request) (*http.Response, error) {
	a.lock.Lock()
	n := a.random.IntN(2)
	a.lock.Unlock()
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = a.servers[n].Scheme, a.servers[n].Host, a.servers[n].Host
	return a.with[n].RoundTrip(r)
}

// TestShardsOfMixedControlPlane has a server with the feature, and one without, for the same objects: pages, lists and watches come from any of
// them, while arcs and objects change.
func TestShardsOfMixedControlPlane(t *testing.T) {
	if realCluster {
		t.Skip("the servers must have a feature gate")
	}
	t.Parallel()
	first := serveShards(t, true, nil)
	second := serveShards(t, false, first.Etcd())
	populate(t, first.Config(), 0, 700)
	mixed := &alternating{random: rand.New(rand.NewPCG(seedOf(t), 0))}
	for n, server := range []*apiservertest.Process{first, second} {
		target, err := url.Parse(server.Config().Host)
		require.NoError(t, err)
		transport, err := rest.TransportFor(server.Config())
		require.NoError(t, err)
		mixed.servers[n], mixed.with[n] = target, transport
	}
	httpClient := &http.Client{Transport: mixed}
	t.Cleanup(func() {
		for _, transport := range mixed.with {
			(&http.Client{Transport: transport}).CloseIdleConnections()
		}
	})
	k := informOfShards(t, first.Config(), httpClient, informer.WithShards())
	stop := background(t, func(ctx context.Context) error {
		for n := 700; !pause(ctx, 0); n += 8 {
			populate(t, second.Config(), n, n+8)
		}
		return nil
	})
	var buckets []informer.Arc
	for range 20 {
		buckets = nil
		for range mixed.random.IntN(4) {
			a, b := uint8(mixed.random.IntN(256)), uint8(mixed.random.IntN(256))
			buckets = append(buckets, informer.Arc{First: min(a, b), Last: max(a, b)})
		}
		require.NoError(t, k.factory.SetShards(within(t), buckets...))
	}
	require.NoError(t, stop())
	eventually(t, func() bool { return assert.ObjectsAreEqual(keysIn(t, first.Config(), buckets), k.keys()) }, "all that is in the arcs")
}
