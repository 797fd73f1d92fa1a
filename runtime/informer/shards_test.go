package informer_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/scheme"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// inBucket returns a ConfigMap whose UID is in a bucket.
func inBucket(bucket uint8, namespace, name string) *corev1.ConfigMap {
	object := configMap(namespace, name)
	for n := 0; object.UID == "" || informer.BucketOf(object.UID) != bucket; n++ {
		object.UID = types.UID(strconv.Itoa(n))
	}
	return object
}

// sharded returns a server that filters, with an object in each of some buckets.
func sharded(buckets ...uint8) *informertest.Server {
	server := informertest.NewServer()
	server.Shard(func() informertest.Sharding { return informertest.Filters })
	for _, bucket := range buckets {
		server.Create(inBucket(bucket, "a", fmt.Sprintf("in-%03d", bucket)))
	}
	return server
}

func configMapsOf(server *informertest.Server) informer.Source[*corev1.ConfigMap] {
	return informer.Namespaced(server, informertest.Resource, server.ConfigMaps)
}

func keys[T informer.Object](objects *informer.Informer[T]) []string {
	return slices.Sorted(slices.Values(objects.Indexer().ListKeys()))
}

// TestWithShards has informers with the arcs of the factory, of their own, and for metadata, and others of one resource that has all.
func TestWithShards(t *testing.T) {
	server := sharded(0, 63, 64, 255)
	ctx, factory := newFactory(t, informer.WithShards(informer.Arc{First: 64, Last: 255}, informer.Arc{First: 60, Last: 63}))
	objects := informer.For(factory, configMapsOf(server))
	own := informer.For(factory, configMapsOf(server), informer.WithShards(informer.Arc{}))
	none := informer.For(factory, configMapsOf(server), informer.WithShards())
	whole := informer.For(factory, configMapsOf(server), informer.WithShards(informer.Arc{First: 0, Last: 255}))
	source, err := informer.MetadataOf(configMapsOf(server))
	require.NoError(t, err)
	metadata := informer.For(factory, source)
	start(ctx, t, factory)
	assert.Equal(t, []string{"a/in-063", "a/in-064", "a/in-255"}, keys(objects))
	assert.Equal(t, []string{"a/in-000"}, keys(own))
	assert.Empty(t, keys(none))
	assert.Len(t, keys(whole), 4)
	assert.Equal(t, keys(objects), keys(metadata))
	assert.Same(t, objects, informer.For(factory, configMapsOf(server)))
	assert.Equal(t, "60-255", objects.Describe().Shards)
	assert.Equal(t, "none", none.Describe().Shards)
	assert.Empty(t, whole.Describe().Shards)

	require.NoError(t, factory.SetShards(ctx, informer.Arc{First: 0, Last: 63}))
	assert.Equal(t, []string{"a/in-000", "a/in-063"}, keys(objects))
	assert.Equal(t, keys(objects), keys(metadata))
	assert.Equal(t, []string{"a/in-000"}, keys(own))
	assert.Contains(t, factory.Describe().String(), "  shards 0-63  ")
	assert.EqualError(t, factory.SetShards(ctx, informer.Arc{First: 2, Last: 1}), "SetShards: the arc from bucket 2 to 1 is empty")

	selecting := labels.SelectorFromSet(labels.Set{"label": "x"})
	later := informer.For(factory, configMapsOf(server), informer.WithLabels(selecting), informer.WithNamespaces("a"))
	require.NoError(t, server.Relabel("a", "in-063", "x"))
	require.NoError(t, server.Relabel("a", "in-064", "x"))
	start(ctx, t, factory)
	assert.Equal(t, []string{"a/in-063"}, keys(later))
}

func TestShardOptions(t *testing.T) {
	for text, options := range map[string][]informer.Option{
		"WithShards: the arc from bucket 9 to 8 is empty":                 {informer.WithShards(informer.Arc{First: 9, Last: 8})},
		"WithShards(none) contradicts WithShards(1-2)":                    {informer.WithShards(informer.Arc{First: 1, Last: 2}), informer.WithShards()},
		`WithShardLabel("no key!"): `:                                     {informer.WithShardLabel("no key!")},
		`WithShardLabel("a/b") contradicts WithShardLabel("a/c")`:         {informer.WithShardLabel("a/c"), informer.WithShardLabel("a/b")},
		`in ForKind[*v1.ConfigMap]: WithShards: the arc from bucket 1 to`: {informer.ForKind[*corev1.ConfigMap](informer.WithShards(informer.Arc{First: 1}))},
	} {
		assert.ErrorContains(t, informer.NewFactory(options...).Err(), text)
	}
	same := informer.NewFactory(informer.WithShards(informer.Arc{First: 0, Last: 9}), informer.WithShards(informer.Arc{First: 0, Last: 4}, informer.Arc{First: 5, Last: 9}))
	assert.NoError(t, same.Err(), "they are the same arc")
}

// TestShardLabel has objects that are in the bucket of their owner.
func TestShardLabel(t *testing.T) {
	server := informertest.NewServer(configMap("a", "of-5"), configMap("a", "of-200"), configMap("a", "of-none"))
	require.NoError(t, server.Relabel("a", "of-5", "5"))
	require.NoError(t, server.Relabel("a", "of-200", "200"))
	ctx, factory := newFactory(t, informer.WithShards(informer.Arc{First: 0, Last: 9}), informer.ForKind[*corev1.ConfigMap](informer.WithShardLabel("label")))
	objects := informer.For(factory, configMapsOf(server))
	start(ctx, t, factory)
	assert.Equal(t, []string{"a/of-5"}, keys(objects))
	require.NoError(t, factory.SetShards(ctx, informer.Arc{First: 100, Last: 255}))
	assert.Equal(t, []string{"a/of-200"}, keys(objects))
	assert.False(t, objects.Describe().ShardsIgnored)
	assert.Equal(t, 2, server.Sent())
}

// TestShardsOfFakes has a server that does not know shards.
func TestShardsOfFakes(t *testing.T) {
	server := sharded(0, 100, 200)
	server.Shard(nil)
	ctx, factory := newFactory(t, informer.WithShards(informer.Arc{First: 0, Last: 99}))
	objects := informer.For(factory, configMapsOf(server))
	start(ctx, t, factory)
	assert.Equal(t, []string{"a/in-000"}, keys(objects))
	assert.True(t, objects.Describe().ShardsIgnored)
	assert.Contains(t, factory.Describe().String(), "synced, shards ignored")
}

// TestShardsOfStrictFakes has the strict fakes of servers with and without the feature, for typed clients, and for metadata.
func TestShardsOfStrictFakes(t *testing.T) {
	for _, on := range []bool{true, false} {
		client, server := fake.NewClientset(), strictfake.NewServer(strictfake.WithShardedListAndWatch(on))
		require.NoError(t, server.Serve(client, scheme.Scheme, applyconfiguration.NewTypeConverter(scheme.Scheme)))
		for n := range 60 {
			_, err := client.FleetV1().Workloads("a").Create(t.Context(), workload("a", fmt.Sprintf("w%02d", n), nil), metav1.CreateOptions{})
			require.NoError(t, err)
		}
		ctx, factory := newFactory(t, informer.WithShards(informer.Arc{First: 0, Last: 99}))
		workloads := informer.For(factory, workloadSource(client))
		source, err := informer.MetadataOf(workloadSource(client))
		require.NoError(t, err)
		metadata := informer.For(factory, source)
		start(ctx, t, factory)
		assert.Equal(t, !on, workloads.Describe().ShardsIgnored)

		check := func(first, last uint8) {
			list, err := client.FleetV1().Workloads("a").List(ctx, metav1.ListOptions{})
			require.NoError(t, err)
			var want []string
			for _, object := range list.Items {
				if bucket := informer.BucketOf(object.UID); first <= bucket && bucket <= last {
					want = append(want, "a/"+object.Name)
				}
			}
			require.NotEmpty(t, want)
			slices.Sort(want)
			require.Eventually(t, func() bool { return slices.Equal(want, keys(workloads)) && slices.Equal(want, keys(metadata)) },
				deadline, time.Millisecond)
		}
		check(0, 99)
		for n := range 60 {
			_, err := client.FleetV1().Workloads("a").Create(ctx, workload("a", fmt.Sprintf("later-%02d", n), nil), metav1.CreateOptions{})
			require.NoError(t, err)
			if n%2 == 0 {
				require.NoError(t, client.FleetV1().Workloads("a").Delete(ctx, fmt.Sprintf("w%02d", n), metav1.DeleteOptions{}))
			}
		}
		check(0, 99)
		require.NoError(t, factory.SetShards(ctx, informer.Arc{First: 50, Last: 255}))
		check(50, 255)
	}
}

// TestSetShardsIsAllOrNothing has one informer that cannot follow the others.
func TestSetShardsIsAllOrNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, broken := sharded(0, 200), sharded(0, 200)
		ctx, factory := newFactory(t, informer.WithShards(informer.Arc{First: 0, Last: 99}), quiet())
		objects := informer.For(factory, configMapsOf(server))
		source, err := informer.MetadataOf(configMapsOf(broken))
		require.NoError(t, err)
		metadata := informer.For(factory, source)
		start(ctx, t, factory)
		broken.Refuse("", forbidden("configmaps"))
		soon, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		err = factory.SetShards(soon, informer.Arc{First: 0, Last: 255})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, `configmaps.fleet.example.com is forbidden: User "x" cannot list`)
		synctest.Wait()
		assert.Equal(t, []string{"a/in-000"}, keys(objects))
		assert.Equal(t, []string{"a/in-000"}, keys(metadata))
		broken.Refuse("", nil)
		require.NoError(t, factory.SetShards(ctx, informer.Arc{First: 0, Last: 255}))
		assert.Len(t, keys(metadata), 2)
	})
}

// TestBucketOf has the first byte of what API servers compute, see TestSelectors of internal/arcs.
func TestBucketOf(t *testing.T) {
	assert.Equal(t, uint8(0xcb), informer.BucketOf(""), "the offset basis of FNV-1a")
	assert.Equal(t, uint8(0xaf), informer.BucketOf("a"))
}
