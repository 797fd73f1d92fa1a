package consistency_test

import (
	"context"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corev1listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
)

// tokens makes a secret with a generated name in each namespace, unless the cache has one.
type tokens struct {
	kube    kubernetes.Interface
	tracker *consistency.Tracker
	queue   workqueue.TypedInterface[cache.ObjectName]
	secrets map[string]corev1listers.SecretNamespaceLister
}

// watch caches the secrets of a namespace.
func (c *tokens) watch(ctx context.Context, namespace string) (stop func(), err error) {
	factory := informers.NewSharedInformerFactoryWithOptions(c.kube, 0, informers.WithNamespace(namespace))
	secrets := factory.Core().V1().Secrets()
	selection := consistency.Selection{Resource: secretResource, Namespace: namespace}
	if _, err := consistency.WatchShared[*corev1.Secret](c.tracker, secrets.Informer(), selection); err != nil {
		return nil, err
	}
	c.secrets[namespace] = secrets.Lister().Secrets(namespace)
	factory.StartWithContext(ctx)
	return factory.Shutdown, factory.WaitForCacheSyncWithContext(ctx).AsError()
}

func (c *tokens) processNext(ctx context.Context) bool {
	name, shutdown := c.queue.Get()
	if shutdown {
		return false
	}
	defer c.queue.Done(name)
	if !c.tracker.Ready(name) { // the cache lacks writes of the last reconcile
		c.tracker.Notify(name, func() { c.queue.Add(name) })
		return true
	}
	ctx, session := c.tracker.Begin(ctx, name)
	defer session.End()
	if err := c.reconcile(ctx, name); err != nil {
		log.Print(err)
	}
	return true
}

func (c *tokens) reconcile(ctx context.Context, name cache.ObjectName) error {
	found, err := c.secrets[name.Namespace].List(labels.Everything())
	if err != nil || len(found) > 0 {
		return err
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{GenerateName: name.Name + "-"}}
	created, err := c.kube.CoreV1().Secrets(name.Namespace).Create(ctx, secret, metav1.CreateOptions{})
	return consistency.Record(ctx, secret, created, err)
}

// A controller on client-go's informers. Without the tracker, it would create secrets until a watch delivers the first one.
func Example_clientGo() {
	ctx, cancel := context.WithCancel(context.Background())
	c := &tokens{
		kube: kubetest.NewClientset(), tracker: consistency.NewTracker(), queue: workqueue.NewTyped[cache.ObjectName](),
		secrets: map[string]corev1listers.SecretNamespaceLister{},
	}
	for _, namespace := range []string{"bank", "shop"} {
		stop, err := c.watch(ctx, namespace)
		if err != nil {
			log.Print(err)
		}
		defer stop()
	}
	defer cancel()
	for n := range 100 {
		c.queue.Add(cache.NewObjectName([]string{"bank", "shop"}[n%2], "token"))
		c.processNext(ctx)
	}
	all, err := c.kube.CoreV1().Secrets("").List(ctx, metav1.ListOptions{})
	fmt.Println(len(all.Items), err)
	// Output: 2 <nil>
}
