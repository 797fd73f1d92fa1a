// Command informer prints the pods of the cluster, and then each change. It needs no generated code.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "informer:", err)
		os.Exit(1)
	}
}

// run watches the pods of the cluster that the kubeconfig names.
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
	return watch(ctx, kube, func(line string) { fmt.Fprintln(os.Stdout, line) })
}

// watch prints changes of pods until ctx is done. If the pods cannot be listed, it returns the API server's reason.
func watch(ctx context.Context, kube kubernetes.Interface, report func(string)) error {
	factory := informer.NewFactory()
	defer factory.Shutdown()
	pods := informer.For(factory, informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods))
	_, err := pods.AddHandler(informer.HandlerFuncs[*corev1.Pod]{
		Added: func(pod *corev1.Pod, _ bool) {
			report(pod.Namespace + "/" + pod.Name + " is " + string(pod.Status.Phase))
		},
		Updated: func(_, pod *corev1.Pod) { report(pod.Namespace + "/" + pod.Name + " is " + string(pod.Status.Phase)) },
		Deleted: func(name cache.ObjectName, _ *corev1.Pod) { report(name.String() + " is gone") },
	})
	if err != nil {
		return err
	}
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
