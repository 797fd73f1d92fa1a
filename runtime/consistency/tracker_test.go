package consistency

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

// TestReady holds the events of watches back after a write.
func TestReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var released []Release
		r := newRig(t, informertest.NewServer(), nil, WithReleased(func(r Release) { released = append(released, r) }))
		assert.True(t, r.Ready(web), "nothing was written")

		release := r.server.Hold("")
		created := r.server.Create(informertest.ConfigMap("shop", "child"))
		r.wrote(t, created)
		require.Len(t, r.Pending(web), 1)
		assert.Equal(t, "configmaps shop/child at resource version 1", r.Pending(web)[0].String())
		assert.False(t, r.Ready(web))
		assert.True(t, r.Ready(cache.NewObjectName("shop", "db")), "others do not wait")
		r.notify()
		assert.Zero(t, r.notified.Load())

		idle(300 * time.Millisecond)
		release()
		synctest.Wait()
		assert.EqualValues(t, 1, r.notified.Load(), "by the event")
		assert.True(t, r.Ready(web))
		assert.Equal(t, []Release{{Item: web, Waited: 300 * time.Millisecond, Pending: []Write{}}}, released)
		assert.Zero(t, r.waiting.Len())
		assert.Zero(t, r.count.Load())
		idle(time.Hour)
		assert.EqualValues(t, 1, r.notified.Load(), "no recheck is left")
	})
}

// TestNotify has the cases in which there is no event about the object that was written.
func TestNotify(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer(), nil)
		r.notify()
		assert.EqualValues(t, 1, r.notified.Load(), "at once, because nothing is pending")

		release := r.server.Hold("")
		r.wrote(t, r.server.Create(informertest.ConfigMap("shop", "child")))
		r.Notify(web, func() { t.Error("it is replaced") })
		r.notify()
		idle(recheckPeriod)
		assert.EqualValues(t, 2, r.notified.Load(), "after a while")
		idle(time.Minute)
		assert.EqualValues(t, 2, r.notified.Load(), "once")

		release()
		synctest.Wait()
		r.notify()
		assert.EqualValues(t, 3, r.notified.Load(), "at once, because the event came before")

		r.server.Hold("")
		r.wrote(t, r.server.Create(informertest.ConfigMap("shop", "other")))
		r.notify()
		r.Forget(web)
		assert.EqualValues(t, 4, r.notified.Load())
		assert.True(t, r.Ready(web))

		r.wrote(t, r.server.Create(informertest.ConfigMap("shop", "another")))
		r.notify()
		r.Stop()
		idle(time.Minute)
		assert.EqualValues(t, 4, r.notified.Load(), "it is stopped")
	})
}

// withoutDelays is a clock that cannot call functions.
type withoutDelays struct{ clock.WithTicker }

// TestClock steps a clock: both the recheck and the timeout follow it, and no time passes by the real clock.
func TestClock(t *testing.T) {
	for name, wrap := range map[string]func(clock.WithTicker) clock.WithTicker{
		"with AfterFunc":    func(c clock.WithTicker) clock.WithTicker { return c },
		"without AfterFunc": func(c clock.WithTicker) clock.WithTicker { return withoutDelays{c} },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, fake := time.Now(), clocktesting.NewFakeClock(time.Now())
				var released []Release
				r := newRig(t, informertest.NewServer(), nil, WithClock(wrap(fake)), WithTimeout(90*recheckPeriod/60),
					WithReleased(func(r Release) { released = append(released, r) }))
				r.server.Hold("")
				r.wrote(t, r.server.Create(informertest.ConfigMap("shop", "child")))
				require.False(t, r.Ready(web))
				r.notify()
				fake.Step(recheckPeriod - time.Millisecond)
				synctest.Wait()
				assert.Zero(t, r.notified.Load())
				fake.Step(time.Millisecond)
				synctest.Wait()
				assert.EqualValues(t, 1, r.notified.Load())

				require.False(t, r.Ready(web))
				r.notify()
				fake.Step(recheckPeriod / 2)
				synctest.Wait()
				assert.EqualValues(t, 2, r.notified.Load(), "at the timeout, although a second has not passed")
				assert.True(t, r.Ready(web))
				require.Len(t, released, 1)
				assert.Equal(t, 90*recheckPeriod/60, released[0].Waited)
				assert.Len(t, released[0].Pending, 1)
				assert.Equal(t, began, time.Now())
			})
		})
	}
}

func TestWithoutTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer(), nil, WithTimeout(0))
		r.server.Hold("")
		r.wrote(t, r.server.Create(informertest.ConfigMap("shop", "child")))
		assert.True(t, r.Ready(web), "items never wait")
	})
}

func TestWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer(), nil)
		require.NoError(t, r.WaitFor(t.Context(), web))
		release := r.server.Hold("")
		r.wrote(t, r.server.Create(informertest.ConfigMap("shop", "child")))

		cause := errors.New("out of patience")
		ctx, cancel := context.WithTimeoutCause(t.Context(), 10*time.Second, cause)
		defer cancel()
		err := r.WaitFor(ctx, web)
		require.ErrorIs(t, err, cause)
		assert.EqualError(t, err, "waiting for the caches to have configmaps shop/child at resource version 1: out of patience")

		time.AfterFunc(100*time.Millisecond, release)
		began := time.Now()
		require.NoError(t, r.WaitFor(t.Context(), web))
		assert.Equal(t, 100*time.Millisecond, time.Since(began))
	})
}

// TestRelist breaks a watch after a write. The list is in the order of names, not of versions: the first object that handlers see
// has a higher version than the write, which comes last.
func TestRelist(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer(informertest.ConfigMap("shop", "aaa")), nil)
		r.server.Hold("")
		child := r.server.Create(informertest.ConfigMap("shop", "zchild"))
		tracker := NewTracker()
		c := Track(tracker, r.configMaps)
		ctx, session := tracker.Begin(t.Context(), web)
		Wrote(ctx, child)
		session.End()
		require.False(t, tracker.Ready(web))
		r.server.Advance(1000)
		r.server.Label("shop", "aaa", "later")

		ready := 0
		seen := func(object *corev1.ConfigMap) { // any event may be the one after which the item is reconciled
			c.Seen(cache.MetaObjectToName(object))
			if tracker.Ready(web) {
				ready++
				_, err := r.configMaps.Lister().Get("shop", "zchild")
				assert.NoError(t, err, "it is ready only if the cache has the object")
			}
		}
		_, err := r.configMaps.AddHandler(informer.HandlerFuncs[*corev1.ConfigMap]{
			Added: func(object *corev1.ConfigMap, initial bool) {
				if !initial {
					seen(object)
				}
			},
			Updated: func(_, after *corev1.ConfigMap) { seen(after) },
		})
		require.NoError(t, err)
		r.server.Expire()
		idle(time.Minute)
		assert.Positive(t, ready)
	})
}

// TestRestore restores the server from a backup: versions go back. Versions of events from before must not count.
func TestRestore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer(informertest.ConfigMap("shop", "other")), nil)
		r.server.Advance(1_000_000)
		r.server.Label("shop", "other", "later")
		synctest.Wait()
		r.wrote(t, at("child", 1000))
		require.True(t, r.Ready(web), "the cache has reached a million")

		r.server.Restore(500)
		r.server.Expire()
		idle(10 * time.Second) // the informer's own back-off
		require.Equal(t, "500", r.configMaps.Reached("shop"))
		release := r.server.Hold("")
		r.wrote(t, r.server.Create(informertest.ConfigMap("shop", "child")))
		assert.False(t, r.Ready(web))
		release()
		synctest.Wait()
		assert.True(t, r.Ready(web))
	})
}

// TestNamespaces has one namespace lag behind the other, and drops it.
func TestNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer(), []informer.Option{informer.WithNamespaces("shop", "blog")})
		r.wrote(t, r.server.Create(informertest.ConfigMap("bank", "vault")))
		require.True(t, r.Ready(web), "nobody watches the namespace")

		r.server.Hold("shop")
		r.wrote(t, r.server.Create(informertest.ConfigMap("shop", "child")))
		r.server.Create(informertest.ConfigMap("blog", "post"))
		synctest.Wait()
		require.Equal(t, "3", r.configMaps.Reached("blog"))
		assert.False(t, r.Ready(web), "the other namespace does not count")

		require.NoError(t, r.factory.SetNamespaces(t.Context(), "blog", "bank"))
		assert.True(t, r.Ready(web), "nobody watches the namespace any more")
		r.server.Hold("bank")
		r.wrote(t, r.server.Create(informertest.ConfigMap("bank", "safe")))
		assert.False(t, r.Ready(web), "it is watched now")
	})
}

// TestSelectors writes objects that the informer does not select: no event will come about them.
func TestSelectors(t *testing.T) {
	for name, test := range map[string]struct {
		options informer.Option
		left    map[string]string
		leaves  string
	}{
		"labels": {informer.WithLabels(labels.SelectorFromSet(labels.Set{"label": "in"})), map[string]string{"label": "out"}, "other"},
		"fields": {informer.WithFields(fields.OneTermNotEqualSelector("metadata.name", "other")), map[string]string{"label": "in"}, "other"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, informertest.NewServer(), []informer.Option{test.options})
				r.server.Hold("")
				object := informertest.ConfigMap("shop", test.leaves)
				object.Labels = test.left
				r.wrote(t, r.server.Create(object))
				assert.True(t, r.Ready(web))
				selected := informertest.ConfigMap("shop", "child")
				selected.Labels = map[string]string{"label": "in"}
				r.wrote(t, r.server.Create(selected))
				assert.False(t, r.Ready(web))
			})
		})
	}
}

// TestSelectorLeavesObject writes an object so that the selector no longer matches: the cache has it until the event arrives.
func TestSelectorLeavesObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		object := informertest.ConfigMap("shop", "child")
		object.Labels = map[string]string{"label": "in"}
		r := newRig(t, informertest.NewServer(object), []informer.Option{informer.WithLabels(labels.SelectorFromSet(labels.Set{"label": "in"}))})
		release := r.server.Hold("")
		r.wrote(t, r.server.Label("shop", "child", "out"))
		assert.False(t, r.Ready(web))
		release()
		r.server.Expire() // this server does not turn the change into a deletion; a list leaves the object out
		idle(10 * time.Second)
		assert.True(t, r.Ready(web))
	})
}
