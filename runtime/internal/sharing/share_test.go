package sharing

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
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const drain = 30 * time.Second

// rig is a share with an informer, and an object in each of the buckets 0, 10, 20 and 30.
type rig struct {
	*Share

	t       *testing.T
	server  *informertest.Server
	objects *informer.Informer[*corev1.ConfigMap]
	queued  []string
	failed  error
	// opening is called before buckets open.
	opening func()
}

func run(t *testing.T, test func(r *rig)) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer()
		server.Shard(func() informertest.Sharding { return informertest.Filters })
		share := New("robots", nil, informer.WithWatchErrorHandler(func(context.Context, *cache.Reflector, error) {}))
		r := &rig{Share: share, t: t, server: server, opening: func() {}}
		for _, bucket := range []uint8{0, 10, 20, 30} {
			server.Create(object(bucket))
		}
		r.objects = informer.For(share.Factory(), informer.Namespaced(server, informertest.Resource, server.ConfigMaps))
		share.Use(User{
			Drain:   drain,
			Enqueue: func(name cache.ObjectName, _ bool) { r.queued = append(r.queued, name.Name) },
			Opened:  func(context.Context, Has) { r.opening() },
		})
		ctx, cancel := context.WithCancel(t.Context())
		defer share.Factory().Shutdown()
		defer cancel()
		share.Factory().StartWithContext(ctx)
		synctest.Wait() // for the lists, which are empty
		share.Begin(func(err error) { r.failed = err })
		defer share.End(context.Canceled)
		test(r)
	})
}

// object returns an object in a bucket.
func object(bucket uint8) *corev1.ConfigMap {
	one := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: nameOf(bucket).Name, UID: uidOf(bucket)}}
	return one
}

func nameOf(bucket uint8) cache.ObjectName {
	return cache.NewObjectName("a", fmt.Sprintf("in-%03d", bucket))
}

func uidOf(bucket uint8) types.UID {
	for n := 0; ; n++ {
		if uid := types.UID(strconv.Itoa(n)); informer.BucketOf(uid) == bucket {
			return uid
		}
	}
}

// only is a set of some buckets.
func only(buckets ...int) Has {
	return func(bucket int) bool { return slices.Contains(buckets, bucket) }
}

// listed opens buckets, and waits until they are listed.
func (r *rig) listed(buckets ...int) {
	done := make(chan struct{})
	r.Open(only(buckets...), func(Has) { close(done) })
	<-done
}

// enter tries to reconcile the object of a bucket.
func (r *rig) enter(bucket uint8) (context.Context, *Entry) {
	ctx, entry, _ := r.Enter(context.Background(), nameOf(bucket), uidOf(bucket), true)
	return ctx, entry
}

// gone tries to report the deletion of an object.
func (r *rig) gone(name cache.ObjectName) *Entry {
	_, entry, _ := r.Enter(context.Background(), name, "", true)
	return entry
}

// TestOpen lists buckets, and lets their objects be reconciled afterwards.
func TestOpen(t *testing.T) {
	run(t, func(r *rig) {
		_, entry := r.enter(10)
		assert.Nil(t, entry, "another replica has it")
		assert.False(t, r.Holds(uidOf(10)))
		r.opening = func() {
			assert.Equal(t, []string{"a/in-000", "a/in-010"}, slices.Sorted(slices.Values(r.objects.Indexer().ListKeys())))
			_, entry := r.enter(10)
			assert.Nil(t, entry, "caches may lag behind")
			assert.True(t, r.Holds(uidOf(10)))
			assert.Empty(t, r.queued)
		}
		var has Has
		r.Open(only(0, 10), func(opened Has) { has = opened })
		synctest.Wait()
		assert.True(t, has(0) && has(10) && !has(20))
		assert.Equal(t, []string{"in-010"}, r.queued)
		ctx, entry := r.enter(10)
		require.NotNil(t, entry)
		assert.Equal(t, uidOf(10), entry.UID)
		require.NoError(t, ctx.Err())
		entry.Leave()
	})
}

// TestClose waits for reconciles of a bucket, and drops its objects from the caches. A bucket that opens again is listed anew.
func TestClose(t *testing.T) {
	run(t, func(r *rig) {
		r.listed(0, 10, 20)
		ctx, entry := r.enter(10)
		_, other := r.enter(20)
		closed := false
		r.Close(only(0, 10), func() { closed = true })
		synctest.Wait()
		_, refused := r.enter(10)
		assert.Nil(t, refused)
		assert.False(t, r.Holds(uidOf(10)))
		assert.False(t, closed)
		time.Sleep(drain - time.Second)
		require.NoError(t, ctx.Err())
		entry.Leave()
		assert.True(t, closed, "the reconcile of bucket 20 goes on")
		synctest.Wait()
		assert.Equal(t, []string{"a/in-020"}, r.objects.Indexer().ListKeys())
		added := 0
		_, err := r.objects.AddHandler(informer.HandlerFuncs[*corev1.ConfigMap]{Added: func(*corev1.ConfigMap, bool) { added++ }})
		require.NoError(t, err)
		synctest.Wait()
		assert.Equal(t, 1, added)
		r.listed(10)
		r.Close(only(10), func() {})
		r.listed(10)
		synctest.Wait()
		assert.Equal(t, 3, added, "an object of bucket 10 was added, dropped, and added")
		other.Leave()
		assert.NoError(t, r.failed)
	})
}

// TestDrainTimeout cancels what does not end, refuses its writes, and ends the process if that does not help.
func TestDrainTimeout(t *testing.T) {
	run(t, func(r *rig) {
		r.listed(0, 10)
		ctx, entry := r.enter(10)
		_, other := r.enter(0)
		closed := false
		r.Close(only(10), func() { closed = true })
		assert.False(t, Refused(ctx))
		time.Sleep(drain)
		synctest.Wait()
		require.ErrorIs(t, context.Cause(ctx), ErrHandedOver)
		assert.True(t, Refused(context.WithoutCancel(ctx)))
		time.Sleep(grace)
		synctest.Wait()
		assert.EqualError(t, r.failed, "controller robots: the reconcile of a/in-010 has not returned 10s after it was canceled: another "+
			"replica waits for it")
		assert.False(t, closed)
		entry.Leave()
		assert.True(t, closed)
		other.Leave()
	})
}

// TestEnd ends a membership: everything is canceled at once, and a new one begins with nothing.
func TestEnd(t *testing.T) {
	run(t, func(r *rig) {
		r.listed(0, 10)
		r.enter(20)
		ctx, entry := r.enter(10)
		r.Deleted(nameOf(0), uidOf(0))
		lost := context.DeadlineExceeded
		r.End(lost)
		require.ErrorIs(t, context.Cause(ctx), lost)
		entry.Leave()
		_, refused := r.enter(0)
		assert.Nil(t, refused)
		r.End(lost) // for a second time it does nothing
		r.Begin(func(error) {})
		synctest.Wait()
		assert.Empty(t, r.objects.Indexer().ListKeys())
		r.listed(0)
		gone := r.gone(nameOf(0))
		assert.Nil(t, gone)
		assert.Equal(t, []string{"a/in-000"}, r.objects.Indexer().ListKeys())
	})
}

// TestEndWhileListing ends a membership while the API server does not answer.
func TestEndWhileListing(t *testing.T) {
	run(t, func(r *rig) {
		synctest.Wait()
		r.server.Refuse("", context.DeadlineExceeded)
		opened := false
		r.Open(only(0), func(Has) { opened = true })
		time.Sleep(time.Minute)
		closed := false
		r.Close(only(0), func() { closed = true })
		assert.True(t, closed, "nothing has begun")
		r.End(context.Canceled)
		assert.False(t, opened)
	})
}

// TestGone reports deletions of open buckets, and names of earlier runs by the bucket of the name.
func TestGone(t *testing.T) {
	run(t, func(r *rig) {
		r.listed(0, 10)
		assert.False(t, r.Deleted(nameOf(20), uidOf(20)), "its bucket is not here")
		entry := r.gone(nameOf(20))
		assert.Nil(t, entry)
		assert.True(t, r.Deleted(nameOf(10), uidOf(10)))
		for range 2 { // until it is reported
			entry = r.gone(nameOf(10))
			require.NotNil(t, entry)
			assert.Empty(t, entry.UID)
			entry.Leave()
		}
		entry = r.gone(nameOf(10))
		entry.Reported()
		entry.Leave()
		entry = r.gone(nameOf(10))
		assert.Nil(t, entry)

		known := cache.NewObjectName("a", "known")
		assert.Equal(t, bucketOfName(known) == 0 || bucketOfName(known) == 10, r.Lost(known))
		r.listed(bucketOfName(known))
		assert.True(t, r.Lost(known))
		entry = r.gone(known)
		require.NotNil(t, entry)
		entry.Leave()
		r.Close(only(bucketOfName(known)), func() {})
		entry = r.gone(known)
		assert.Nil(t, entry)

		assert.True(t, r.Deleted(nameOf(10), uidOf(10)))
		_, entry = r.enter(10) // a new object has the name
		require.NotNil(t, entry)
		entry.Leave()
		entry = r.gone(nameOf(10))
		assert.Nil(t, entry)
	})
}

// TestDescribe says who serves an object, and counts buckets.
func TestDescribe(t *testing.T) {
	run(t, func(r *rig) {
		counts := func() []int {
			opened, moving := r.Count()
			return []int{opened, moving}
		}
		assert.Equal(t, "Another replica serves its bucket, 10.", r.Describe(uidOf(10)))
		r.opening = func() {
			assert.Equal(t, "This replica has taken over its bucket, 10, at 00:00:00, and waits for caches.", r.Describe(uidOf(10)))
			assert.Equal(t, []int{0, 2}, counts())
		}
		r.listed(0, 10)
		assert.Equal(t, "This replica has served its bucket, 10, since 00:00:00.", r.Describe(uidOf(10)))
		assert.Equal(t, []int{2, 0}, counts())
		_, entry := r.enter(10)
		r.Close(only(10), func() {})
		assert.Equal(t, "This replica hands over its bucket, 10, since 00:00:00, and finishes reconciles.", r.Describe(uidOf(10)))
		assert.Equal(t, []int{1, 1}, counts())
		entry.Leave()
		assert.Contains(t, r.Describe(""), "another one does, or it does not exist")
		var everything *Share
		assert.Empty(t, everything.Describe(uidOf(10)))
	})
}
