package controllertest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/emit/controllers"
	"github.com/informer-gen-lite/informer-gen-lite/emit/controllers/controllertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

var errBroken = errors.New("broken")

// syncDeployment applies a deployment of the same name and, once it is there, updates the status.
func syncDeployment(ctx context.Context, w world, object *fleetv1.Workload) (controllers.Result, error) {
	writer := controllers.Writer{Owner: fleetv1.SchemeGroupVersion.WithKind("Workload"), FieldManager: "test", Recorder: w.Recorder}
	wanted := appsv1apply.Deployment(object.Name, object.Namespace).WithLabels(map[string]string{"image": "1"})
	err := controllers.Sync(ctx, writer, object, w.owned, controllers.Apply(
		w.Kube.AppsV1().Deployments, appsv1apply.ExtractDeployment, []*appsv1apply.DeploymentApplyConfiguration{wanted}))
	if err != nil {
		return controllers.Result{}, err
	}
	object.Status.ObservedGeneration = object.Generation
	_, err = w.Client.FleetV1().Workloads(object.Namespace).UpdateStatus(ctx, object, metav1.UpdateOptions{})
	return controllers.Result{RequeueAfter: time.Minute}, err
}

// deployment returns the deployment of a workload, whose UID it leaves to Reconcile.
func deployment() *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: "web",
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(workload(), fleetv1.SchemeGroupVersion.WithKind("Workload"))},
	}}
}

func TestReconcile(t *testing.T) {
	for name, test := range map[string]struct {
		object         *fleetv1.Workload
		others         []runtime.Object
		reconcile      func(context.Context, world, *fleetv1.Workload) (controllers.Result, error)
		writes, events []string
		result         controllers.Result
		err            string
	}{
		"new": {
			object:    workload(),
			reconcile: syncDeployment,
			writes:    []string{"patch workloads shop/web", "apply deployments shop/web", "update workloads/status shop/web"},
			events:    []string{"Normal Created Created Deployment shop/web"},
			result:    controllers.Result{RequeueAfter: time.Minute},
		},
		"owned object exists": {
			object:    held(),
			others:    []runtime.Object{deployment()},
			reconcile: syncDeployment,
			writes:    []string{"apply deployments shop/web", "update workloads/status shop/web"},
			result:    controllers.Result{RequeueAfter: time.Minute},
		},
		"name is taken": {
			object:    held(),
			others:    []runtime.Object{&appsv1.DeploymentList{Items: []appsv1.Deployment{{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}}}},
			reconcile: syncDeployment,
			events:    []string{"Warning NameTaken Deployment shop/web exists and has no controller"},
			err:       "Deployment shop/web exists and has no controller",
		},
		"another namespace": {
			object: held(),
			others: []runtime.Object{&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "system", Name: "record"}}, &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}},
			reconcile: func(ctx context.Context, w world, _ *fleetv1.Workload) (controllers.Result, error) {
				if _, err := w.Client.FleetV1().Regions().Get(ctx, "north", metav1.GetOptions{}); err != nil {
					return controllers.Result{}, err
				}
				return controllers.Result{}, w.Kube.CoreV1().ConfigMaps("system").Delete(ctx, "record", metav1.DeleteOptions{})
			},
			writes: []string{"delete configmaps system/record"},
		},
		"error": {
			object: held(),
			reconcile: func(ctx context.Context, w world, _ *fleetv1.Workload) (controllers.Result, error) {
				return controllers.Result{}, w.Kube.CoreV1().ConfigMaps("system").Delete(ctx, "record", metav1.DeleteOptions{})
			},
			err: `configmaps "record" not found`,
		},
		"panic": {
			object:    held(),
			reconcile: func(context.Context, world, *fleetv1.Workload) (controllers.Result, error) { panic(errBroken) },
			err:       "panic: broken",
		},
		"many events": {
			object: held(),
			reconcile: func(_ context.Context, w world, object *fleetv1.Workload) (controllers.Result, error) {
				for i := range 3 {
					w.Recorder.Eventf(object, nil, "Normal", "Counted", "Count", "%d", i)
				}
				return controllers.Result{}, nil
			},
			events: []string{"Normal Counted 0", "Normal Counted 1", "Normal Counted 2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := controllertest.Reconcile(t, newWorkloads(steps{reconcile: test.reconcile}), test.object, test.others...)
			assert.Equal(t, test.writes, controllertest.Lines(got.Writes))
			assert.Equal(t, test.events, controllertest.Lines(got.Events))
			assert.Equal(t, test.result, got.Result)
			if test.err == "" {
				assert.NoError(t, got.Err)
			} else {
				assert.EqualError(t, got.Err, test.err)
			}
			require.NotNil(t, got.Object)
			assert.Equal(t, []string{fleetv1.WorkloadFinalizer}, got.Object.Finalizers)
		})
	}
}

// TestReconciled looks at the objects of one reconcile.
func TestReconciled(t *testing.T) {
	object := workload()
	got := controllertest.Reconcile(t, newWorkloads(steps{reconcile: syncDeployment}), object)
	require.NoError(t, got.Err)
	assert.Equal(t, workload(), object, "Reconcile works on a copy")
	assert.Equal(t, types.UID("uid-of-web"), got.Object.UID)
	assert.Equal(t, int64(1), got.Object.Status.ObservedGeneration)

	require.Len(t, got.Writes, 3)
	assert.Empty(t, got.Writes[0].Object.(*fleetv1.Workload).Status.ObservedGeneration, "which comes with the third write")
	applied := got.Writes[1].Object.(*appsv1.Deployment)
	assert.True(t, metav1.IsControlledBy(applied, got.Object))
	stored, err := got.Clients.Kube.AppsV1().Deployments("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, applied, stored)
	assert.Equal(t, appsv1.SchemeGroupVersion.WithResource("deployments"), got.Writes[1].Resource)
	assert.Equal(t, "status", got.Writes[2].Subresource)

	require.Len(t, got.Events, 1)
	assert.Equal(t, "web", got.Events[0].Regarding.(*fleetv1.Workload).Name)
	assert.Equal(t, "web", got.Events[0].Related.(*appsv1.Deployment).Name)
}

// TestUIDIsKept passes an object with a UID and a generation.
func TestUIDIsKept(t *testing.T) {
	object := held()
	object.UID, object.Generation = "some-uid", 7
	got := controllertest.Reconcile(t, newWorkloads(steps{reconcile: syncDeployment}), object)
	require.NoError(t, got.Err)
	assert.Equal(t, types.UID("some-uid"), got.Object.UID)
	assert.Equal(t, int64(7), got.Object.Status.ObservedGeneration)
}

func TestFinalize(t *testing.T) {
	for name, test := range map[string]struct {
		err    error
		writes []string
	}{
		"done":   {nil, []string{"patch workloads shop/web"}},
		"failed": {errBroken, nil},
	} {
		t.Run(name, func(t *testing.T) {
			finalize := func(_ context.Context, object *fleetv1.Workload) error {
				assert.Equal(t, "web", object.Name)
				return test.err
			}
			got := controllertest.Reconcile(t, newWorkloads(steps{finalize: finalize}), deleting())
			assert.ErrorIs(t, got.Err, test.err)
			assert.Equal(t, test.writes, controllertest.Lines(got.Writes))
			assert.Equal(t, test.err == nil, got.Object == nil, "it goes with its finalizer")
		})
	}
}

func TestReconcileDeleted(t *testing.T) {
	var names []cache.ObjectName
	deleted := func(_ context.Context, name cache.ObjectName) error {
		names = append(names, name)
		return errBroken
	}
	web := cache.NewObjectName("shop", "web")
	other := held()
	other.Name = "api"
	got := controllertest.ReconcileDeleted(t, newWorkloads(steps{deleted: deleted}), web, other)
	assert.Equal(t, errBroken, got.Err)
	assert.Equal(t, []cache.ObjectName{web}, names)
	assert.Nil(t, got.Object)
	assert.Empty(t, got.Writes)
}

// TestObjectIsDeleted has the reconciler delete its own object.
func TestObjectIsDeleted(t *testing.T) {
	got := controllertest.Reconcile(t, newWorkloads(steps{reconcile: func(ctx context.Context, w world, object *fleetv1.Workload) (controllers.Result, error) {
		return controllers.Result{}, w.Client.FleetV1().Workloads(object.Namespace).Delete(ctx, object.Name, metav1.DeleteOptions{})
	}}), held())
	require.NoError(t, got.Err)
	assert.Equal(t, []string{"delete workloads shop/web"}, controllertest.Lines(got.Writes))
	assert.Nil(t, got.Writes[0].Object)
	require.NotNil(t, got.Object, "its finalizer keeps it")
	assert.NotNil(t, got.Object.DeletionTimestamp)
}

func TestClusterScoped(t *testing.T) {
	got := controllertest.Reconcile(t, newChassis(func(ctx context.Context, clients controllertest.Clients, object *fleetv1.Chassis) error {
		object.Status.Power = fleetv1.PowerOn
		_, err := clients.Client.FleetV1().Chassises().UpdateStatus(ctx, object, metav1.UpdateOptions{})
		return err
	}), &fleetv1.Chassis{ObjectMeta: metav1.ObjectMeta{Name: "a1"}})
	require.NoError(t, got.Err)
	assert.Equal(t, []string{"update chassis/status a1"}, controllertest.Lines(got.Writes))
	assert.Equal(t, fleetv1.PowerOn, got.Object.Status.Power)
}

// TestReactors has the constructor prepend a reactor: its errors are no writes.
func TestReactors(t *testing.T) {
	newController := newWorkloads(steps{reconcile: syncDeployment})
	got := controllertest.Reconcile(t, func(clients controllertest.Clients) (*workloadController, error) {
		clients.Client.PrependReactor("update", "workloads", func(action clienttesting.Action) (bool, runtime.Object, error) {
			return action.GetSubresource() == "status", nil, apierrors.NewConflict(fleetv1.Resource("workloads"), "web", errBroken)
		})
		return newController(clients)
	}, held())
	assert.True(t, controllers.IsLockConflict(got.Err))
	assert.Equal(t, []string{"apply deployments shop/web"}, controllertest.Lines(got.Writes))
}

// TestFatal lists what ends a test.
func TestFatal(t *testing.T) {
	working := newWorkloads(steps{reconcile: syncDeployment})
	once := func(newController func(controllertest.Clients) (*workloadController, error), others ...runtime.Object) func(testing.TB) {
		return func(t testing.TB) { controllertest.Reconcile(t, newController, held(), others...) }
	}
	for name, test := range map[string]struct {
		call func(testing.TB)
		want string
	}{
		"unknown type":       {once(working, &metav1.PartialObjectMetadata{}), "add object: the clientset has no client for a *v1.PartialObjectMetadata"},
		"same object twice":  {once(working, held()), `add object: workloads.fleet.example.com "web" already exists`},
		"invalid controller": {once(newWorkloads(steps{}, controllers.WithWorkers(0))), "new controller: controller workloads.fleet.example.com: invalid number of workers 0: must be at least 1"},
		"unknown kind": {func(t testing.TB) {
			controllertest.Reconcile(t, func(controllertest.Clients) (*controllers.Controller[*appsv1.Deployment], error) { return nil, nil }, deployment())
		}, "reconcile *v1.Deployment: no kind is registered for the type v1.Deployment in scheme"},
		"caches stay empty": {func(t testing.TB) {
			newController := newWorkloads(steps{}, controllers.WithSyncTimeout(time.Millisecond))
			controllertest.Reconcile(t, func(clients controllertest.Clients) (*workloadController, error) {
				forbidden := apierrors.NewForbidden(fleetv1.Resource("workloads"), "", errBroken)
				clients.Client.PrependReactor("list", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, forbidden })
				clients.Client.PrependWatchReactor("workloads", func(clienttesting.Action) (bool, watch.Interface, error) { return true, nil, forbidden })
				return newController(clients)
			}, held())
		}, "not started: controller workloads.fleet.example.com: informers have not synced after 1ms: workloads.fleet.example.com: not allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() { assert.Contains(t, fmt.Sprint(recover()), test.want) }()
			test.call(fatal{t})
		})
	}
}

// TestReconcileOnce runs controllers of the same name one after the other, with the same clients.
func TestReconcileOnce(t *testing.T) {
	working := newWorkloads(steps{reconcile: syncDeployment})
	got := controllertest.Reconcile(t, working, held())
	c, err := working(got.Clients)
	require.NoError(t, err)
	_, err = c.ReconcileOnce(t.Context(), cache.NewObjectName("shop", "web"))
	require.NoError(t, err)
	_, err = c.ReconcileOnce(t.Context(), cache.NewObjectName("shop", "web"))
	assert.ErrorIs(t, err, controllers.ErrNotStarted)
	assert.ErrorContains(t, c.Run(t.Context()), "has already been run")

	c, err = working(got.Clients)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = c.ReconcileOnce(ctx, cache.NewObjectName("shop", "web"))
	assert.Equal(t, controllers.ErrNotStarted, err, "the context has ended")
}

// TestControllerInBubble reconciles in a synctest bubble.
func TestControllerInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := time.Now()
		got := controllertest.Reconcile(t, newWorkloads(steps{reconcile: func(ctx context.Context, w world, object *fleetv1.Workload) (controllers.Result, error) {
			time.Sleep(time.Hour) // in the bubble
			return syncDeployment(ctx, w, object)
		}}), workload())
		require.NoError(t, got.Err)
		assert.Len(t, got.Writes, 3)
		assert.GreaterOrEqual(t, time.Since(before), time.Hour)
	})
}
