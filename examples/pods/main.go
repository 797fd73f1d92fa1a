// Command pods prints a line for each pod that appears, changes or vanishes. It is a controller for a kind of client-go, without
// generated code: four workers, and up to five retries of a pod whose line cannot be printed.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// reporter is a reconciler of pods.
type reporter struct {
	report func(line string) error
}

// Reconcile is called for each pod at the start, and after its changes.
func (r reporter) Reconcile(_ context.Context, pod *corev1.Pod) (controller.Result, error) {
	return controller.Result{}, r.report(fmt.Sprintf("pod %s/%s is %s", pod.Namespace, pod.Name, pod.Status.Phase))
}

// ReconcileDeleted is called for each pod that is gone.
func (r reporter) ReconcileDeleted(_ context.Context, name cache.ObjectName) error {
	return r.report(fmt.Sprintf("pod %s has vanished", name))
}

// newController returns a controller for the pods of all namespaces.
func newController(kube kubernetes.Interface, report func(line string) error) (*controller.Controller[*corev1.Pod], error) {
	pods := informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods)
	return controller.New(pods, reporter{report}, controller.WithWorkers(4), controller.WithMaxRetries(5))
}

func run(ctx context.Context) error {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err != nil {
		return err
	}
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	pods, err := newController(kube, func(line string) error {
		_, err := fmt.Fprintln(os.Stdout, line)
		return err
	})
	if err != nil {
		return err
	}
	return pods.Run(ctx)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pods:", err)
		os.Exit(1)
	}
}
