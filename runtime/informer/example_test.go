package informer_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	kubefake "k8s.io/client-go/kubernetes/fake"
	metadatafake "k8s.io/client-go/metadata/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

// The resources of the examples.
var (
	podResource    = corev1.SchemeGroupVersion.WithResource("pods")
	secretResource = corev1.SchemeGroupVersion.WithResource("secrets")
)

func pod(namespace, name, node string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: corev1.PodSpec{NodeName: node}}
}

func secret(namespace, name, app string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"app": app}}}
}

// An informer for Pods of client-go's clientset. Go infers the type of the objects from the client.
func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	kube := kubefake.NewClientset(pod("shop", "web-0", "node-1"), pod("shop", "web-1", "node-2"))

	factory := informer.NewFactory()
	defer factory.Shutdown()
	pods := informer.For(factory, informer.Namespaced(kube, podResource, kube.CoreV1().Pods))
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		log.Print(err)
		return
	}

	web, err := pods.Lister().Get("shop", "web-0")
	fmt.Println(web.Spec.NodeName, err)
	_, err = pods.Lister().Get("shop", "db-0")
	fmt.Println(err)
	// Output:
	// node-1 <nil>
	// pods "db-0" not found
}

// Handlers receive typed objects.
func ExampleInformer_AddHandler() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	kube := kubefake.NewClientset(pod("shop", "web-0", "node-1"))
	factory := informer.NewFactory()
	defer factory.Shutdown()
	pods := informer.For(factory, informer.Namespaced(kube, podResource, kube.CoreV1().Pods))

	seen := make(chan string)
	_, err := pods.AddHandler(informer.HandlerFuncs[*corev1.Pod]{
		Added: func(pod *corev1.Pod, initial bool) {
			seen <- fmt.Sprintf("added %s, initially: %t", pod.Name, initial)
		},
		Updated: func(before, after *corev1.Pod) {
			seen <- fmt.Sprintf("updated %s: node %q is now %q", after.Name, before.Spec.NodeName, after.Spec.NodeName)
		},
		Deleted: func(name cache.ObjectName, last *corev1.Pod) {
			seen <- fmt.Sprintf("deleted %s, last state known: %t", name, last != nil)
		},
	})
	if err != nil {
		log.Print(err)
		return
	}
	factory.StartWithContext(ctx)
	fmt.Println(<-seen)

	client := kube.CoreV1().Pods("shop")
	_, _ = client.Create(ctx, pod("shop", "web-1", ""), metav1.CreateOptions{})
	fmt.Println(<-seen)
	_, _ = client.Update(ctx, pod("shop", "web-1", "node-2"), metav1.UpdateOptions{})
	fmt.Println(<-seen)
	_ = client.Delete(ctx, "web-1", metav1.DeleteOptions{})
	fmt.Println(<-seen)
	// Output:
	// added web-0, initially: true
	// added web-1, initially: false
	// updated web-1: node "" is now "node-2"
	// deleted shop/web-1, last state known: true
}

// An informer for several namespaces needs a Role in each of them, and no ClusterRole.
func ExampleWithNamespaces() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	kube := kubefake.NewClientset(pod("bank", "db-0", ""), pod("blog", "web-0", ""), pod("shop", "web-0", ""))
	factory := informer.NewFactory(informer.WithNamespaces("bank", "shop"))
	defer factory.Shutdown()
	pods := informer.For(factory, informer.Namespaced(kube, podResource, kube.CoreV1().Pods))
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		log.Print(err)
		return
	}
	for _, object := range lister.Sorted(pods.Lister()) {
		fmt.Println(object.Namespace, object.Name)
	}
	// Output:
	// bank db-0
	// shop web-0
}

// The namespaces of running informers can change. The cache has the objects of new namespaces when SetNamespaces returns.
func ExampleFactory_SetNamespaces() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	kube := kubefake.NewClientset(pod("bank", "db-0", ""), pod("blog", "web-0", ""), pod("shop", "web-0", ""))
	factory := informer.NewFactory(informer.WithNamespaces("bank", "shop"))
	defer factory.Shutdown()
	pods := informer.For(factory, informer.Namespaced(kube, podResource, kube.CoreV1().Pods))
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		log.Print(err)
		return
	}

	ctx, stop := context.WithTimeout(ctx, time.Minute) // for the lists of new namespaces
	defer stop()
	if err := factory.SetNamespaces(ctx, "shop", "blog"); err != nil {
		log.Print(err) // the namespaces are those of before
	}
	for _, object := range lister.Sorted(pods.Lister()) {
		fmt.Println(object.Namespace, object.Name)
	}
	// Output:
	// blog web-0
	// shop web-0
}

// Options can differ by kind: all Pods are cached, but only the Secrets of one application.
func ExampleForKind() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	kube := kubefake.NewClientset(pod("shop", "web-0", ""), secret("shop", "web-tls", "web"), secret("shop", "db-password", "db"))
	factory := informer.NewFactory(
		informer.WithNamespaces("shop"),
		informer.ForKind[*corev1.Secret](informer.WithLabels(labels.SelectorFromSet(labels.Set{"app": "web"}))),
	)
	defer factory.Shutdown()
	pods := informer.For(factory, informer.Namespaced(kube, podResource, kube.CoreV1().Pods))
	secrets := informer.For(factory, informer.Namespaced(kube, secretResource, kube.CoreV1().Secrets))
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		log.Print(err)
		return
	}
	for _, object := range lister.Sorted(pods.Lister()) {
		fmt.Println(object.Namespace, object.Name)
	}
	for _, object := range lister.Sorted(secrets.Lister()) {
		fmt.Println(object.Namespace, object.Name)
	}
	// Output:
	// shop web-0
	// shop web-tls
}

// byNode finds the Pods of a node.
var byNode = lister.NewIndex("spec.nodeName", func(pod *corev1.Pod) []string { return []string{pod.Spec.NodeName} })

// An index finds objects by a property.
func ExampleWithIndexers() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	kube := kubefake.NewClientset(pod("bank", "db-0", "node-1"), pod("shop", "web-0", "node-1"), pod("shop", "web-1", "node-2"))
	factory := informer.NewFactory()
	defer factory.Shutdown()
	pods := informer.For(factory, informer.Namespaced(kube, podResource, kube.CoreV1().Pods),
		informer.WithIndexers(lister.Indexers(byNode)))
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		log.Print(err)
		return
	}
	everywhere, err := byNode.Get(pods, "node-1")
	fmt.Println(len(everywhere), err)
	inShop, err := byNode.In(pods, "shop", "node-1")
	fmt.Println(inShop[0].Name, err)
	// Output:
	// 2 <nil>
	// web-0 <nil>
}

// An informer for metadata needs little memory, and knows which objects there are.
func ExampleMetadata() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	scheme := metadatafake.NewTestScheme()
	_ = metav1.AddMetaToScheme(scheme)
	client := metadatafake.NewSimpleMetadataClient(scheme, &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-tls"},
	})
	factory := informer.NewFactory()
	defer factory.Shutdown()
	secrets := informer.For(factory, informer.Metadata(client, secretResource, true))
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		log.Print(err)
		return
	}
	fmt.Println(lister.Exists(secrets.Lister().In("shop"), "web-tls"))
	// Output: true
}

// WaitForSync says what keeps informers from syncing.
func ExampleFactory_WaitForSync() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	kube := kubefake.NewClientset()
	forbidden := apierrors.NewForbidden(podResource.GroupResource(), "", errors.New(`User "alice" cannot list resource "pods" in the namespace "bank"`))
	kube.PrependReactor("list", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		return action.GetNamespace() == "bank", nil, forbidden
	})
	kube.PrependWatchReactor("pods", func(action clienttesting.Action) (bool, watch.Interface, error) {
		return action.GetNamespace() == "bank", nil, forbidden
	})

	ignore := func(context.Context, *cache.Reflector, error) {} // by default, errors are also logged
	factory := informer.NewFactory(informer.WithNamespaces("bank", "shop"), informer.WithWatchErrorHandler(ignore))
	defer factory.Shutdown()
	informer.For(factory, informer.Namespaced(kube, podResource, kube.CoreV1().Pods))
	factory.StartWithContext(ctx)
	fmt.Println(factory.WaitForSync(ctx))
	// Output:
	// informers cannot sync
	// pods in namespace "bank": forbidden: User "alice" cannot list resource "pods" in the namespace "bank"
}

// Describe is for debugging, for instance for a page of the process. It prints as a table and marshals to JSON.
func ExampleFactory_Describe() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	kube := kubefake.NewClientset(pod("shop", "web-0", ""), pod("shop", "web-1", ""))
	factory := informer.NewFactory(informer.WithNamespaces("shop"))
	defer factory.Shutdown()
	informer.For(factory, informer.Namespaced(kube, podResource, kube.CoreV1().Pods))
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		log.Print(err)
		return
	}
	for _, status := range factory.Describe() {
		fmt.Println(status.Resource, status.Version, status.Namespaces, status.Objects, status.Synced)
	}
	// Output: pods v1 [shop] 2 true
}

// Acquire runs an informer until the last user releases it.
func ExampleInformer_Acquire() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	kube := kubefake.NewClientset(pod("shop", "web-0", ""))
	factory := informer.NewFactory()
	defer factory.Shutdown()
	pods := informer.For(factory, informer.Namespaced(kube, podResource, kube.CoreV1().Pods))

	release, err := pods.Acquire(ctx)
	if err != nil {
		log.Print(err)
		return
	}
	if err := factory.WaitForSync(ctx); err != nil {
		log.Print(err)
	}
	fmt.Println(pods.Describe().Objects, pods.Describe().Running)
	release()
	_ = pods.Stop(ctx) // waits for the end
	fmt.Println(pods.Describe().Objects, pods.Describe().Running)
	// Output:
	// 1 true
	// 1 false
}

// StartWhenServed waits for a CustomResourceDefinition. The fake clientset serves no resources, so the informer does not start.
func ExampleInformer_StartWhenServed() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	kube := kubefake.NewClientset(pod("shop", "web-0", ""))
	factory := informer.NewFactory()
	defer factory.Shutdown()
	pods := informer.For(factory, informer.Namespaced(kube, podResource, kube.CoreV1().Pods))
	if err := pods.StartWhenServed(ctx); err != nil {
		log.Print(err)
		return
	}
	fmt.Println(factory.WaitForSync(ctx), pods.Describe().Unserved)
	// Output: <nil> true
}

// Code that was written for client-go's informers can use the informer in their form.
func ExampleInformer_Shared() {
	kube := kubefake.NewClientset()
	pods := informer.For(informer.NewFactory(), informer.Namespaced(kube, podResource, kube.CoreV1().Pods))
	_, err := pods.Shared().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) { fmt.Println(obj.(*corev1.Pod).Name) }})
	fmt.Println(err)
	// Output: <nil>
}
