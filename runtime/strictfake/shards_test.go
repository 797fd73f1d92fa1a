package strictfake

import (
	"fmt"
	"math"
	"strconv"
	stdtesting "testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/sharding"
	"k8s.io/apimachinery/pkg/types"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	metadatafake "k8s.io/client-go/metadata/fake"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/release"
)

const (
	everyShard = "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')"
	noShard    = "shardRange(object.metadata.uid, '0x0000000000000000', '0x0000000000000001')"
)

// shardOf returns the selector of one object.
func shardOf(t stdtesting.TB, uid types.UID) metav1.ListOptions {
	t.Helper()
	start, err := strconv.ParseUint(sharding.HashField(string(uid)), 16, 64)
	require.NoError(t, err)
	require.NotEqual(t, uint64(math.MaxUint64), start)
	return metav1.ListOptions{ShardSelector: fmt.Sprintf("shardRange(object.metadata.uid, '0x%016x', '0x%016x')", start, start+1)}
}

// TestShardsByDefault checks whether a server has shards: by the release, or by an option.
func TestShardsByDefault(t *stdtesting.T) {
	for name, test := range map[string]struct {
		options []Option
		want    bool
	}{
		"default": {nil, release.Has38()},
		"on":      {[]Option{WithShardedListAndWatch(true)}, true},
		"off":     {[]Option{WithShardedListAndWatch(false)}, false},
	} {
		t.Run(name, func(t *stdtesting.T) {
			r := newRig(t, test.options...)
			r.create(t, "a")
			nothing := metav1.ListOptions{ShardSelector: noShard}
			list, err := r.shop().List(t.Context(), nothing)
			require.NoError(t, err)
			assert.Equal(t, test.want, len(list.Items) == 0)
			require.NoError(t, r.shop().DeleteCollection(t.Context(), metav1.DeleteOptions{}, nothing))
			assert.Equal(t, test.want, len(r.names(t)) == 1)
		})
	}
}

// TestShards lists and watches one of two objects. The contract has more cases.
func TestShards(t *stdtesting.T) {
	r := newRig(t, WithShardedListAndWatch(true))
	shard := shardOf(t, r.create(t, "a", "b", "c").UID)
	shard.Limit = 1
	list, err := r.shop().List(t.Context(), shard)
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	assert.Equal(t, "c", list.Items[0].Name)
	shard.ShardSelector = everyShard
	list, err = r.shop().List(t.Context(), shard)
	require.NoError(t, err)
	assert.Nil(t, list.RemainingItemCount)
	shard.Continue, shard.Limit, shard.ShardSelector = list.Continue, 0, noShard
	list, err = r.shop().List(t.Context(), shard)
	require.NoError(t, err, "a token belongs to no shard")
	assert.Empty(t, list.Items)

	w, err := r.shop().Watch(t.Context(), shardOf(t, r.create(t, "d").UID))
	require.NoError(t, err)
	defer w.Stop()
	for _, name := range []string{"c", "d"} {
		require.NoError(t, r.shop().Delete(t.Context(), name, metav1.DeleteOptions{}))
	}
	assert.Equal(t, []string{"ADDED d", "DELETED d"}, events(w, 2))
}

// TestUntypedShards checks which requests of untyped clients have a shard: client-go's fake metadata client drops it from lists.
func TestUntypedShards(t *stdtesting.T) {
	kube, server := newKube(t, WithShardedListAndWatch(true))
	untyped := dynamicfake.NewSimpleDynamicClient(kubescheme.Scheme)
	partial := metadatafake.NewSimpleMetadataClient(metadatafake.NewTestScheme())
	require.NoError(t, server.ServeUntyped(untyped))
	require.NoError(t, server.ServeUntyped(partial))
	var shard metav1.ListOptions
	for _, name := range []string{"a", "b"} {
		created, err := kube.CoreV1().ConfigMaps("shop").Create(t.Context(), &corev1.ConfigMap{ObjectMeta: inShop(name)}, metav1.CreateOptions{})
		require.NoError(t, err)
		shard = shardOf(t, created.UID)
	}
	resource := corev1.SchemeGroupVersion.WithResource("configmaps")
	list, err := untyped.Resource(resource).Namespace("shop").List(t.Context(), shard)
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	assert.Equal(t, "b", list.Items[0].GetName())
	w, err := partial.Resource(resource).Namespace("shop").Watch(t.Context(), shard)
	require.NoError(t, err)
	defer w.Stop()
	assert.Equal(t, "b", (<-w.ResultChan()).Object.(*metav1.PartialObjectMetadata).Name)
	require.NoError(t, partial.Resource(resource).Namespace("shop").DeleteCollection(t.Context(), metav1.DeleteOptions{}, shard))
	typed, err := kube.CoreV1().ConfigMaps("shop").List(t.Context(), metav1.ListOptions{ShardSelector: everyShard})
	require.NoError(t, err)
	require.Len(t, typed.Items, 1)
	assert.Equal(t, "a", typed.Items[0].Name)
	assert.Equal(t, everyShard, typed.ShardInfo.Selector, "of built-in kinds in all releases")
}
