// Command fakes runs the controller for workloads on strict fakes, which answer as an API server does, and prints what happens. Tests on
// fakes are in the package of the controller.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	kubeapply "k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/retry"
	"k8s.io/klog/v2"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/examples/internal/controller/workload"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard) // the controller's log
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fakes:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) (err error) {
	// One server behind two clientsets: resource versions and garbage collection work across both.
	server := strictfake.NewServer()
	north := &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}
	client, kube := fake.NewStrictClientsetFor(server, north), kubefake.NewClientset()
	if err := server.Serve(kube, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)); err != nil {
		return err
	}
	controller, err := workload.New(client, kube, &events.FakeRecorder{})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error)
	go func() { ended <- controller.Run(ctx) }()
	defer func() {
		stop()
		err = errors.Join(err, <-ended)
	}()

	return change(ctx, out, client, kube)
}

// change creates and updates a workload, and waits for the controller each time.
func change(ctx context.Context, out io.Writer, client versioned.Interface, kube kubernetes.Interface) error {
	fmt.Fprintln(out, "create Workload web")
	workloads := client.FleetV1().Workloads("shop")
	web := &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: fleetv1.WorkloadSpec{
		RegionName: "north", Template: fleetv1.WorkloadTemplate{Image: "web:1"},
	}}
	web, err := workloads.Create(ctx, web, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	changes, err := workloads.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	if err := revision(changes, 1); err != nil {
		return err
	}
	deployment, err := kube.AppsV1().Deployments("shop").Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "  the controller has created Deployment", deployment.Name, "with image", deployment.Spec.Template.Spec.Containers[0].Image)

	fmt.Fprintln(out, "update a copy that is older than the controller's update of the status")
	web.Spec.Template.Image = "web:2"
	_, err = workloads.Update(ctx, web, metav1.UpdateOptions{})
	fmt.Fprintln(out, "  the fake answers:", err)

	fmt.Fprintln(out, "update a fresh copy")
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		fresh, err := workloads.Get(ctx, "web", metav1.GetOptions{})
		if err != nil {
			return err
		}
		fresh.Spec.Template.Image = "web:2"
		_, err = workloads.Update(ctx, fresh, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return err
	}
	if err := revision(changes, 2); err != nil {
		return err
	}
	fmt.Fprintln(out, "  the controller has recorded revision 2")
	return nil
}

// revision waits until the status has a revision.
func revision(changes watch.Interface, want int64) error {
	for change := range changes.ResultChan() {
		if web, ok := change.Object.(*fleetv1.Workload); ok && web.Status.CurrentRevision == want {
			return nil
		}
	}
	return errors.New("the watch has ended")
}
