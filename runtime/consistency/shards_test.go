package consistency

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

// inBucket returns an object whose UID is in a bucket.
func inBucket(bucket uint8) *corev1.ConfigMap {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "0"}}
	for n := 0; informer.BucketOf(object.UID) != bucket; n++ {
		object.UID = types.UID(strconv.Itoa(n))
	}
	return object
}

// TestShards has a cache with a part of the objects. It does not wait for writes to other parts, neither of its own process nor of others,
// nor for a part that has gone since the write.
func TestShards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer()
		server.Shard(func() informertest.Sharding { return informertest.Filters })
		r := newRig(t, server, []informer.Option{informer.WithShards(informer.Arc{First: 0, Last: 127})})
		release := server.Hold("")
		written := inBucket(7)
		written.ResourceVersion = "100"
		began := time.Now()
		assert.Empty(t, r.CatchUp(t.Context(), Versions{"configmaps": "100"}))
		assert.Zero(t, time.Since(began), "whoever gets a part lists it")

		other := inBucket(200)
		other.ResourceVersion = "100"
		_, session := r.Begin(t.Context(), web)
		session.Wrote(other)
		session.End()
		assert.True(t, r.Ready(web))

		_, session = r.Begin(t.Context(), web)
		session.Wrote(written)
		session.End()
		assert.False(t, r.Ready(web))
		release()
		require.NoError(t, r.factory.SetShards(t.Context(), informer.Arc{First: 100, Last: 127}))
		assert.True(t, r.Ready(web), "nothing comes any more")
	})
}
