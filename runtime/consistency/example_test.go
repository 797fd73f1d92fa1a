package consistency_test

import (
	"context"
	"fmt"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

var secretResource = corev1.SchemeGroupVersion.WithResource("secrets")

// tokenReconciler makes a secret with a generated name for each item, unless the cache has one.
type tokenReconciler struct {
	queue   workqueue.TypedInterface[cache.ObjectName]
	tracker *consistency.Tracker
	secrets *informer.Informer[*corev1.Secret]
	client  consistency.Client[*corev1.Secret]
}

// processNext processes an item of the queue.
func (r *tokenReconciler) processNext(ctx context.Context) bool {
	name, shutdown := r.queue.Get()
	if shutdown {
		return false
	}
	defer r.queue.Done(name)
	if !r.tracker.Ready(name) {
		r.tracker.Notify(name, func() { r.queue.Add(name) })
		return true
	}
	ctx, session := r.tracker.Begin(ctx, name)
	defer session.End()
	if err := r.reconcile(ctx, name); err != nil {
		log.Print(err)
	}
	return true
}

func (r *tokenReconciler) reconcile(ctx context.Context, name cache.ObjectName) error {
	if lister.Len(r.secrets.Lister().In(name.Namespace)) > 0 {
		return nil
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{GenerateName: name.Name + "-"}}
	_, err := r.client.In(name.Namespace).Create(ctx, secret, metav1.CreateOptions{})
	return err
}

// A reconciler that is written by hand, with a work queue of its own. Without a tracker, each reconcile that comes before the watch
// event about the secret would make another one.
func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	kube := kubetest.NewClientset()
	source := informer.Namespaced(kube, secretResource, kube.CoreV1().Secrets)
	factory := informer.NewFactory(informer.WithNamespaces("bank", "shop"))
	defer factory.Shutdown()
	r := &tokenReconciler{
		queue:   workqueue.NewTyped[cache.ObjectName](),
		tracker: consistency.NewTracker(),
		secrets: informer.For(factory, source),
		client:  consistency.NewClient(source),
	}
	stop, err := consistency.Watch(r.tracker, r.secrets)
	if err != nil {
		log.Print(err)
		return
	}
	defer stop()
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		log.Print(err)
		return
	}

	for range 100 {
		r.queue.Add(cache.NewObjectName("bank", "token"))
		r.queue.Add(cache.NewObjectName("shop", "token"))
		r.processNext(ctx)
		r.processNext(ctx)
	}
	r.queue.ShutDown()
	for r.processNext(ctx) { // what is left
	}
	all, err := kube.CoreV1().Secrets("").List(ctx, metav1.ListOptions{})
	fmt.Println(len(all.Items), err)
	// Output: 2 <nil>
}

// Write, wait until the cache has what was written, and read from the cache.
func ExampleTracker_WaitFor() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	kube := kubetest.NewClientset()
	factory := informer.NewFactory()
	defer factory.Shutdown()
	secrets := informer.For(factory, informer.Namespaced(kube, secretResource, kube.CoreV1().Secrets))
	tracker := consistency.NewTracker()
	stop, err := consistency.Watch(tracker, secrets)
	if err != nil {
		log.Print(err)
		return
	}
	defer stop()
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		log.Print(err)
		return
	}

	me := cache.NewObjectName("", "example")
	ctx, session := tracker.Begin(ctx, me)
	_, err = consistency.Apply(ctx, kube.CoreV1().Secrets("shop"), corev1apply.Secret("token", "shop"),
		metav1.ApplyOptions{FieldManager: "example"})
	session.End()
	if err != nil {
		log.Print(err)
		return
	}
	if err := tracker.WaitFor(ctx, me); err != nil {
		log.Print(err)
		return
	}
	token, err := secrets.Lister().Get("shop", "token")
	fmt.Println(token.Name, err)
	// Output: token <nil>
}
