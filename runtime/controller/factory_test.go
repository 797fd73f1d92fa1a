package controller

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned"
)

func regionSource(client versioned.Interface) informer.Source[*fleetv1.Region] {
	return informer.Cluster(client, fleetv1.SchemeGroupVersion.WithResource("regions"), client.FleetV1().Regions())
}

// TestControllerWaitsForAllOfItsFactory reads a kind that the controller does not own, through its own factory.
func TestControllerWaitsForAllOfItsFactory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, metrics := &steps{}, &tally{}
		r := newRig(t, s, []Option{WithSyncTimeout(time.Hour), WithMetrics(metrics)}, held("web"))
		require.NoError(t, r.client.Tracker().Add(&fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}))
		var ready atomic.Bool
		r.client.PrependReactor("list", "regions", func(clienttesting.Action) (bool, runtime.Object, error) {
			return !ready.Load(), nil, errors.New("not yet")
		})
		regions := informer.For(r.controller.Factory(), regionSource(r.client)).Lister()
		s.reconcile = func(context.Context, *fleetv1.Workload) (Result, error) {
			_, err := regions.Get("", "north")
			return Result{}, err
		}
		r.run(t)
		idle(time.Minute)
		assert.False(t, r.controller.HasSynced())
		assert.Empty(t, r.take())
		ready.Store(true)
		idle(time.Minute)
		assert.Equal(t, []string{"reconcile web"}, r.take())
		assert.Equal(t, []string{"workloads.fleet.example.com success 0s"}, metrics.take(), "the region is known")
		assert.NoError(t, r.end())
	})
}

// TestControllerReportsOtherUnsyncedCaches cannot list a kind that the controller does not own.
func TestControllerReportsOtherUnsyncedCaches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &steps{}, []Option{WithSyncTimeout(time.Minute)})
		broken := errors.New("out of order")
		r.client.PrependReactor("list", "regions", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, broken })
		informer.For(r.controller.Factory(), regionSource(r.client))
		r.run(t)
		err := <-r.done
		require.ErrorIs(t, err, broken)
		assert.ErrorContains(t, err, "controller workloads.fleet.example.com: informers have not synced after 1m0s: ")
		assert.ErrorContains(t, err, "regions.fleet.example.com: out of order")
	})
}

// TestControllerEndsThoughOthersRunItsFactory starts the controller's factory with a context that outlives Run.
func TestControllerEndsThoughOthersRunItsFactory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &steps{}, nil, held("web"))
		regions := informer.For(r.controller.Factory(), regionSource(r.client))
		forever := context.WithoutCancel(t.Context())
		r.controller.Factory().StartWithContext(forever)
		release, err := regions.Acquire(forever)
		require.NoError(t, err)
		require.NoError(t, r.controller.Factory().WaitForSync(t.Context()))
		r.run(t)
		assert.Equal(t, []string{"reconcile web"}, r.take())
		assert.NoError(t, r.end(), "Run ends, and everything that runs in the factory with it")
		assert.False(t, regions.Describe().Running)
		release()
	})
}

// TestControllerOnASharedFactory neither waits for the informers of others, nor stops them.
func TestControllerOnASharedFactory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		factory := informer.NewFactory()
		r := newRig(t, &steps{}, []Option{WithFactory(factory)}, held("web"))
		r.client.PrependReactor("list", "regions", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, errors.New("never")
		})
		regions := informer.For(factory, regionSource(r.client))
		release, err := regions.Acquire(t.Context())
		require.NoError(t, err)
		r.run(t)
		assert.Equal(t, []string{"reconcile web"}, r.take(), "nobody has to start the factory")
		assert.True(t, r.controller.Informer().Describe().Running)
		require.NoError(t, r.end())
		synctest.Wait()
		assert.False(t, r.controller.Informer().Describe().Running, "nobody needs it any more")
		assert.True(t, regions.Describe().Running)
		release()
		factory.Shutdown()
	})
}

// TestControllersOnOneFactoryOfTheirOwn runs two controllers on the factory of one of them. The last one shuts it down.
func TestControllersOnOneFactoryOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := newRig(t, &steps{}, nil, held("web"))
		second := newRig(t, &steps{}, []Option{WithFactory(first.controller.Factory()), WithName("second")})
		first.run(t)
		second.run(t)
		assert.Equal(t, []string{"reconcile web"}, second.take())
		require.NoError(t, first.end())
		first.create(t, held("db"))
		assert.Equal(t, []string{"reconcile db"}, second.take(), "the informers go on")
		require.NoError(t, second.end())
		_, err := second.controller.Informer().Acquire(t.Context())
		assert.ErrorContains(t, err, "shut down")
	})
}

// TestControllerOnAFactoryThatIsShutDown cannot run.
func TestControllerOnAFactoryThatIsShutDown(t *testing.T) {
	factory := informer.NewFactory()
	r := newRig(t, &steps{}, []Option{WithFactory(factory)})
	factory.Shutdown()
	assert.EqualError(t, r.controller.Run(t.Context()), "controller workloads.fleet.example.com: the factory is shut down")
}

// TestControllerFollowsNamespaces changes the namespaces of the factory while the controller runs.
func TestControllerFollowsNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		blog := held("post")
		blog.Namespace = "blog"
		var metrics tally
		r := newRig(t, &steps{}, []Option{WithInformers(informer.WithNamespaces("shop")), WithMetrics(&metrics)}, held("web"), blog)
		r.run(t)
		assert.Equal(t, []string{"reconcile web"}, r.take())
		r.controller.Enqueue(cache.NewObjectName("blog", "post"))
		assert.Empty(t, r.take(), "nobody knows whether it exists")

		require.NoError(t, r.controller.Factory().SetNamespaces(t.Context(), "shop", "blog"))
		idle(time.Second) // some caches may have the namespace later than others
		assert.Equal(t, []string{"reconcile post"}, r.take())
		r.delete(t, blog)
		assert.Equal(t, []string{"deleted blog/post"}, r.take())
		metrics.take()

		require.NoError(t, r.controller.Factory().SetNamespaces(t.Context(), "blog"))
		idle(time.Hour)
		assert.Empty(t, r.take(), "what is out of sight is not deleted")
		assert.Equal(t, []string{"workloads.fleet.example.com success 0s"}, metrics.take(), "and not retried")
	})
}

// TestKnownObjectsInUnwatchedNamespaces knows an object of a namespace that is not watched.
func TestKnownObjectsInUnwatchedNamespaces(t *testing.T) {
	known := WithKnown(func(context.Context) ([]cache.ObjectName, error) {
		return []cache.ObjectName{cache.NewObjectName("blog", "gone"), cache.NewObjectName("shop", "gone")}, nil
	})
	bubble(t, &steps{}, []Option{known, WithInformers(informer.WithNamespaces("shop"))}, func(t *testing.T, r *rig) {
		assert.Equal(t, []string{"deleted shop/gone"}, r.take())
	})
}
