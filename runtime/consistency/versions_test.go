package consistency

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

func TestMerge(t *testing.T) {
	var none Versions
	assert.Equal(t, Versions{}, none.Merge(nil))
	old := Versions{"pods": "9", "secrets": "20", "nodes": "odd"}
	assert.Equal(t, Versions{"pods": "10", "secrets": "20", "nodes": "1"}, old.Merge(Versions{"pods": "10", "secrets": "3", "nodes": "1"}))
	assert.Equal(t, "9", old["pods"], "it is not changed")
}

func TestWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer(), nil)
		assert.Empty(t, r.Written())
		r.server.Hold("")
		r.wrote(t, at("b", 9), at("a", 8))
		assert.Equal(t, Versions{"configmaps": "9"}, r.Written())
		r.wrote(t, at("c", 10))
		assert.Equal(t, Versions{"configmaps": "10"}, r.Written())
		ctx, session := r.Begin(t.Context(), web)
		Deleted(ctx, at("d", 11))
		session.End()
		assert.Equal(t, Versions{"configmaps": "10"}, r.Written(), "nobody knows the version of a deletion")
		r.Stop()
		assert.Equal(t, Versions{"configmaps": "10"}, r.Written(), "the lease is released after the tracker has stopped")
	})
}

// TestWrittenLongAgo forgets what no successor would wait for.
func TestWrittenLongAgo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer(), nil)
		r.wrote(t, at("a", 9))
		time.Sleep(2 * time.Minute)
		assert.Equal(t, Versions{"configmaps": "9"}, r.Written())
		time.Sleep(time.Second)
		assert.Empty(t, r.Written())
	})
}

func TestWrittenByNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer(), []informer.Option{informer.WithNamespaces("shop", "blog")})
		r.wrote(t, r.server.Create(informertest.ConfigMap("shop", "a")), r.server.Create(informertest.ConfigMap("blog", "a")))
		assert.Equal(t, Versions{"configmaps/shop": "1", "configmaps/blog": "2"}, r.Written())
		require.NoError(t, r.factory.SetNamespaces(t.Context(), "blog"))
		assert.Equal(t, Versions{"configmaps/blog": "2"}, r.Written())
	})
}

// TestWrittenWithSelectors has informers for one resource. An informer gets no events about what it does not select.
func TestWrittenWithSelectors(t *testing.T) {
	selected := informer.WithLabels(labels.SelectorFromSet(labels.Set{"label": "in"}))
	named := informer.WithFields(fields.OneTermEqualSelector("metadata.name", "web"))
	tracker, _ := newTracked(configMapSource(), selected, named)
	Track(tracker, informer.For(informer.NewFactory(), configMapSource()))
	ctx, _ := tracker.Begin(t.Context(), web)
	object := at("web", 7)
	object.Labels = map[string]string{"label": "in"}
	Wrote(ctx, object)
	Wrote(ctx, at("other", 8))
	assert.Equal(t, Versions{"configmaps?labels=label=in?fields=metadata.name=web": "7", "configmaps": "8"}, tracker.Written())
}

// TestWrittenBeforeARestore restores the server from a backup: nobody should wait for versions from before.
func TestWrittenBeforeARestore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer(), nil)
		r.server.Advance(1_000_000)
		r.wrote(t, r.server.Create(informertest.ConfigMap("shop", "child")))
		synctest.Wait()
		assert.Equal(t, Versions{"configmaps": "1000001"}, r.Written())
		r.server.Restore(500)
		r.server.Expire()
		idle(10 * time.Second) // the informer's own back-off
		require.Equal(t, "500", r.configMaps.Reached("shop"))
		r.wrote(t, r.server.Create(informertest.ConfigMap("shop", "other")))
		assert.Equal(t, Versions{"configmaps": "501"}, r.Written())
	})
}

// TestCatchUp has a standby whose watch lags behind the last write of the leader.
func TestCatchUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer()
		leader, standby := newRig(t, server, nil), newRig(t, server, nil)
		release := server.Hold("")
		leader.wrote(t, server.Create(informertest.ConfigMap("shop", "child")))
		time.AfterFunc(300*time.Millisecond, release)
		began := time.Now()
		assert.Empty(t, standby.CatchUp(t.Context(), leader.Written()))
		assert.InDelta(t, 300*time.Millisecond, time.Since(began), float64(catchUpPeriod))
		_, err := standby.configMaps.Lister().Get("shop", "child")
		require.NoError(t, err)
		assert.Equal(t, leader.Written(), standby.Written(), "for its own successor")

		began = time.Now()
		assert.Empty(t, standby.CatchUp(t.Context(), leader.Written()))
		assert.Zero(t, time.Since(began))
		assert.Empty(t, standby.CatchUp(t.Context(), Versions{"secrets": "9", "configmaps/shop": "9", "configmaps?labels=a=b": "9"}))
		assert.Zero(t, time.Since(began), "nothing that the caches watch")
	})
}

// TestCatchUpGivesUp waits for a version that the server does not reach, as after a restore from a backup.
func TestCatchUpGivesUp(t *testing.T) {
	unreachable := Versions{"configmaps": "1000000"}
	for name, test := range map[string]struct {
		options []Option
		cancel  time.Duration
		want    time.Duration
	}{
		"by default":      {nil, time.Hour, time.Minute},
		"after a timeout": {[]Option{WithTimeout(10 * time.Second)}, time.Hour, 10 * time.Second},
		"without waiting": {[]Option{WithTimeout(0)}, time.Hour, 0},
		"with ctx":        {nil, time.Second, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, informertest.NewServer(informertest.ConfigMap("shop", "other")), nil, test.options...)
				ctx, cancel := context.WithTimeout(t.Context(), test.cancel)
				defer cancel()
				began := time.Now()
				assert.Equal(t, unreachable, r.CatchUp(ctx, unreachable))
				assert.Equal(t, test.want, time.Since(began))
				assert.Empty(t, r.Written(), "successors do not wait again")
			})
		})
	}
}

// TestCatchUpWithoutVersions has a cache without resource versions, as those of fake clientsets.
func TestCatchUpWithoutVersions(t *testing.T) {
	tracker, _ := newTracked(configMapSource())
	assert.Empty(t, tracker.CatchUp(t.Context(), Versions{"configmaps": "9"}))
}
