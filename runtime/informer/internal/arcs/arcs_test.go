package arcs

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/sharding"
	"k8s.io/apimachinery/pkg/types"
)

func TestNew(t *testing.T) {
	assert.Equal(t, Set{}, New())
	assert.Equal(t, Set{{1, 9}, {20, 21}}, New(Arc{5, 9}, Arc{20, 21}, Arc{1, 4}, Arc{2, 3}))
	assert.Equal(t, All, New(Bucket(0, 100), Bucket(101, 255)))
	assert.True(t, New(Bucket(7, 255), Bucket(0, 9)).IsAll())
	assert.Equal(t, Set{{0xff << 56, math.MaxUint64}}, New(Bucket(255, 255)))
}

// TestOperations compares operations on random sets with the same on single buckets.
func TestOperations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	random := func() Set {
		var arcs []Arc
		for range r.IntN(5) {
			first := r.IntN(Buckets)
			arcs = append(arcs, Bucket(uint8(first), uint8(first+r.IntN(Buckets-first))))
		}
		return New(arcs...)
	}
	for range 2000 {
		a, b := random(), random()
		both, rest, either := a.And(b), a.Minus(b), Union(a, b)
		for bucket := range uint64(Buckets) {
			hash := bucket << 56
			require.Equal(t, a.Has(hash) && b.Has(hash), both.Has(hash), "%v and %v", a, b)
			require.Equal(t, a.Has(hash) && !b.Has(hash), rest.Has(hash), "%v minus %v", a, b)
			require.Equal(t, a.Has(hash) || b.Has(hash), either.Has(hash), "%v or %v", a, b)
		}
		require.Equal(t, New(both...), both)
		require.Equal(t, New(rest...), rest)
	}
}

// TestHash compares hashes and selectors with apimachinery's.
func TestHash(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	uid, namespace := Key{}, Key{namespace: true}
	set := New(Bucket(3, 9), Bucket(100, 140), Bucket(250, 255))
	for range 1000 {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			UID: types.UID(string(rune('a' + r.IntN(26)))), Namespace: string([]byte{byte('a' + r.IntN(26)), byte('0' + r.IntN(10))}),
		}}
		for _, key := range []Key{uid, namespace} {
			hash, ok := key.HashOf(object)
			require.True(t, ok)
			matches, err := key.Selector(set).Matches(object)
			require.NoError(t, err)
			require.Equal(t, matches, set.Has(hash), object)
		}
	}
}

func TestSelect(t *testing.T) {
	var options metav1.ListOptions
	require.NoError(t, Key{}.Select(&options, New(Bucket(0, 15), Bucket(240, 255))))
	assert.Equal(t, "shardRange(object.metadata.uid, '0x0000000000000000', '0x1000000000000000') || "+
		"shardRange(object.metadata.uid, '0xf000000000000000', '0x10000000000000000')", options.ShardSelector)
	assert.ErrorContains(t, Key{}.Select(&options, New(Bucket(1, 1))), "but the informer has")

	options = metav1.ListOptions{LabelSelector: "tier=web"}
	key := Key{Label: "example.com/bucket"}
	require.NoError(t, key.Select(&options, New(Bucket(9, 11))))
	assert.Equal(t, "example.com/bucket in (10,11,9),tier=web", options.LabelSelector)
	assert.Empty(t, options.ShardSelector)
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"example.com/bucket": "10"}}}
	hash, ok := key.HashOf(object)
	assert.True(t, ok && New(Bucket(9, 11)).Has(hash))
	for _, value := range []string{"", "x", "256", "-1"} {
		object.Labels["example.com/bucket"] = value
		_, ok = key.HashOf(object)
		assert.False(t, ok, value)
	}
	options.LabelSelector = "in in in"
	assert.Error(t, key.Select(&options, All))
}

func TestParse(t *testing.T) {
	for _, set := range []Set{All, New(Bucket(0, 0)), New(Bucket(3, 9), Bucket(100, 255))} {
		for _, key := range []Key{{}, {namespace: true}} {
			parsedKey, parsed, err := Parse(key.Selector(set))
			require.NoError(t, err)
			assert.Equal(t, set, parsed)
			assert.Equal(t, key.namespace && !set.IsAll(), parsedKey.namespace)
		}
	}
	_, all, err := Parse(nil)
	require.NoError(t, err)
	assert.True(t, all.IsAll())
	for _, end := range []string{"0x0000000000000005", "0x0000000000000000"} {
		_, none, err := Parse(sharding.NewSelector(requirement(fieldUID, "0x0000000000000005", end)))
		require.NoError(t, err)
		assert.Equal(t, Set{}, none)
	}
	for _, invalid := range []sharding.ShardRangeRequirement{
		requirement("object.metadata.name", "0x0", "0x1"), requirement(fieldUID, "x", "0x1"), requirement(fieldUID, "0x1", ""),
	} {
		_, _, err := Parse(sharding.NewSelector(invalid))
		assert.Error(t, err)
	}
}

func requirement(key, start, end string) sharding.ShardRangeRequirement {
	return sharding.ShardRangeRequirement{Key: key, Start: start, End: end}
}
