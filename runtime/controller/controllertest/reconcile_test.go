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
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/controllertest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

var errBroken = errors.New("broken")

// syncDeployment applies a deployment of the same name and, once it is there, updates the status.
func syncDeployment(ctx context.Context, w *world, object *fleetv1.Workload) (controller.Result, error) {
	writer := controller.Writer{Owner: fleetv1.SchemeGroupVersion.WithKind("Workload"), FieldManager: "test", Recorder: w.Recorder}
	wanted := appsv1apply.Deployment(object.Name, object.Namespace).WithLabels(map[string]string{"image": "1"})
	err := controller.Sync(ctx, writer, object, w.owned, controller.Apply(
		w.Kube.AppsV1().Deployments, appsv1apply.ExtractDeployment, []*appsv1apply.DeploymentApplyConfiguration{wanted}))
	if err != nil {
		return controller.Result{}, err
	}
	object.Status.ObservedGeneration = object.Generation
	_, err = w.Client.FleetV1().Workloads(object.Namespace).UpdateStatus(ctx, object, metav1.UpdateOptions{})
	return controller.Result{RequeueAfter: time.Minute}, err
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
		reconcile      func(context.Context, *world, *fleetv1.Workload) (controller.Result, error)
		writes, events []string
		result         controller.Result
		err            string
	}{
		"new": {
			object:    workload(),
			reconcile: syncDeployment,
			writes:    []string{"patch workloads shop/web", "apply deployments shop/web", "update workloads/status shop/web"},
			events:    []string{"Normal Created Created Deployment shop/web"},
			result:    controller.Result{RequeueAfter: time.Minute},
		},
		"owned object exists": {
			object:    held(),
			others:    []runtime.Object{deployment()},
			reconcile: syncDeployment,
			writes:    []string{"apply deployments shop/web", "update workloads/status shop/web"},
			result:    controller.Result{RequeueAfter: time.Minute},
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
			reconcile: func(ctx context.Context, w *world, _ *fleetv1.Workload) (controller.Result, error) {
				if _, err := w.Client.FleetV1().Regions().Get(ctx, "north", metav1.GetOptions{}); err != nil {
					return controller.Result{}, err
				}
				return controller.Result{}, w.Kube.CoreV1().ConfigMaps("system").Delete(ctx, "record", metav1.DeleteOptions{})
			},
			writes: []string{"delete configmaps system/record"},
		},
		"error": {
			object: held(),
			reconcile: func(ctx context.Context, w *world, _ *fleetv1.Workload) (controller.Result, error) {
				return controller.Result{}, w.Kube.CoreV1().ConfigMaps("system").Delete(ctx, "record", metav1.DeleteOptions{})
			},
			err: `configmaps "record" not found`,
		},
		"panic": {
			object:    held(),
			reconcile: func(context.Context, *world, *fleetv1.Workload) (controller.Result, error) { panic(errBroken) }, //nolint:forbidigo // a reconciler may panic
			err:       "panic: broken",
		},
		"many events": {
			object: held(),
			reconcile: func(_ context.Context, w *world, object *fleetv1.Workload) (controller.Result, error) {
				for i := range 3 {
					w.Recorder.Eventf(object, nil, "Normal", "Counted", "Count", "%d", i)
				}
				return controller.Result{}, nil
			},
			events: []string{"Normal Counted 0", "Normal Counted 1", "Normal Counted 2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			got := controllertest.Reconcile(w.Env, w.workloads(steps{reconcile: test.reconcile}), test.object, test.others...)
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
	w := newWorld(t)
	got := controllertest.Reconcile(w.Env, w.workloads(steps{reconcile: syncDeployment}), object)
	require.NoError(t, got.Err)
	assert.Equal(t, workload(), object, "Reconcile works on a copy")
	assert.Equal(t, types.UID("uid-of-web"), got.Object.UID)
	assert.Equal(t, int64(1), got.Object.Status.ObservedGeneration)

	require.Len(t, got.Writes, 3)
	assert.Empty(t, got.Writes[0].Object.(*fleetv1.Workload).Status.ObservedGeneration, "which comes with the third write")
	applied := got.Writes[1].Object.(*appsv1.Deployment)
	assert.True(t, metav1.IsControlledBy(applied, got.Object))
	stored, err := w.Kube.AppsV1().Deployments("shop").Get(t.Context(), "web", metav1.GetOptions{})
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
	w := newWorld(t)
	got := controllertest.Reconcile(w.Env, w.workloads(steps{reconcile: syncDeployment}), object)
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
			w := newWorld(t)
			got := controllertest.Reconcile(w.Env, w.workloads(steps{finalize: finalize}), deleting())
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
	w := newWorld(t)
	got := controllertest.ReconcileDeleted(w.Env, w.workloads(steps{deleted: deleted}), web, other)
	assert.Equal(t, errBroken, got.Err)
	assert.Equal(t, []cache.ObjectName{web}, names)
	assert.Nil(t, got.Object)
	assert.Empty(t, got.Writes)
}

// TestObjectIsDeleted has the reconciler delete its own object.
func TestObjectIsDeleted(t *testing.T) {
	w := newWorld(t)
	got := controllertest.Reconcile(w.Env, w.workloads(steps{reconcile: func(ctx context.Context, w *world, object *fleetv1.Workload) (controller.Result, error) {
		return controller.Result{}, w.Client.FleetV1().Workloads(object.Namespace).Delete(ctx, object.Name, metav1.DeleteOptions{})
	}}), held())
	require.NoError(t, got.Err)
	assert.Equal(t, []string{"delete workloads shop/web"}, controllertest.Lines(got.Writes))
	assert.Nil(t, got.Writes[0].Object)
	require.NotNil(t, got.Object, "its finalizer keeps it")
	assert.NotNil(t, got.Object.DeletionTimestamp)
}

func TestClusterScoped(t *testing.T) {
	w := newWorld(t)
	got := controllertest.Reconcile(w.Env, w.regions(func(ctx context.Context, object *fleetv1.Region) error {
		object.Status.Workloads = 7
		_, err := w.Client.FleetV1().Regions().UpdateStatus(ctx, object, metav1.UpdateOptions{})
		return err
	}), &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}})
	require.NoError(t, got.Err)
	assert.Equal(t, []string{"update regions/status north"}, controllertest.Lines(got.Writes))
	assert.EqualValues(t, 7, got.Object.Status.Workloads)
}

// TestReactors has the constructor prepend a reactor: its errors are no writes.
func TestReactors(t *testing.T) {
	w := newWorld(t)
	got := controllertest.Reconcile(w.Env, func() (*workloadController, error) {
		w.Client.PrependReactor("update", "workloads", func(action clienttesting.Action) (bool, runtime.Object, error) {
			return action.GetSubresource() == "status", nil, apierrors.NewConflict(fleetv1.Resource("workloads"), "web", errBroken)
		})
		return w.workloads(steps{reconcile: syncDeployment})()
	}, held())
	assert.True(t, controller.IsLockConflict(got.Err))
	assert.Equal(t, []string{"apply deployments shop/web"}, controllertest.Lines(got.Writes))
}

// TestFatal lists what ends a test.
func TestFatal(t *testing.T) {
	once := func(s steps, options []controller.Option, others ...runtime.Object) func(testing.TB) {
		return func(t testing.TB) {
			t.Helper()
			w := newWorld(t)
			controllertest.Reconcile(w.Env, w.workloads(s, options...), held(), others...)
		}
	}
	for name, test := range map[string]struct {
		call func(testing.TB)
		want string
	}{
		"unknown type":       {once(steps{}, nil, &metav1.PartialObjectMetadata{}), "add object: "},
		"same object twice":  {once(steps{}, nil, held()), `add object: workloads.fleet.example.com "web" already exists`},
		"invalid controller": {once(steps{}, []controller.Option{controller.WithWorkers(0)}), "new controller: controller workloads.fleet.example.com: invalid number of workers 0: must be at least 1"},
		"no server": {func(t testing.TB) {
			t.Helper()
			controllertest.New(t, fake.NewClientset())
		}, "the server does not serve the *fake.Clientset: call its method Serve, and pass the server to NewWithServer"},
		"caches stay empty": {func(t testing.TB) {
			t.Helper()
			w := newWorld(t)
			controllertest.Reconcile(w.Env, func() (*workloadController, error) {
				forbidden := apierrors.NewForbidden(fleetv1.Resource("workloads"), "", errBroken)
				w.Client.PrependReactor("list", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, forbidden })
				w.Client.PrependWatchReactor("workloads", func(clienttesting.Action) (bool, watch.Interface, error) { return true, nil, forbidden })
				return w.workloads(steps{}, controller.WithSyncTimeout(time.Millisecond))()
			}, held())
		}, "not started: controller workloads.fleet.example.com: informers have not synced after 1ms: workloads.fleet.example.com: "},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() { assert.Contains(t, fmt.Sprint(recover()), test.want) }()
			test.call(fatal{t})
		})
	}
}

// TestReconcileOnce runs controllers of the same name one after the other, with the same clients.
func TestReconcileOnce(t *testing.T) {
	w := newWorld(t)
	working := w.workloads(steps{reconcile: syncDeployment})
	controllertest.Reconcile(w.Env, working, held())
	c, err := working()
	require.NoError(t, err)
	_, err = c.ReconcileOnce(t.Context(), cache.NewObjectName("shop", "web"))
	require.NoError(t, err)
	_, err = c.ReconcileOnce(t.Context(), cache.NewObjectName("shop", "web"))
	assert.ErrorIs(t, err, controller.ErrNotStarted)
	assert.ErrorContains(t, c.Run(t.Context()), "already started")

	c, err = working()
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = c.ReconcileOnce(ctx, cache.NewObjectName("shop", "web"))
	assert.Equal(t, controller.ErrNotStarted, err, "the context has ended")
}

// TestReconcileNamed reconciles an object twice. Writes and events are those of one reconcile.
func TestReconcileNamed(t *testing.T) {
	w := newWorld(t)
	working := w.workloads(steps{reconcile: syncDeployment}, controller.WithInformers(informer.WithManagedFields("test")))
	got := controllertest.Reconcile(w.Env, working, workload())
	assert.Len(t, got.Writes, 3)
	assert.Len(t, got.Events, 1)
	working = w.workloads(steps{reconcile: syncDeployment}, controller.WithInformers(informer.WithManagedFields("test")))
	got = controllertest.ReconcileNamed(w.Env, working, cache.NewObjectName("shop", "web"))
	require.NoError(t, got.Err)
	assert.Equal(t, []string{"update workloads/status shop/web"}, controllertest.Lines(got.Writes), "the deployment is up to date")
	assert.Empty(t, got.Events)
}

// TestServers has the ways to say which server clientsets have.
func TestServers(t *testing.T) {
	client := newStrictClientset(t)
	assert.Same(t, client.server, controllertest.New(t, client).Server)
	assert.Same(t, client.server, controllertest.New(t, kubefake.NewClientset(), client).Server)
	assert.Same(t, client.server, controllertest.NewWithServer(t, client.server, client.Clientset).Server)
	assert.NotNil(t, controllertest.New(t, kubefake.NewClientset()).Server, "client-go's alone")
	assert.Same(t, client.server, controllertest.New(t, tracking(client)).Server, "by the tracker")
}

// tracking is a strict clientset whose tracker says what its server is.
type tracking struct {
	*fake.Clientset
	server *strictfake.Server
}

// Tracker returns the tracker of the server.
func (c tracking) Tracker() clienttesting.ObjectTracker { return c.server.Tracker() }

// TestControllerInBubble reconciles in a synctest bubble.
func TestControllerInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := time.Now()
		w := newWorld(t)
		got := controllertest.Reconcile(w.Env, w.workloads(steps{reconcile: func(ctx context.Context, w *world, object *fleetv1.Workload) (controller.Result, error) {
			time.Sleep(time.Hour) // in the bubble
			return syncDeployment(ctx, w, object)
		}}), workload())
		require.NoError(t, got.Err)
		assert.Len(t, got.Writes, 3)
		assert.GreaterOrEqual(t, time.Since(before), time.Hour)
	})
}
