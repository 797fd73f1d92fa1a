package controller_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

// The resources of the examples.
var (
	podResource        = corev1.SchemeGroupVersion.WithResource("pods")
	deploymentResource = appsv1.SchemeGroupVersion.WithResource("deployments")
	workloadResource   = fleetv1.SchemeGroupVersion.WithResource("workloads")
)

func pod(namespace, name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
}

func workload(name string) *fleetv1.Workload {
	return &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: "uid-of-workload"}}
}

// start runs a controller until stop is called.
func start[T controller.Object](c *controller.Controller[T]) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- c.Run(ctx) }()
	return func() {
		cancel()
		if err := <-done; err != nil {
			log.Print(err)
		}
	}
}

// podReconciler reports what it sees of pods.
type podReconciler struct{ lines chan<- string }

// Reconcile is called for each pod that is there, and after each of its changes.
func (r podReconciler) Reconcile(_ context.Context, pod *corev1.Pod) (controller.Result, error) {
	r.lines <- fmt.Sprintf("pod %s is %q", pod.Name, pod.Status.Phase)
	if pod.Status.Phase == corev1.PodFailed {
		return controller.Result{}, errors.New("it has failed")
	}
	return controller.Result{}, nil
}

// ReconcileDeleted is called for each pod that vanishes.
func (r podReconciler) ReconcileDeleted(_ context.Context, name cache.ObjectName) error {
	r.lines <- fmt.Sprintf("pod %s has vanished", name.Name)
	return nil
}

// A controller for the Pods of client-go's clientset, with four workers and up to two retries. It reports which pods have vanished.
func Example() {
	lines := make(chan string, 10)
	kube := kubefake.NewClientset(pod("shop", "web-0"))
	pods := informer.Namespaced(kube, podResource, kube.CoreV1().Pods)
	c, err := controller.New(pods, podReconciler{lines}, controller.WithWorkers(4), controller.WithMaxRetries(2),
		controller.WithGaveUp(func(_ context.Context, name cache.ObjectName, err error) {
			lines <- fmt.Sprintf("gave up %s: %v", name.Name, err)
		}))
	if err != nil {
		log.Print(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- c.Run(ctx) }()
	fmt.Println(<-lines)

	failed := pod("shop", "web-0")
	failed.Status.Phase = corev1.PodFailed
	_, _ = kube.CoreV1().Pods("shop").UpdateStatus(ctx, failed, metav1.UpdateOptions{})
	for range 4 {
		fmt.Println(<-lines)
	}
	_ = kube.CoreV1().Pods("shop").Delete(ctx, "web-0", metav1.DeleteOptions{})
	fmt.Println(<-lines)
	stop()
	fmt.Println(<-done)
	// Output:
	// pod web-0 is ""
	// pod web-0 is "Failed"
	// pod web-0 is "Failed"
	// pod web-0 is "Failed"
	// gave up web-0: it has failed
	// pod web-0 has vanished
	// <nil>
}

// workloadReconciler gives each workload a deployment.
type workloadReconciler struct {
	kube        *kubefake.Clientset
	deployments *controller.Owned[*appsv1.Deployment]
}

var writer = controller.Writer{Owner: fleetv1.SchemeGroupVersion.WithKind("Workload"), FieldManager: "example"}

// Reconcile applies the deployment.
func (r *workloadReconciler) Reconcile(ctx context.Context, workload *fleetv1.Workload) (controller.Result, error) {
	replicas := int32(1)
	if workload.Spec.Replicas != nil {
		replicas = *workload.Spec.Replicas
	}
	desired := appsv1apply.Deployment(workload.Name, workload.Namespace).WithSpec(appsv1apply.DeploymentSpec().WithReplicas(replicas))
	return controller.Result{}, controller.Sync(ctx, writer, workload, r.deployments.By,
		controller.Apply(r.kube.AppsV1().Deployments, appsv1apply.ExtractDeployment, []*appsv1apply.DeploymentApplyConfiguration{desired}))
}

// ReconcileDeleted does nothing: the garbage collector deletes what a workload owns.
func (r *workloadReconciler) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

func workloadSource(client versioned.Interface) informer.Source[*fleetv1.Workload] {
	return informer.Namespaced(client, workloadResource, client.FleetV1().Workloads)
}

// A controller that keeps an owned object of client-go's clientset as desired, whoever changes or deletes it.
func ExampleOwn() {
	ctx := context.Background()
	client, kube := fake.NewClientset(workload("web")), kubetest.NewClientset()
	r := &workloadReconciler{kube: kube}
	options := []controller.Option{
		// Sync finds differences by the fields that it applied before.
		controller.WithInformers(informer.WithManagedFields(writer.FieldManager)),
	}
	c, err := controller.New(workloadSource(client), r, options...)
	if err != nil {
		log.Print(err)
		return
	}
	r.deployments, err = controller.Own(c, informer.Namespaced(kube, deploymentResource, kube.AppsV1().Deployments))
	if err != nil {
		log.Print(err)
		return
	}
	changes, err := kube.AppsV1().Deployments("shop").Watch(ctx, metav1.ListOptions{})
	if err != nil {
		log.Print(err)
		return
	}
	defer start(c)()
	for n := range 3 {
		event := <-changes.ResultChan()
		deployment := event.Object.(*appsv1.Deployment)
		owner := metav1.GetControllerOf(deployment)
		fmt.Println(event.Type, deployment.Name, "of", owner.Kind, owner.Name)
		if n == 0 {
			_ = kube.AppsV1().Deployments("shop").Delete(ctx, "web", metav1.DeleteOptions{})
		}
	}
	changes.Stop()
	// Output:
	// ADDED web of Workload web
	// DELETED web of Workload web
	// ADDED web of Workload web
}

// A controller that also reconciles a pod when another system says so.
func ExampleWatchChannel() {
	lines, pushes := make(chan string), make(chan string)
	defer close(pushes)
	kube := kubefake.NewClientset(pod("shop", "web"))
	c, err := controller.New(informer.Namespaced(kube, podResource, kube.CoreV1().Pods), podReconciler{lines})
	if err != nil {
		log.Print(err)
		return
	}
	err = controller.WatchChannel(c, pushes, func(name string) []cache.ObjectName {
		return []cache.ObjectName{{Namespace: "shop", Name: name}}
	})
	if err != nil {
		log.Print(err)
		return
	}
	defer start(c)()
	fmt.Println(<-lines)
	pushes <- "web"
	fmt.Println(<-lines)
	// Output:
	// pod web is ""
	// pod web is ""
}

// dnsReconciler has something outside of the cluster to clean up.
type dnsReconciler struct {
	records sync.Map
	lines   chan<- string
}

// Reconcile is called for workloads that have the finalizer.
func (r *dnsReconciler) Reconcile(_ context.Context, workload *fleetv1.Workload) (controller.Result, error) {
	if _, registered := r.records.Swap(workload.Name, true); !registered {
		r.lines <- fmt.Sprint("registered ", workload.Name, " with finalizers ", workload.Finalizers)
	}
	return controller.Result{}, nil
}

// Finalize is called for workloads that are being deleted, and again if the finalizer could not be removed.
func (r *dnsReconciler) Finalize(_ context.Context, workload *fleetv1.Workload) error {
	if _, registered := r.records.LoadAndDelete(workload.Name); registered {
		r.lines <- "unregistered " + workload.Name
	}
	return nil
}

// ReconcileDeleted is called when nothing is left of a workload.
func (r *dnsReconciler) ReconcileDeleted(_ context.Context, name cache.ObjectName) error {
	r.lines <- name.Name + " is gone"
	return nil
}

// A finalizer delays the deletion of an object until Finalize has returned nil.
func ExampleWithFinalizer() {
	ctx := context.Background()
	lines := make(chan string, 10)
	client := strictClientset(workload("web"))
	c, err := controller.New(workloadSource(client), &dnsReconciler{lines: lines},
		controller.WithFinalizer("example.com/dns"))
	if err != nil {
		log.Print(err)
		return
	}
	defer start(c)()
	fmt.Println(<-lines)
	_ = client.FleetV1().Workloads("shop").Delete(ctx, "web", metav1.DeleteOptions{})
	fmt.Println(<-lines)
	fmt.Println(<-lines)
	// Output:
	// registered web with finalizers [example.com/dns]
	// unregistered web
	// web is gone
}

// Several namespaces, each with its own list and watch: a Role in each of them suffices. They can be changed at run time.
func ExampleWithInformers() {
	lines := make(chan string, 10)
	kube := kubefake.NewClientset(pod("bank", "vault"), pod("blog", "post"), pod("shop", "web-0"))
	pods := informer.Namespaced(kube, podResource, kube.CoreV1().Pods)
	c, err := controller.New(pods, podReconciler{lines}, controller.WithWorkers(1),
		controller.WithInformers(informer.WithNamespaces("bank", "shop")))
	if err != nil {
		log.Print(err)
		return
	}
	defer start(c)()
	seen := map[string]bool{<-lines: true, <-lines: true}
	fmt.Println(seen)
	err = c.Factory().SetNamespaces(context.Background(), "bank", "blog")
	fmt.Println(<-lines, err)
	// Output:
	// map[pod vault is "":true pod web-0 is "":true]
	// pod post is "" <nil>
}

// One of several replicas reconciles. The others fill their caches, so that one of them can take over at once.
func ExampleWithElected() {
	lines, elected := make(chan string, 10), make(chan struct{})
	kube := kubefake.NewClientset(pod("shop", "web-0"))
	pods := informer.Namespaced(kube, podResource, kube.CoreV1().Pods)
	c, err := controller.New(pods, podReconciler{lines}, controller.WithElected(elected))
	if err != nil {
		log.Print(err)
		return
	}
	defer start(c)()
	for !c.HasSynced() {
		time.Sleep(time.Millisecond)
	}
	fmt.Println("standby")

	ctx, lose := context.WithCancel(context.Background())
	defer lose()
	go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Name: "example",
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: "system", Name: "example"},
			Client:     kube.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: "replica-1"},
		},
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { close(elected) },
			OnStoppedLeading: func() {}, // a program exits here, at once
		},
	})
	fmt.Println(<-lines)
	// Output:
	// standby
	// pod web-0 is ""
}

// The status is only written if it differs.
func ExampleUpdateStatus() {
	ctx := context.Background()
	client := strictClientset(workload("web"))
	workloads := client.FleetV1().Workloads("shop")
	before, err := workloads.Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		log.Print(err)
		return
	}
	for range 2 {
		after := before.DeepCopy()
		changed := controller.SetCondition(after, &after.Status.Conditions, metav1.Condition{
			Type: "Ready", Status: metav1.ConditionTrue, Reason: "Reconciled", Message: "All objects are reconciled",
		})
		written, err := controller.UpdateStatus(ctx, workloads, before, after)
		fmt.Println(changed, written.ResourceVersion != before.ResourceVersion, err)
		before = written
	}
	// Output:
	// true true <nil>
	// false false <nil>
}

// Errors that a retry cannot fix drop the object until its next event.
func ExampleTerminalError() {
	err := controller.TerminalError(errors.New("spec.image is no reference"))
	fmt.Println(err, controller.ReasonOf(err))
	// Output: spec.image is no reference Failed
}
