package shared

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

// uidIn returns a UID in a bucket.
func uidIn(bucket uint8) types.UID {
	for n := 0; ; n++ {
		if uid := strconv.Itoa(n); arcs.BucketOf(uid) == bucket {
			return types.UID(uid)
		}
	}
}

// place creates an object in a bucket.
func (r *rig) place(name string, bucket uint8) {
	o := object(name)
	o.UID = uidIn(bucket)
	r.server.Create(o)
}

// held is the buckets from first to last.
func held(first, last uint8) arcs.Set { return arcs.New(arcs.Bucket(first, last)) }

// idle waits until nothing happens in the bubble, also after a backoff.
func idle() {
	time.Sleep(5 * time.Second)
	synctest.Wait()
}

func always(does informertest.Sharding) func() informertest.Sharding {
	return func() informertest.Sharding { return does }
}

// TestShards has servers that filter, that do not, and that refuse the selector.
func TestShards(t *testing.T) {
	for name, test := range map[string]struct {
		sharding informertest.Sharding
		ignored  bool
		// watches is the number of watches for two arcs, and sent the number of objects that lists have had.
		watches, sent int
	}{
		"filtering": {sharding: informertest.Filters, watches: 2, sent: 2},
		"ignoring":  {sharding: informertest.Ignores, ignored: true, watches: 1, sent: 3},
		"refusing":  {sharding: informertest.Refuses, ignored: true, watches: 1, sent: 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, Config{Arcs: arcs.New(arcs.Bucket(0, 9), arcs.Bucket(20, 29))})
				r.server.Shard(always(test.sharding))
				r.place("a/x", 5)
				r.place("a/y", 15)
				r.place("b/z", 25)
				h := r.handler()
				stop := r.startSynced()
				idle()
				assert.Equal(t, []string{"a/x", "b/z"}, r.keys())
				h.take(r, "initial a/x", "initial b/z")
				assert.Equal(t, test.watches, r.server.Watches())
				assert.Equal(t, test.sent, r.server.Sent())
				state := r.informer.State()
				assert.Equal(t, "0-9,20-29", state.Shards)
				assert.Equal(t, test.ignored, state.ShardsIgnored)

				r.place("c/in", 0)
				r.place("c/out", 10)
				require.NoError(t, r.server.Relabel("a", "x", "1"))
				require.NoError(t, r.server.Relabel("a", "y", "1"))
				r.delete("b/z")
				r.delete("c/out")
				idle()
				h.take(r, "add c/in", "update a/x to a/x=1", "delete b/z")
				assert.Equal(t, test.sent, r.server.Sent(), "nothing is listed again")
				stop()
			})
		})
	}
}

// TestShardsChange changes arcs while the informer runs. What stays gets no event, and is not listed again.
func TestShardsChange(t *testing.T) {
	for name, sharding := range map[string]informertest.Sharding{"filtering": informertest.Filters, "ignoring": informertest.Ignores} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, Config{Arcs: held(0, 127)})
				r.server.Shard(always(sharding))
				for bucket := range 256 {
					r.place(fmt.Sprintf("a/%03d", bucket), uint8(bucket))
				}
				h := r.handler()
				stop := r.startSynced()
				idle()
				assert.Len(t, h.next(r, 128), 128)
				sent := r.server.Sent()

				_, err := r.informer.SetArcs(t.Context(), arcs.New(arcs.Bucket(0, 63), arcs.Bucket(200, 201)))
				require.NoError(t, err)
				idle()
				want := []string{"initial a/200", "initial a/201"}
				for bucket := 64; bucket < 128; bucket++ {
					want = append(want, fmt.Sprintf("gone a/%03d", bucket))
				}
				h.take(r, want...)
				if sharding == informertest.Filters {
					assert.Equal(t, 2, r.server.Sent()-sent, "only the new arc is listed")
				} else {
					assert.Equal(t, 256, r.server.Sent()-sent, "once, whatever has come")
				}
				sent = r.server.Sent()
				_, err = r.informer.SetArcs(t.Context(), held(10, 20))
				require.NoError(t, err)
				idle()
				assert.Len(t, h.next(r, 55), 55)
				assert.Equal(t, sent, r.server.Sent(), "a smaller arc needs no list")
				require.NoError(t, r.server.Relabel("a", "010", "1"))
				require.NoError(t, r.server.Relabel("a", "009", "1"))
				idle()
				h.take(r, "update a/010 to a/010=1")

				_, err = r.informer.SetArcs(t.Context(), arcs.Set{})
				require.NoError(t, err)
				idle()
				assert.Len(t, h.next(r, 11), 11)
				assert.Zero(t, r.server.Watches())
				assert.True(t, r.informer.HasSynced())
				stop()
			})
		})
	}
}

// TestShardsOfMixedServers has a list from a server that filters, and a watch or a second page from a server that does not.
func TestShardsOfMixedServers(t *testing.T) {
	t.Run("watch", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, Config{Arcs: arcs.New(arcs.Bucket(0, 9), arcs.Bucket(20, 29))})
			r.place("a/x", 5)
			r.place("a/y", 15)
			requests := 0
			r.server.Shard(func() informertest.Sharding {
				if requests++; requests == 1 {
					return informertest.Filters
				}
				return informertest.Ignores
			})
			h := r.handler()
			stop := r.startSynced()
			idle()
			h.take(r, "initial a/x")
			assert.False(t, r.informer.State().ShardsIgnored, "nobody can know yet")
			require.NoError(t, r.server.Relabel("a", "y", "1"))
			idle()
			assert.True(t, r.informer.State().ShardsIgnored)
			assert.Equal(t, 1, r.server.Watches(), "everything is sent once")
			r.place("a/z", 25)
			require.NoError(t, r.server.Relabel("a", "x", "1"))
			idle()
			h.take(r, "add a/z", "update a/x to a/x=1")
			r.server.Shard(always(informertest.Filters))
			r.server.Expire() // a list tries again
			idle()
			assert.False(t, r.informer.State().ShardsIgnored)
			assert.Equal(t, 2, r.server.Watches())
			stop()
		})
	})
	t.Run("page", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, Config{Arcs: held(0, 127)})
			for n := range 700 {
				r.place(fmt.Sprintf("a/in-%03d", n), 1)
				r.place(fmt.Sprintf("a/out-%03d", n), 200)
			}
			requests := 0
			r.server.Shard(func() informertest.Sharding {
				if requests++; requests%2 == 0 {
					return informertest.Ignores
				}
				return informertest.Filters
			})
			stop := r.startSynced()
			idle()
			assert.Len(t, r.keys(), 700)
			assert.True(t, r.informer.State().ShardsIgnored)
			stop()
		})
	})
}

// TestShardsExpireWhileTheyChange has versions that expire while a source is to continue where others have been.
func TestShardsExpireWhileTheyChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Config{Arcs: held(0, 127)})
		r.server.Shard(always(informertest.Filters))
		r.place("a/x", 5)
		r.place("a/y", 100)
		h := r.handler()
		stop := r.startSynced()
		idle()
		h.take(r, "initial a/x", "initial a/y")
		release := r.server.Hold("")
		r.place("a/late", 6)
		require.NoError(t, r.server.Relabel("a", "x", "1"))
		r.server.Expire() // the watch has not sent these two
		_, err := r.informer.SetArcs(t.Context(), held(0, 63))
		require.NoError(t, err)
		release()
		idle()
		h.take(r, "gone a/y", "add a/late", "update a/x to a/x=1")
		stop()
	})
}

// TestShardLabel finds the bucket of an object in a label. An object whose label changes comes and goes.
func TestShardLabel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Config{Arcs: held(0, 127), Key: arcs.Key{Label: "label"}}, "a/x", "a/y", "a/z")
		require.NoError(t, r.server.Relabel("a", "x", "100"))
		require.NoError(t, r.server.Relabel("a", "y", "200"))
		h := r.handler()
		stop := r.startSynced()
		idle()
		h.take(r, "initial a/x=100")
		assert.Equal(t, 1, r.server.Sent(), "any server filters by labels")
		require.NoError(t, r.server.Relabel("a", "z", "0"))
		require.NoError(t, r.server.Relabel("a", "y", "127"))
		require.NoError(t, r.server.Relabel("a", "x", "128"))
		idle()
		h.take(r, "add a/z=0", "add a/y=127", "delete a/x=100")
		_, err := r.informer.SetArcs(t.Context(), held(100, 200))
		require.NoError(t, err)
		idle()
		h.take(r, "initial a/x=128", "gone a/z=0")
		require.NoError(t, r.server.Relabel("a", "y", "150"))
		idle()
		stored, _, err := r.informer.GetStore().GetByKey("a/y")
		require.NoError(t, err)
		assert.Equal(t, "150", stored.(*corev1.ConfigMap).Labels["label"], "the arcs may be those of two sources, in any order")
		stop()
	})
}

// TestSetShardSelector uses the interface of client-go's informers, before the start and after it.
func TestSetShardSelector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Config{})
		r.place("a/x", 5)
		r.place("a/y", 200)
		low, high := arcs.Key{}.Selector(held(0, 127)), arcs.Key{}.Selector(held(128, 255))
		require.NoError(t, r.informer.SetShardSelector(low))
		h := r.handler()
		stop := r.startSynced()
		idle()
		h.take(r, "initial a/x")
		require.NoError(t, r.informer.SetShardSelector(high))
		idle()
		h.take(r, "gone a/x", "initial a/y")
		require.NoError(t, r.informer.SetShardSelector(nil))
		idle()
		h.take(r, "initial a/x")
		assert.Equal(t, metav1.ListOptions{}, r.informer.State().Selected)
		stop()
	})
}

// TestShardsWithNamespaces changes both.
func TestShardsWithNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Config{Arcs: held(0, 127), Namespaces: []string{"a", "b"}})
		r.server.Shard(always(informertest.Filters))
		for _, namespace := range []string{"a", "b", "c"} {
			r.place(namespace+"/low", 5)
			r.place(namespace+"/high", 200)
		}
		h := r.handler()
		stop := r.startSynced()
		idle()
		h.take(r, "initial a/low", "initial b/low")
		generation := r.informer.Generation("a")
		_, err := r.informer.SetNamespaces(t.Context(), "a", "c")
		require.NoError(t, err)
		idle()
		h.take(r, "gone b/low", "add c/low")
		_, err = r.informer.SetArcs(t.Context(), arcs.All)
		require.NoError(t, err)
		idle()
		h.take(r, "initial a/high", "initial c/high")
		assert.Equal(t, generation, r.informer.Generation("a"), "it is the same namespace")
		assert.Greater(t, r.informer.Generation("c"), generation)
		assert.Equal(t, r.server.Version(), r.informer.Reached("a"))
		stop()
	})
}

// TestShardsThatCannotBeListed gives up a change when its context is done.
func TestShardsThatCannotBeListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Config{Arcs: held(0, 127), WatchErrorHandler: func(context.Context, *cache.Reflector, error) {}})
		r.place("a/x", 5)
		r.place("a/y", 200)
		h := r.handler()
		stop := r.startSynced()
		idle()
		h.take(r, "initial a/x")
		r.server.Refuse("", errRefused)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		failures, err := r.informer.SetArcs(ctx, arcs.All)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, []Failure{{Err: errRefused}}, failures)
		r.server.Refuse("", nil)
		idle()
		assert.Equal(t, held(0, 127), r.informer.scope().arcs)
		assert.Empty(t, h.seen())
		stop()
	})
}

var errRefused = errors.New("refused")

// TestSameNameInAnotherShard deletes an object, and creates another one with its name in another arc, whose source is ahead.
func TestSameNameInAnotherShard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Config{Arcs: arcs.New(arcs.Bucket(0, 9), arcs.Bucket(20, 29))})
		r.server.Shard(always(informertest.Filters))
		r.place("a/x", 5)
		h := r.handler()
		stop := r.startSynced()
		idle()
		h.take(r, "initial a/x")
		r.delete("a/x")
		r.place("a/x", 25)
		idle()
		stored, exists, err := r.informer.GetStore().GetByKey("a/x")
		require.NoError(t, err)
		require.True(t, exists)
		assert.Equal(t, uidIn(25), stored.(*corev1.ConfigMap).UID)
		h.next(r, 1)
		stop()
	})
}

// TestTransformKeepsShards refuses a transform that removes what shards are made from.
func TestTransformKeepsShards(t *testing.T) {
	r := newRig(t, Config{Arcs: held(0, 127), Transform: func(obj any) (any, error) {
		o := obj.(*corev1.ConfigMap).DeepCopy()
		o.UID = ""
		return o, nil
	}, WatchErrorHandler: func(context.Context, *cache.Reflector, error) {}})
	r.place("a/x", 5)
	r.start()
	r.await("failure", func() bool { return len(r.informer.Failures()) > 0 })
	assert.ErrorContains(t, r.informer.Failures()[0].Err, "must keep what shards are made from")
}

func TestWholeSetIsNoShard(t *testing.T) {
	i := New(Config{Object: &corev1.ConfigMap{}, Arcs: arcs.New(arcs.Arc{First: 0, Last: math.MaxUint64})})
	assert.Empty(t, i.State().Shards)
}
