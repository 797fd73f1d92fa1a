package shared

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/sharding"
)

// named selects the objects with one name. Real selectors select hashes, which say nothing to readers.
type named struct {
	sharding.Selector

	name string
}

func (n named) Matches(obj runtime.Object) (bool, error) {
	o, ok := obj.(*corev1.ConfigMap)
	return ok && o.Name == n.name, nil
}

func (named) Empty() bool { return false }

func (n named) String() string { return "name is " + n.name }

// TestShardOfOlderServer has a server that ignores the selector.
func TestShardOfOlderServer(t *testing.T) {
	r := newRig(t, Config{}, "a/x", "a/y", "b/x")
	require.NoError(t, r.informer.SetShardSelector(named{name: "x"}))
	h := r.handler()
	r.startSynced()
	assert.Equal(t, []string{"a/x", "b/x"}, r.keys())
	h.take(r, "initial a/x", "initial b/x")
	r.create("c/y")
	r.create("c/x")
	h.take(r, "add c/x")
	r.delete("a/y")
	r.delete("a/x")
	h.take(r, "delete a/x")
	assert.ErrorContains(t, r.informer.SetShardSelector(nil), "informer has already started")
}

func TestShardRequests(t *testing.T) {
	none := New(Config{Object: &corev1.ConfigMap{}}).shard()
	var options metav1.ListOptions
	require.NoError(t, none.request(&options))
	assert.Empty(t, options.ShardSelector)
	all := New(Config{Object: &corev1.ConfigMap{}, Shard: sharding.Everything()}).shard()
	assert.Nil(t, all)

	s := &shard{named{name: "x"}}
	require.NoError(t, s.request(&options))
	assert.Equal(t, "name is x", options.ShardSelector)
	require.NoError(t, s.request(&options), "the same again")
	options.ShardSelector = "name is y"
	assert.ErrorContains(t, s.request(&options), `select the shard "name is y", but the informer has "name is x"`)

	list := &corev1.ConfigMapList{Items: []corev1.ConfigMap{*object("a/x"), *object("a/y")}}
	list.ShardInfo = &metav1.ShardInfo{Selector: "name is y"}
	assert.ErrorContains(t, s.filter(list), `the server has selected the shard "name is y", not "name is x"`)
	list.ShardInfo.Selector = "name is x"
	require.NoError(t, s.filter(list))
	assert.Len(t, list.Items, 2, "the server has filtered")
	list.ShardInfo, list.RemainingItemCount = nil, new(int64)
	require.NoError(t, s.filter(list))
	assert.Len(t, list.Items, 1)
	assert.Nil(t, list.RemainingItemCount, "it counts objects of all shards")
}
