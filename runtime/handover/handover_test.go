package handover_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var web = cache.NewObjectName("shop", "web")

// world is what the candidates share.
type world struct {
	kube   kubernetes.Interface
	server *informertest.Server
}

func newWorld() *world {
	return &world{kubetest.NewClientset(), informertest.NewServer(informertest.ConfigMap("shop", "other"))}
}

// annotation returns the annotation of the lease.
func (w *world) annotation(t *testing.T) string {
	t.Helper()
	lease, err := w.kube.CoordinationV1().Leases("system").Get(t.Context(), "web-controller", metav1.GetOptions{})
	require.NoError(t, err)
	return lease.Annotations[handover.Annotation]
}

// candidate is a process with a controller.
type candidate struct {
	*handover.Record
	world      *world
	tracker    *consistency.Tracker
	configMaps *informer.Informer[*corev1.ConfigMap]
	elected    chan struct{}
	// end ends the process, and returns when it has ended.
	end func()
}

// join starts a process and returns when its cache has synced. A graceful one releases the lease at its end.
func (w *world) join(t *testing.T, identity string, graceful bool) *candidate {
	t.Helper()
	c := &candidate{Record: handover.New(), world: w, tracker: consistency.NewTracker(), elected: make(chan struct{})}
	factory := informer.NewFactory(informer.WithWatchErrorHandler(func(context.Context, *cache.Reflector, error) {}))
	c.configMaps = informer.For(factory, informer.Namespaced(w.server, informertest.Resource, w.server.ConfigMaps))
	consistency.Track(c.tracker, c.configMaps)
	ctx, cancel := context.WithCancel(t.Context())
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(t.Context()))
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta: metav1.ObjectMeta{Namespace: "system", Name: "web-controller"},
			Client:    c.Leases(w.kube.CoordinationV1()), LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
		},
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, ReleaseOnCancel: graceful,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { close(c.elected) }, OnStoppedLeading: func() {},
		},
	})
	require.NoError(t, err)
	var running sync.WaitGroup
	running.Go(func() { elector.Run(ctx) })
	c.end = func() {
		cancel()
		factory.Shutdown()
		running.Wait()
		c.tracker.Stop()
	}
	return c
}

// catchUp waits until the candidate is elected and has caught up.
func (c *candidate) catchUp(t *testing.T) (behind consistency.Versions, waited time.Duration) {
	t.Helper()
	<-c.elected
	began := time.Now()
	behind = c.CatchUp(t.Context(), "web", c.tracker)
	return behind, time.Since(began)
}

// reconcile creates a child with a generated name, unless the cache has one.
func (c *candidate) reconcile(t *testing.T) {
	t.Helper()
	ctx, session := c.tracker.Begin(t.Context(), web)
	defer session.End()
	if lister.Len(c.configMaps.Lister().In("shop")) == 1 { // the other object
		child := informertest.ConfigMap("shop", "child-of-version-"+c.world.server.Version())
		consistency.Wrote(ctx, c.world.server.Create(child))
	}
}

// children returns the number of children.
func (w *world) children(t *testing.T) int {
	t.Helper()
	list, err := w.server.ConfigMaps("shop").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	return len(list.Items) - 1
}

// TestHandOver has a standby whose watch lags behind the last write of the leader when it takes over. Without a record, it creates
// the child again.
func TestHandOver(t *testing.T) {
	for name, test := range map[string]struct{ graceful, record bool }{
		"released":                   {true, true},
		"released, without a record": {true, false},
		"crashed":                    {false, true},
		"crashed, without a record":  {false, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				leader := w.join(t, "leader", test.graceful)
				leader.catchUp(t)
				standby := w.join(t, "standby", true)
				release := w.server.Hold("")
				leader.reconcile(t)
				require.Equal(t, 1, w.children(t))
				if !test.graceful {
					time.Sleep(3 * time.Second) // until the next renewal
				}
				leader.end()

				<-standby.elected
				time.AfterFunc(2*time.Second, release)
				want := 2
				if test.record {
					behind, waited := standby.catchUp(t)
					assert.Empty(t, behind)
					assert.InDelta(t, 2*time.Second, waited, float64(100*time.Millisecond))
					want = 1
				}
				standby.reconcile(t)
				assert.Equal(t, want, w.children(t))
				time.Sleep(3 * time.Second)
				standby.end()
			})
		})
	}
}

// TestSuccessors hands the lease on several times. Leaders that write nothing, or do not come to it, pass on what they got.
func TestSuccessors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		leader := w.join(t, "first", true)
		behind, waited := leader.catchUp(t)
		assert.Empty(t, behind, "the lease is new")
		assert.Zero(t, waited)
		leader.reconcile(t)
		leader.end()
		const written = `{"web":{"configmaps":"2"}}`
		assert.JSONEq(t, written, w.annotation(t))

		unready := w.join(t, "second", true)
		<-unready.elected
		assert.JSONEq(t, written, w.annotation(t))
		time.Sleep(5 * time.Second)
		assert.JSONEq(t, written, w.annotation(t), "renewed before the controller has caught up")
		unready.end()
		assert.JSONEq(t, written, w.annotation(t))

		idle := w.join(t, "third", true)
		behind, _ = idle.catchUp(t)
		assert.Empty(t, behind)
		idle.end()
		assert.JSONEq(t, written, w.annotation(t))

		// The same identity again, as of a pod of a StatefulSet that was restarted before its lease expired.
		crashed := w.join(t, "fourth", false)
		crashed.catchUp(t)
		crashed.end()
		restarted := w.join(t, "fourth", true)
		behind, _ = restarted.catchUp(t)
		assert.Empty(t, behind)
		restarted.end()
		assert.JSONEq(t, written, w.annotation(t))
	})
}

// TestRestored restores the API server from a backup before a successor takes over: it waits once, for the timeout.
func TestRestored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.server.Advance(1_000_000)
		leader := w.join(t, "leader", true)
		leader.catchUp(t)
		leader.reconcile(t)
		leader.end()
		require.JSONEq(t, `{"web":{"configmaps":"1000002"}}`, w.annotation(t))
		w.server.Restore(500)

		standby := w.join(t, "standby", true)
		behind, waited := standby.catchUp(t)
		assert.Equal(t, consistency.Versions{"configmaps": "1000002"}, behind)
		assert.Equal(t, time.Minute, waited)
		standby.end()
		assert.Equal(t, "{}", w.annotation(t))
	})
}

// TestInterrupted ends a successor that waits: the next one must wait, too.
func TestInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		leader := w.join(t, "leader", true)
		leader.catchUp(t)
		standby := w.join(t, "standby", true)
		release := w.server.Hold("")
		leader.reconcile(t)
		leader.end()
		<-standby.elected
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		assert.Len(t, standby.CatchUp(ctx, "web", standby.tracker), 1)
		standby.end()
		assert.JSONEq(t, `{"web":{"configmaps":"2"}}`, w.annotation(t))
		release()
	})
}

// TestControllers has two controllers in a process, and one that the next process does not have.
func TestControllers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		leader := w.join(t, "leader", true)
		leader.catchUp(t)
		leader.CatchUp(t.Context(), "web2", leader.tracker)
		leader.reconcile(t)
		leader.end()
		const written = `{"web":{"configmaps":"2"},"web2":{"configmaps":"2"}}`
		assert.JSONEq(t, written, w.annotation(t))
		next := w.join(t, "next", true)
		next.catchUp(t)
		next.end()
		assert.JSONEq(t, written, w.annotation(t))
	})
}

// TestSeveralLeases has a process with two leases, whose previous leaders have written different things. It passes on both in each.
func TestSeveralLeases(t *testing.T) {
	kube := kubetest.NewClientset()
	for name, written := range map[string]string{
		"a": `{"web":{"configmaps":"7"},"old":{"pods":"3"}}`, "b": `{"web":{"configmaps":"5","secrets":"9"}}`,
	} {
		_, err := kube.CoordinationV1().Leases("system").Create(t.Context(), &coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{handover.Annotation: written}},
		}, metav1.CreateOptions{})
		require.NoError(t, err)
	}
	record := handover.New()
	hold := func(name, holder string) error {
		client := record.Leases(kube.CoordinationV1()).Leases("system")
		for range 2 { // to acquire, and to renew
			lease, err := client.Get(t.Context(), name, metav1.GetOptions{})
			require.NoError(t, err)
			lease.Spec.HolderIdentity = &holder
			if _, err := client.Update(t.Context(), lease, metav1.UpdateOptions{}); err != nil {
				return err
			}
		}
		return nil
	}
	require.NoError(t, hold("a", "we"))
	require.NoError(t, hold("b", "we"))
	lease, err := kube.CoordinationV1().Leases("system").Get(t.Context(), "b", metav1.GetOptions{})
	require.NoError(t, err)
	assert.JSONEq(t, `{"web":{"configmaps":"7","secrets":"9"},"old":{"pods":"3"}}`, lease.Annotations[handover.Annotation])
}

// TestForeignLeaseIsNotReleased has a process that was frozen until another one got its lease. At its end, it must not take the lease from
// that.
func TestForeignLeaseIsNotReleased(t *testing.T) {
	kube := kubetest.NewClientset()
	client := handover.New().Leases(kube.CoordinationV1()).Leases("system")
	holder := func(identity string) *coordinationv1.Lease {
		return &coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "system"}, Spec: coordinationv1.LeaseSpec{HolderIdentity: &identity},
		}
	}
	_, err := client.Create(t.Context(), holder("we"), metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = kube.CoordinationV1().Leases("system").Update(t.Context(), holder("they"), metav1.UpdateOptions{})
	require.NoError(t, err)
	_, err = client.Get(t.Context(), "a", metav1.GetOptions{}) // as client-go does before a release
	require.NoError(t, err)
	_, err = client.Update(t.Context(), holder(""), metav1.UpdateOptions{})
	assert.EqualError(t, err, `lease system/a is not released: its holder is "they"`)
}

// TestInvalidAnnotation has an annotation that somebody has changed.
func TestInvalidAnnotation(t *testing.T) {
	for _, value := range []string{"", "[]", `{"web":{"configmaps":7}}`, `{"web":null}`, "null"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			_, err := w.kube.CoordinationV1().Leases("system").Create(t.Context(), &coordinationv1.Lease{
				ObjectMeta: metav1.ObjectMeta{Name: "web-controller", Annotations: map[string]string{
					handover.Annotation: value, "other": "kept",
				}},
			}, metav1.CreateOptions{})
			require.NoError(t, err)
			c := w.join(t, "leader", true)
			behind, waited := c.catchUp(t)
			assert.Empty(t, behind)
			assert.Zero(t, waited)
			c.reconcile(t)
			c.end()
			assert.JSONEq(t, `{"web":{"configmaps":"2"}}`, w.annotation(t), value)
			lease, err := w.kube.CoordinationV1().Leases("system").Get(t.Context(), "web-controller", metav1.GetOptions{})
			require.NoError(t, err)
			assert.Equal(t, "kept", lease.Annotations["other"])
		})
	}
}
