package controllertest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/controllertest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/scheme"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) {
	utilruntime.PanicHandlers = nil // panics are expected: they need no stack in the log
	goleak.VerifyTestMain(m)
}

// strictClientset is what generated code has as fake.NewStrictClientset.
type strictClientset struct {
	*fake.Clientset
	server *strictfake.Server
}

// Server returns the server.
func (c strictClientset) Server() *strictfake.Server { return c.server }

func newStrictClientset(t testing.TB) strictClientset {
	t.Helper()
	client, server := fake.NewClientset(), strictfake.NewServer()
	require.NoError(t, server.Serve(client, scheme.Scheme, applyconfiguration.NewTypeConverter(scheme.Scheme)))
	return strictClientset{client, server}
}

// world is what a reconciler works with.
type world struct {
	*controllertest.Env
	Client *fake.Clientset
	Kube   *kubefake.Clientset
	owned  func(*fleetv1.Workload) ([]*appsv1.Deployment, error)
}

func newWorld(t testing.TB) *world {
	t.Helper()
	client, kube := newStrictClientset(t), kubefake.NewClientset()
	return &world{Env: controllertest.New(t, client, kube), Client: client.Clientset, Kube: kube}
}

// steps are the steps of a reconciler of workloads. Those that are missing fail the test.
type steps struct {
	reconcile func(context.Context, *world, *fleetv1.Workload) (controller.Result, error)
	deleted   func(context.Context, cache.ObjectName) error
	finalize  func(context.Context, *fleetv1.Workload) error
}

// reconciler is a reconciler of workloads.
type reconciler struct {
	steps
	world *world
}

func (r reconciler) Reconcile(ctx context.Context, object *fleetv1.Workload) (controller.Result, error) {
	return r.reconcile(ctx, r.world, object)
}

func (r reconciler) ReconcileDeleted(ctx context.Context, name cache.ObjectName) error {
	return r.deleted(ctx, name)
}

func (r reconciler) Finalize(ctx context.Context, object *fleetv1.Workload) error {
	return r.finalize(ctx, object)
}

// workloadController is wired like a generated controller.
type workloadController struct {
	*controller.Controller[*fleetv1.Workload]
}

// workloads returns a constructor of a controller for workloads, which own deployments.
func (w *world) workloads(s steps, options ...controller.Option) func() (*workloadController, error) {
	return func() (*workloadController, error) {
		options := append([]controller.Option{
			controller.WithEventRecorder(w.Recorder), controller.WithFinalizer(fleetv1.WorkloadFinalizer),
		}, options...)
		workloads := informer.Namespaced(w.Client, fleetv1.SchemeGroupVersion.WithResource("workloads"), w.Client.FleetV1().Workloads)
		c, err := controller.New(workloads, reconciler{s, w}, options...)
		if err != nil {
			return nil, err
		}
		deployments, err := controller.Own(c, informer.Namespaced(
			w.Kube, appsv1.SchemeGroupVersion.WithResource("deployments"), w.Kube.AppsV1().Deployments))
		if err != nil {
			return nil, err
		}
		w.owned = func(owner *fleetv1.Workload) ([]*appsv1.Deployment, error) { return deployments.By(owner) }
		return &workloadController{c}, nil
	}
}

// regionReconciler is a reconciler of a cluster-scoped kind.
type regionReconciler func(context.Context, *fleetv1.Region) error

func (r regionReconciler) Reconcile(ctx context.Context, object *fleetv1.Region) (controller.Result, error) {
	return controller.Result{}, r(ctx, object)
}

func (regionReconciler) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// regions returns a constructor of a controller for regions.
func (w *world) regions(r regionReconciler) func() (*controller.Controller[*fleetv1.Region], error) {
	return func() (*controller.Controller[*fleetv1.Region], error) {
		source := informer.Cluster(w.Client, fleetv1.SchemeGroupVersion.WithResource("regions"), w.Client.FleetV1().Regions())
		return controller.New(source, r)
	}
}

// workload returns a workload as users write it.
func workload() *fleetv1.Workload {
	return &fleetv1.Workload{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"},
		Spec:       fleetv1.WorkloadSpec{RegionName: "north", Template: fleetv1.WorkloadTemplate{Image: "web:1"}},
	}
}

// held returns a workload that has the finalizer already.
func held() *fleetv1.Workload {
	object := workload()
	object.Finalizers = []string{fleetv1.WorkloadFinalizer}
	return object
}

// deleting returns a workload that is being deleted.
func deleting() *fleetv1.Workload {
	object := held()
	object.DeletionTimestamp = &metav1.Time{Time: metav1.Now().Time}
	return object
}

// fatal is a test that panics with the message of Fatalf.
type fatal struct{ testing.TB }

func (f fatal) Fatalf(format string, args ...any) {
	panic(fmt.Sprintf(format, args...)) //nolint:forbidigo // Fatalf must not return
}
