package controllertest_test

import (
	"context"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/controllertest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned"
)

// rolloutReconciler gives each workload a deployment of the same name, and reports in the status.
type rolloutReconciler struct {
	client      versioned.Interface
	kube        kubernetes.Interface
	writer      controller.Writer
	deployments *controller.Owned[*appsv1.Deployment]
}

// NewController returns the controller under test.
func NewController(
	client versioned.Interface, kube kubernetes.Interface, recorder events.EventRecorder,
) (*controller.Controller[*fleetv1.Workload], error) {
	r := &rolloutReconciler{client: client, kube: kube}
	workloads := informer.Namespaced(client, fleetv1.SchemeGroupVersion.WithResource("workloads"), client.FleetV1().Workloads)
	c, err := controller.New(workloads, r, controller.WithEventRecorder(recorder))
	if err != nil {
		return nil, err
	}
	r.writer = controller.Writer{Owner: c.Kind(), FieldManager: "rollout", Recorder: recorder}
	r.deployments, err = controller.Own(c, informer.Namespaced(
		kube, appsv1.SchemeGroupVersion.WithResource("deployments"), kube.AppsV1().Deployments))
	return c, err
}

// Reconcile applies the deployment and updates the status.
func (r *rolloutReconciler) Reconcile(ctx context.Context, workload *fleetv1.Workload) (controller.Result, error) {
	before := workload.DeepCopy()
	desired := []*appsv1apply.DeploymentApplyConfiguration{appsv1apply.Deployment(workload.Name, workload.Namespace)}
	err := controller.Sync(ctx, r.writer, workload, r.deployments.By, controller.Apply(r.kube.AppsV1().Deployments, appsv1apply.ExtractDeployment, desired))
	if err != nil {
		return controller.Result{}, err
	}
	workload.Status.ObservedGeneration = workload.Generation
	_, err = controller.UpdateStatus(ctx, r.client.FleetV1().Workloads(workload.Namespace), before, workload)
	return controller.Result{}, err
}

// ReconcileDeleted does nothing.
func (r *rolloutReconciler) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// A test of one reconcile. In generated code, the strict clientset is fake.NewStrictClientset().
func ExampleReconcile() {
	t := exampleT{} // a *testing.T

	client, kube := newStrictClientset(t), kubefake.NewClientset()
	env := controllertest.New(t, client, kube)
	got := controllertest.Reconcile(env, func() (*controller.Controller[*fleetv1.Workload], error) {
		return NewController(client, kube, env.Recorder)
	}, &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}})

	fmt.Println(got.Result, got.Err)
	fmt.Println("observed generation:", got.Object.Status.ObservedGeneration)
	for _, line := range append(controllertest.Lines(got.Writes), controllertest.Lines(got.Events)...) {
		fmt.Println(line)
	}
	// Output:
	// {0s} <nil>
	// observed generation: 1
	// apply deployments shop/web
	// update workloads/status shop/web
	// Normal Created Created Deployment shop/web
}

// exampleT stands for the *testing.T that examples do not have. It has the methods that are called.
type exampleT struct{ testing.TB }

// Helper implements testing.TB.
func (exampleT) Helper() {}

// Context implements testing.TB.
func (exampleT) Context() context.Context { return context.Background() }

// Errorf implements testing.TB.
func (exampleT) Errorf(format string, args ...any) { fmt.Printf(format, args...) }

// FailNow implements testing.TB.
func (exampleT) FailNow() { panic("the example fails") }

// Fatalf implements testing.TB.
func (t exampleT) Fatalf(format string, args ...any) {
	t.Errorf(format, args...)
	t.FailNow()
}
