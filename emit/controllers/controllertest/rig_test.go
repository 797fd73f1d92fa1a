package controllertest_test

import (
	"context"
	"fmt"
	"testing"

	"go.uber.org/goleak"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/emit/controllers"
	"github.com/informer-gen-lite/informer-gen-lite/emit/controllers/controllertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) {
	utilruntime.PanicHandlers = nil // panics are expected: they need no stack in the log
	goleak.VerifyTestMain(m)
}

// world is what a reconciler works with.
type world struct {
	controllertest.Clients
	owned func(*fleetv1.Workload) ([]*appsv1.Deployment, error)
}

// steps are the steps of a reconciler of workloads. Those that are missing fail the test.
type steps struct {
	reconcile func(context.Context, world, *fleetv1.Workload) (controllers.Result, error)
	deleted   func(context.Context, cache.ObjectName) error
	finalize  func(context.Context, *fleetv1.Workload) error
}

// workloadController is wired like a generated controller.
type workloadController struct {
	*controllers.Controller[*fleetv1.Workload]
	deployments controllers.Owned[*appsv1.Deployment]
}

// newWorkloads returns a constructor of a controller for workloads, which own deployments.
func newWorkloads(s steps, options ...controllers.Option) func(controllertest.Clients) (*workloadController, error) {
	return func(clients controllertest.Clients) (*workloadController, error) {
		c, client := &workloadController{}, clients.Client
		var err error
		c.Controller, err = controllers.New(controllers.Config[*fleetv1.Workload]{
			GroupKind:  fleetv1.SchemeGroupVersion.WithKind("Workload").GroupKind(),
			Resource:   fleetv1.Resource("workloads"),
			Namespaced: true,
			Client:     client,
			Reconcile: func(ctx context.Context, object *fleetv1.Workload) (controllers.Result, error) {
				owned := func(owner *fleetv1.Workload) ([]*appsv1.Deployment, error) { return c.deployments.By(owner) }
				return s.reconcile(ctx, world{clients, owned}, object)
			},
			ReconcileDeleted: s.deleted,
			Finalizer:        fleetv1.WorkloadFinalizer,
			Finalize:         s.finalize,
			Patch: func(ctx context.Context, name cache.ObjectName, patch []byte) (*fleetv1.Workload, error) {
				return client.FleetV1().Workloads(name.Namespace).Patch(ctx, name.Name, types.MergePatchType, patch, metav1.PatchOptions{})
			},
		}, append([]controllers.Option{controllers.WithEventRecorder(clients.Recorder)}, options...))
		if err != nil {
			return nil, err
		}
		informer := c.Factory().Fleet().V1().Workloads()
		c.Watch(controllers.Cache[*fleetv1.Workload]{
			Informer: informer.Informer(),
			Get: func(name cache.ObjectName) (*fleetv1.Workload, error) {
				return informer.Lister().Workloads(name.Namespace).Get(name.Name)
			},
			List: func(ctx context.Context, namespace string, options metav1.ListOptions) error {
				return controllers.ListError(client.FleetV1().Workloads(namespace).List(ctx, options))
			},
		})
		return c, controllers.OwnKube(c.Controller, &c.deployments, appsv1.SchemeGroupVersion.WithResource("deployments"), true, clients.Kube,
			func(namespace string) controllers.KubeClient[*appsv1.DeploymentList] {
				return clients.Kube.AppsV1().Deployments(namespace)
			})
	}
}

// newChassis returns a constructor of a controller for chassis: a cluster-scoped kind whose plural is its singular.
func newChassis(reconcile func(context.Context, controllertest.Clients, *fleetv1.Chassis) error) func(controllertest.Clients) (*controllers.Controller[*fleetv1.Chassis], error) {
	return func(clients controllertest.Clients) (*controllers.Controller[*fleetv1.Chassis], error) {
		c, err := controllers.New(controllers.Config[*fleetv1.Chassis]{
			GroupKind: fleetv1.SchemeGroupVersion.WithKind("Chassis").GroupKind(),
			Resource:  fleetv1.Resource("chassis"),
			Client:    clients.Client,
			Reconcile: func(ctx context.Context, object *fleetv1.Chassis) (controllers.Result, error) {
				return controllers.Result{}, reconcile(ctx, clients, object)
			},
		}, nil)
		if err != nil {
			return nil, err
		}
		informer := c.Factory().Fleet().V1().Chassises()
		c.Watch(controllers.Cache[*fleetv1.Chassis]{
			Informer: informer.Informer(),
			Get:      func(name cache.ObjectName) (*fleetv1.Chassis, error) { return informer.Lister().Get(name.Name) },
		})
		return c, nil
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

func (f fatal) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
