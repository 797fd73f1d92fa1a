package controller

import (
	"context"

	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// lagging is a rig whose cache of deployments learns of changes only when it is told. Its objects have resource versions.
type lagging struct {
	*rig
	watch *watch.RaceFreeFakeWatcher
	last  atomic.Uint64
}

func newLagging(t *testing.T, s *steps, options []Option, objects ...*fleetv1.Workload) *lagging {
	t.Helper()
	l := &lagging{rig: newRig(t, s, options, objects...), watch: watch.NewRaceFreeFake()}
	l.last.Store(100)
	l.kube.PrependReactor("create", "deployments", func(action clienttesting.Action) (bool, runtime.Object, error) {
		l.version(action.(clienttesting.CreateAction).GetObject().(*appsv1.Deployment))
		return false, nil, nil
	})
	l.kube.PrependWatchReactor("deployments", func(clienttesting.Action) (bool, watch.Interface, error) {
		return true, l.watch, nil
	})
	return l
}

// version gives an object the next resource version, and a UID if it has none.
func (l *lagging) version(object metav1.Object) {
	object.SetResourceVersion(strconv.FormatUint(l.last.Add(1), 10))
	if object.GetUID() == "" {
		object.SetUID(types.UID("uid-of-" + object.GetName()))
	}
}

// create makes a deployment of a workload, as a reconcile does. Its name is a new one each time.
func (l *lagging) create(ctx context.Context, owner *fleetv1.Workload) (*appsv1.Deployment, error) {
	child := deployment(fmt.Sprint(owner.Name, "-", l.last.Load()), owner)
	return l.kube.AppsV1().Deployments(owner.Namespace).Create(ctx, child, metav1.CreateOptions{})
}

// once returns the notes since the last call, without repetitions: an event may both enqueue an owner and end its hold.
func (l *lagging) once() []string { return slices.Compact(slices.Sorted(slices.Values(l.take()))) }

// live lists the deployments that there are.
func (l *lagging) live(t *testing.T) []appsv1.Deployment {
	t.Helper()
	list, err := l.kube.AppsV1().Deployments("").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	return list.Items
}

// onlyChild is a reconciler that makes a deployment if the cache has none.
func (l *lagging) onlyChild(ctx context.Context, object *fleetv1.Workload) (Result, error) {
	owned, err := l.controller.deployments.By(object)
	if err != nil || len(owned) > 0 {
		return Result{}, err
	}
	child, err := l.create(ctx, object)
	if err == nil {
		Wrote(ctx, child)
	}
	return Result{}, err
}

var web = cache.NewObjectName("shop", "web")

const heldBackFor = "workloads.fleet.example.com held back "

// TestControllerReadsItsOwnWrites enqueues an object again and again while the cache does not have its child.
func TestControllerReadsItsOwnWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, metrics := &steps{}, &tally{}
		l := newLagging(t, s, []Option{WithMetrics(metrics)}, held("web"), held("db"))
		s.reconcile = l.onlyChild
		l.run(t)
		assert.ElementsMatch(t, []string{"reconcile web", "reconcile db"}, l.take())
		metrics.take()
		for range 5 {
			l.controller.Enqueue(web)
			idle(2 * time.Second)
		}
		assert.Empty(t, l.take(), "it is held back")
		assert.Len(t, l.live(t), 2)
		assert.Empty(t, metrics.take(), "nothing was reconciled")

		for _, child := range l.live(t) {
			l.watch.Add(child.DeepCopy())
		}
		assert.Equal(t, []string{"reconcile db", "reconcile web"}, l.once(), "the child has arrived")
		assert.Contains(t, metrics.take(), heldBackFor+"10s, stale: false")
		assert.Empty(t, l.controller.writes.Pending(web))
		assert.Zero(t, l.controller.caches.Awaited())
		idle(time.Hour)
		assert.Empty(t, l.take(), "no recheck is left")
		assert.Len(t, l.live(t), 2)
	})
}

// TestControllerHeldItemsKeepNoWorker has one worker, and an object that is held back.
func TestControllerHeldItemsKeepNoWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &steps{}
		l := newLagging(t, s, []Option{WithWorkers(1)}, held("web"))
		s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
			if object.Name != "web" {
				return Result{}, nil
			}
			return l.onlyChild(ctx, object)
		}
		l.run(t)
		l.controller.Enqueue(web)
		l.take()
		l.rig.create(t, held("db"))
		assert.Equal(t, []string{"reconcile db"}, l.take())
	})
}

// TestControllerCacheCatchesUpWithoutAnEvent learns that the cache is up to date from another object.
func TestControllerCacheCatchesUpWithoutAnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &steps{}
		l := newLagging(t, s, nil, held("web"))
		s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
			if l.last.Load() > 100 {
				return Result{}, nil
			}
			return l.onlyChild(ctx, object)
		}
		l.run(t)
		l.controller.Enqueue(web)
		assert.Equal(t, []string{"reconcile web"}, l.take())
		stranger := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "other", ResourceVersion: "500"}}
		l.watch.Add(stranger)
		idle(time.Second)
		assert.Equal(t, []string{"reconcile web"}, l.once())
		assert.Zero(t, l.controller.caches.Awaited())
	})
}

// TestControllerConsistencyTimeout never sees its write.
func TestControllerConsistencyTimeout(t *testing.T) {
	for name, test := range map[string]struct {
		options []Option
		wait    time.Duration
	}{
		"default": {nil, time.Minute},
		"set":     {[]Option{WithConsistencyTimeout(10 * time.Second)}, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, metrics := &steps{}, &tally{}
				l := newLagging(t, s, append(test.options, WithMetrics(metrics)), held("web"))
				s.reconcile = l.onlyChild
				l.run(t)
				l.controller.Enqueue(web)
				idle(test.wait - time.Second)
				assert.Len(t, l.take(), 1)
				assert.Len(t, metrics.take(), 1)
				idle(time.Second)
				assert.Len(t, l.take(), 1)
				assert.Equal(t, heldBackFor+test.wait.String()+", stale: true", metrics.take()[0])
				assert.Len(t, l.live(t), 2, "the price of going on")
			})
		})
	}
	t.Run("off", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &steps{}
			l := newLagging(t, s, []Option{WithConsistencyTimeout(0)}, held("web"))
			s.reconcile = l.onlyChild
			l.run(t)
			l.controller.Enqueue(web)
			assert.Len(t, l.take(), 2)
		})
	})
}

// TestControllerDeletesOnce deletes a child that the cache goes on having, and finds another one gone.
func TestControllerDeletesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &steps{}
		l := newLagging(t, s, nil, held("web"))
		for i, name := range []string{"here", "gone"} {
			child := deployment(name, held("web"))
			child.UID, child.ResourceVersion = "uid-of-"+child.UID, strconv.Itoa(50+i)
			require.NoError(t, l.kube.Tracker().Add(child))
		}
		w := Writer{Owner: workloadKind, FieldManager: "us"}
		s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
			return Result{}, Sync(ctx, w, object, l.ownedDeployments, Create(l.kube.AppsV1().Deployments, []*appsv1.Deployment(nil)))
		}
		before := l.live(t)
		deletions := 0
		l.kube.PrependReactor("delete", "deployments", func(action clienttesting.Action) (bool, runtime.Object, error) {
			deletions++
			if name := action.(clienttesting.DeleteAction).GetName(); name == "gone" {
				return true, nil, apierrors.NewNotFound(appsv1.Resource("deployments"), name)
			}
			return false, nil, nil
		})
		l.run(t)
		assert.Equal(t, 2, deletions)
		l.controller.Enqueue(web)
		idle(10 * time.Second)
		assert.Equal(t, 2, deletions)
		assert.Len(t, l.take(), 1)
		l.watch.Delete(before[0].DeepCopy())
		idle(0)
		assert.Empty(t, l.take(), "one is still there")
		l.watch.Delete(before[1].DeepCopy())
		idle(0)
		assert.Len(t, l.once(), 1)
		assert.Equal(t, 2, deletions)
	})
}

// TestControllerFinalizesOnce gets an older update of an object after its finalizer was removed. API servers answer with the version
// that the object had before.
func TestControllerFinalizesOnce(t *testing.T) {
	object := deleting()
	object.ResourceVersion = "7"
	for _, answered := range []string{"7", "9"} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, &steps{}, nil, object)
			events := watch.NewRaceFreeFake()
			r.client.PrependWatchReactor("workloads", func(clienttesting.Action) (bool, watch.Interface, error) { return true, events, nil })
			r.client.PrependReactor("patch", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) {
				released := object.DeepCopy()
				released.Finalizers, released.ResourceVersion = nil, answered
				return true, released, nil
			})
			r.run(t)
			assert.Equal(t, []string{"finalize web"}, r.take())
			older := object.DeepCopy()
			older.ResourceVersion = "8"
			events.Modify(older)
			idle(10 * time.Second)
			assert.Empty(t, r.take(), answered)
			gone := object.DeepCopy()
			gone.ResourceVersion = "10"
			events.Delete(gone)
			assert.Equal(t, []string{"deleted shop/web"}, slices.Compact(r.take()), "once, or again for who waited for the event")
		})
	}
}

// TestControllerForgetsWritesForGoneObjects writes for an object that no longer exists. No event will come about it.
func TestControllerForgetsWritesForGoneObjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &steps{}
		l := newLagging(t, s, nil, held("web"))
		s.deleted = func(ctx context.Context, _ cache.ObjectName) error {
			child, err := l.create(ctx, held("web"))
			Wrote(ctx, child)
			return err
		}
		l.run(t)
		l.delete(t, held("web"))
		assert.Equal(t, []string{"reconcile web", "deleted shop/web"}, l.take())
		assert.Empty(t, l.controller.writes.Pending(web))
	})
}

// TestControllerHoldsBackByItsClock steps a clock: the recheck and the timeout follow it, whatever the real clock says.
func TestControllerHoldsBackByItsClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, clock := &steps{}, clocktesting.NewFakeClock(time.Now())
		l := newLagging(t, s, []Option{WithClock(clock), WithConsistencyTimeout(2 * time.Second)}, held("web"))
		s.reconcile = l.onlyChild
		l.run(t)
		l.controller.Enqueue(web)
		idle(time.Hour)
		assert.Len(t, l.take(), 1, "by its clock, no time has passed")
		began := time.Now()
		clock.Step(time.Second)
		assert.Empty(t, l.take())
		clock.Step(time.Second)
		assert.Len(t, l.take(), 1)
		assert.Equal(t, began, time.Now(), "no time has passed by the real clock")
	})
}

// TestControllerIgnoresWritesOfUnselectedObjects writes an object that the selector of the informer leaves out. No event will come
// about it.
func TestControllerIgnoresWritesOfUnselectedObjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &steps{}
		selected := WithOwned[*appsv1.Deployment](informer.WithFields(fields.OneTermEqualSelector("metadata.name", "web")))
		l := newLagging(t, s, []Option{selected}, held("web"))
		s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
			child, err := l.create(ctx, object)
			if err == nil {
				Wrote(ctx, child)
			}
			return Result{}, err
		}
		l.run(t)
		assert.Equal(t, []string{"reconcile web"}, l.take())
		l.controller.Enqueue(web)
		assert.Equal(t, []string{"reconcile web"}, l.take(), "it is not held back")
	})
}

// TestControllerAfterARestore restores the server from a backup, so that versions go back. The controller still reads its own
// writes.
func TestControllerAfterARestore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer(informertest.ConfigMap("shop", "other"))
		s := &steps{}
		r := newRig(t, s, nil, held("web"))
		children, err := OwnAll(r.controller.Controller, informer.Namespaced(server, informertest.Resource, server.ConfigMaps))
		require.NoError(t, err)
		server.Advance(1_000_000)
		created := 0
		s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
			owned, err := children.By(object)
			if err != nil || len(owned) > 0 || object.Spec.Paused {
				return Result{}, err
			}
			created++
			child := informertest.ConfigMap("shop", "child-"+strconv.Itoa(created))
			child.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(object, workloadKind)}
			Wrote(ctx, server.Create(child))
			return Result{}, nil
		}
		paused := held("web")
		paused.Spec.Paused = true
		r.put(t, paused)
		r.run(t)
		server.Label("shop", "other", "later") // an event with a version above a million
		synctest.Wait()

		server.Restore(500)
		server.Expire()
		idle(10 * time.Second) // the informer's own back-off
		release := server.Hold("")
		r.update(t, held("web"))
		for range 5 {
			r.controller.Enqueue(web)
			idle(2 * time.Second)
		}
		assert.Equal(t, 1, created)
		release()
		idle(2 * time.Second)
		r.controller.Enqueue(web)
		idle(time.Second)
		assert.Equal(t, 1, created)
	})
}
