package controller

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned"
)

func TestControllerPipeline(t *testing.T) {
	bubble(t, &steps{}, nil, func(t *testing.T, r *rig) {
		assert.Equal(t, []string{"reconcile web"}, r.take(), "the initial list")
		assert.True(t, r.controller.HasSynced())
		r.create(t, held("db"))
		assert.Equal(t, []string{"reconcile db"}, r.take())
		changed := held("db")
		changed.Spec.Paused = true
		r.update(t, changed)
		assert.Equal(t, []string{"reconcile db"}, r.take())
		r.delete(t, changed)
		assert.Equal(t, []string{"deleted shop/db"}, r.take())
		r.controller.Enqueue(cache.NewObjectName("shop", "web"))
		assert.Equal(t, []string{"reconcile web"}, r.take(), "for a reason from outside")

		require.NoError(t, r.end())
		assert.False(t, r.controller.HasSynced())
		assert.ErrorContains(t, r.controller.Run(t.Context()), "already started")
	}, held("web"))
}

func TestControllerCacheIsReadOnly(t *testing.T) {
	seen := make(chan *fleetv1.Workload, 2)
	s := &steps{reconcile: func(_ context.Context, object *fleetv1.Workload) (Result, error) {
		seen <- object.DeepCopy()
		object.Spec.Template.Image = "changed"
		object.Finalizers[0] = "changed"
		return Result{}, nil
	}}
	bubble(t, s, nil, func(t *testing.T, r *rig) {
		r.controller.Enqueue(cache.NewObjectName("shop", "web"))
		first, second := <-seen, <-seen
		assert.Equal(t, first, second, "what a reconcile does to its object stays with it")
	}, held("web"))
}

// TestControllerTombstone misses a deletion while the watch is broken.
func TestControllerTombstone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &steps{}, nil, held("web"))
		broken := watch.NewRaceFreeFake()
		watches := 0
		r.client.PrependWatchReactor("workloads", func(clienttesting.Action) (bool, watch.Interface, error) {
			watches++
			return watches == 1, broken, nil
		})
		r.run(t)
		assert.Equal(t, []string{"reconcile web"}, r.take())
		r.delete(t, held("web"))
		assert.Empty(t, r.take())
		broken.Error(&apierrors.NewResourceExpired("start over").ErrStatus)
		idle(time.Minute) // in the bubble: the informer's own back-off
		assert.Equal(t, []string{"deleted shop/web"}, r.take())
	})
}

// TestControllerWaitsForHandlers holds back the objects that are owned. Nothing is reconciled before they are known.
func TestControllerWaitsForHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &steps{}, nil, held("web"))
		var ready atomic.Bool
		r.kube.PrependReactor("list", "deployments", func(clienttesting.Action) (bool, runtime.Object, error) {
			return !ready.Load(), nil, errors.New("not yet")
		})
		r.run(t)
		idle(time.Minute)
		assert.Empty(t, r.take())
		assert.False(t, r.controller.HasSynced())
		ready.Store(true)
		idle(time.Minute) // for the informer's own back-off
		assert.Equal(t, []string{"reconcile web"}, r.take())
		assert.True(t, r.controller.HasSynced())
	})
}

func TestControllerSaysWhyItCannotSync(t *testing.T) {
	resource := schema.GroupResource{Group: "fleet.example.com", Resource: "workloads"}
	for name, test := range map[string]struct {
		err  error
		want []string
	}{
		"forbidden": {apierrors.NewForbidden(resource, "", errors.New("no role")), []string{"workloads.fleet.example.com: forbidden: ", "no role"}},
		"no CRD":    {apierrors.NewNotFound(resource, ""), []string{"workloads.fleet.example.com: not served: ", "is the CustomResourceDefinition installed?"}},
		"other":     {errors.New("out of order"), []string{"workloads.fleet.example.com: out of order"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, &steps{}, []Option{WithSyncTimeout(time.Minute)})
				r.client.PrependReactor("list", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, test.err })
				started := time.Now()
				r.run(t)
				err := <-r.done
				assert.Equal(t, time.Minute, time.Since(started), "the definition may be installed, or the role granted, in the meantime")
				require.ErrorIs(t, err, test.err)
				assert.ErrorContains(t, err, "controller workloads.fleet.example.com: informers have not synced after 1m0s")
				for _, want := range test.want {
					assert.ErrorContains(t, err, want)
				}
				assert.NotContains(t, err.Error(), "deployments", "they are known")
			})
		})
	}
}

// TestControllerWaitsForADefinition installs the definition of the resource a little later.
func TestControllerWaitsForADefinition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &steps{}, nil, held("web"))
		var installed atomic.Bool
		r.client.PrependReactor("list", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) {
			return !installed.Load(), nil, apierrors.NewNotFound(fleetv1.Resource("workloads"), "")
		})
		r.run(t)
		idle(30 * time.Second)
		installed.Store(true)
		idle(time.Minute) // the informer's own back-off
		assert.Equal(t, []string{"reconcile web"}, r.take())
	})
}

func TestControllerWithoutConnection(t *testing.T) {
	refuse := rest.Config{Host: "http://api.example.com", Transport: roundTripper(func(*http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	})}
	synctest.Test(t, func(t *testing.T) {
		client, err := versioned.NewForConfig(&refuse)
		require.NoError(t, err)
		controller, err := newWorkloadController(client, kubefake.NewSimpleClientset(), &steps{}, WithSyncTimeout(time.Minute))
		require.NoError(t, err)
		err = controller.Run(t.Context())
		assert.ErrorContains(t, err, "workloads.fleet.example.com: ")
		assert.ErrorContains(t, err, "connection refused")
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestControllerEndsWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &steps{}, []Option{WithSyncTimeout(0)})
		r.client.PrependReactor("list", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, errors.New("never")
		})
		r.run(t)
		idle(time.Hour)
		assert.Empty(t, r.done, "without a limit it waits")
		assert.NoError(t, r.end())
	})
}

// TestControllerRecreateWhileBusy replaces an object while its reconcile is in progress. It is seen as changed, as
// docs/controllers.md says.
func TestControllerRecreateWhileBusy(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	s := &steps{}
	s.reconcile = func(_ context.Context, object *fleetv1.Workload) (Result, error) {
		s.note("uid %s", object.UID)
		if object.UID == held("web").UID {
			close(begun)
			<-finish
		}
		return Result{}, nil
	}
	synctest.Test(t, func(t *testing.T) {
		begun, finish = make(chan struct{}), make(chan struct{})
		r := newRig(t, s, nil, held("web")).run(t)
		<-begun
		r.delete(t, held("web"))
		successor := held("web")
		successor.UID = "uid-of-the-successor"
		r.create(t, successor)
		synctest.Wait()
		close(finish)
		assert.Equal(t, []string{"reconcile web", "uid uid-of-web", "reconcile web", "uid uid-of-the-successor"}, r.take())
	})
}

func TestControllerReportsLostObjects(t *testing.T) {
	asked := 0
	known := WithKnown(func(context.Context) ([]cache.ObjectName, error) {
		if asked++; asked == 1 {
			return nil, errors.New("the server is down")
		}
		return []cache.ObjectName{cache.NewObjectName("shop", "gone"), cache.NewObjectName("shop", "web")}, nil
	})
	bubble(t, &steps{}, []Option{known}, func(t *testing.T, r *rig) {
		assert.Equal(t, []string{"reconcile web"}, r.take())
		idle(2 * time.Second)
		assert.Equal(t, []string{"deleted shop/gone"}, r.take())
		idle(time.Hour)
		assert.Equal(t, 2, asked, "once is enough")
	}, held("web"))
}

// TestControllerStandsBy has a standby see what happens, and act only once it is elected: on what there is by then.
func TestControllerStandsBy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		elected := make(chan struct{})
		r := newRig(t, &steps{}, []Option{WithElected(elected)}, held("web"), held("db")).run(t)
		assert.True(t, r.controller.HasSynced(), "its caches are warm")
		r.create(t, held("new"))
		r.delete(t, held("db"))
		r.controller.Enqueue(cache.NewObjectName("shop", "web"))
		idle(time.Hour)
		assert.Empty(t, r.take())
		r.client.ClearActions()
		close(elected)
		synctest.Wait()
		assert.ElementsMatch(t, []string{"reconcile new", "reconcile web"}, r.take(), "somebody else has seen to what is gone")
		require.Len(t, r.client.Actions(), 1, "little has to be asked for")
		assert.Equal(t, "fleet.example.com/owner-kind!=Workload",
			r.client.Actions()[0].(clienttesting.ListAction).GetListRestrictions().Labels.String())
		r.delete(t, held("web"))
		assert.Equal(t, []string{"deleted shop/web"}, r.take())
	})
}

func TestControllerEndsWhileItStandsBy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &steps{}, []Option{WithElected(make(chan struct{}))}, held("web")).run(t)
		assert.NoError(t, r.end())
		assert.False(t, r.controller.HasSynced())
		assert.Empty(t, r.take())
	})
}

func TestControllerShutdown(t *testing.T) {
	begun := make(chan struct{}, 1)
	finish := make(chan struct{})
	s := &steps{reconcile: func(ctx context.Context, _ *fleetv1.Workload) (Result, error) {
		begun <- struct{}{}
		select {
		case <-finish:
			return Result{}, nil
		case <-ctx.Done():
			return Result{}, context.Cause(ctx)
		}
	}}
	one := WithWorkers(1)
	t.Run("drained", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			finish = make(chan struct{})
			r := newRig(t, s, []Option{one}, held("db"), held("web")).run(t)
			<-begun
			r.stop()
			idle(10 * time.Second)
			assert.Empty(t, r.done, "it waits for what is under way")
			r.create(t, held("cache"))
			close(finish)
			assert.NoError(t, <-r.done)
			assert.Len(t, r.take(), 1, "what waits is left to the next run, and what comes is not taken")
		})
	})
	t.Run("cut short", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			finish = make(chan struct{})
			var metrics tally
			r := newRig(t, s, []Option{one, WithDrainTimeout(10 * time.Second), WithMetrics(&metrics)}, held("web")).run(t)
			<-begun
			stopped := time.Now()
			assert.ErrorContains(t, r.end(), "controller workloads.fleet.example.com: reconciles were cut short after 10s")
			assert.Equal(t, 10*time.Second, time.Since(stopped))
			assert.Equal(t, []string{"workloads.fleet.example.com canceled 10s"}, metrics.take())
		})
	})
}
