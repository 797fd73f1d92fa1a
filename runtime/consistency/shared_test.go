package consistency

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

// TestWatchShared watches an informer that this library made, in untyped form, and with a selection.
func TestWatchShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer(), []informer.Option{informer.WithNamespaces("shop", "blog")})
		tracker := NewTracker()
		stop, err := WatchShared[*corev1.ConfigMap](tracker, r.configMaps.Shared(), Selection{
			Resource: informertest.Resource, Labels: labels.SelectorFromSet(labels.Set{"label": "in"}),
		})
		require.NoError(t, err)
		release := r.server.Hold("shop")
		wrote := func(namespace, name, label string) {
			object := informertest.ConfigMap(namespace, name)
			object.Labels = map[string]string{"label": label}
			ctx, session := tracker.Begin(t.Context(), web)
			Wrote(ctx, r.server.Create(object))
			session.End()
		}
		wrote("bank", "a", "in")
		wrote("shop", "a", "out")
		assert.True(t, tracker.Ready(web), "the informer will not have them")
		wrote("shop", "b", "in")
		wrote("blog", "a", "in")
		synctest.Wait()
		require.Len(t, tracker.Pending(web), 1, "each namespace has its own version")

		called := make(chan time.Time, 1)
		tracker.Notify(web, func() { called <- time.Now() })
		began := time.Now()
		release()
		assert.Equal(t, began, <-called, "by the event")
		assert.True(t, tracker.Ready(web))

		stop()
		r.server.Hold("shop")
		wrote("shop", "c", "in")
		tracker.Notify(web, func() { called <- time.Now() })
		began = time.Now()
		assert.Equal(t, recheckPeriod, (<-called).Sub(began), "its handler is gone")
		tracker.Stop()
	})
}
