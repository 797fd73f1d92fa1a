package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
)

// crdDir has the CustomResourceDefinitions of the examples.
var crdDir = "../../examples/config/crd"

// patience is the timeout of everything. Working code needs far less.
const patience = 5 * time.Minute

// world is a server in a separate process, so that its cost is not attributed to the client, with clients for it.
type world struct {
	server *apiservertest.Process
	http   *http.Client
	client versioned.Interface
	kube   kubernetes.Interface
	// storage is the storage of the server.
	storage storage
	// names are the names of the workloads.
	names []cache.ObjectName

	// factory has all objects in its caches after warm.
	factory *informers.Factory
	cool    context.CancelFunc
}

// newWorld starts a server with the given number of workloads, and with features switched on or off.
func newWorld(ctx context.Context, dir string, objects int, gates map[string]bool) (*world, error) {
	server, err := apiservertest.StartProcess(ctx, apiservertest.Options{
		Dir: dir, CRDPaths: []string{crdDir}, AnyNamespace: true, NoControllers: true, FeatureGates: gates,
	})
	if err != nil {
		return nil, err
	}
	w := &world{server: server, cool: func() {}}
	if err := w.fill(ctx, objects); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

func (w *world) close() error {
	w.cool()
	if w.factory != nil {
		w.factory.Shutdown()
	}
	if w.http != nil {
		w.http.CloseIdleConnections()
	}
	if w.storage.Client != nil {
		_ = w.storage.Close() // all requests have been answered
	}
	return w.server.Terminate()
}

// fill connects and creates the objects.
func (w *world) fill(ctx context.Context, objects int) error {
	if err := w.connect(); err != nil {
		return err
	}
	var err error
	if w.names, err = storeWorkloads(ctx, w.client, w.storage, objects); err != nil {
		return err
	}
	list, err := w.client.FleetV1().Workloads(metav1.NamespaceAll).List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return err
	}
	if rest := list.RemainingItemCount; objects > 1 && (rest == nil || int(*rest) != objects-1) {
		return fmt.Errorf("the server has not the %d workloads that were stored", objects)
	}
	return nil
}

func (w *world) connect() (err error) {
	config := w.server.Config()
	if w.http, err = rest.HTTPClientFor(config); err != nil {
		return err
	}
	if w.client, err = versioned.NewForConfigAndClient(config, w.http); err != nil {
		return err
	}
	if w.kube, err = kubernetes.NewForConfigAndClient(config, w.http); err != nil {
		return err
	}
	w.storage, err = openStorage(w.server.Etcd())
	return err
}

// warm fills the caches of the factory, which all controllers share from then on: cold starts are measured separately. A second
// call does nothing.
func (w *world) warm(ctx context.Context) error {
	if w.factory != nil {
		return nil
	}
	factory, err := informers.New(w.client)
	if err != nil {
		return err
	}
	w.factory = factory
	// The controller requests the informers and the index by owner.
	if _, err := generated.make(w, 1, newTally(len(w.names), "")); err != nil {
		return err
	}
	ctx, w.cool = context.WithCancel(context.WithoutCancel(ctx))
	w.factory.StartWithContext(ctx)
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return w.factory.WaitForSync(waiting)
}

// clientGo returns a factory of client-go's informers with all workloads, without managed fields, and all revisions. stop ends it.
func (w *world) clientGo(ctx context.Context) (factory informers.SharedInformerFactory, stop func(), err error) {
	factory = informers.NewSharedInformerFactoryWithOptions(w.client, 0, informers.WithTransform(stripManagedFields))
	fleet := factory.Fleet().V1()
	fleet.Workloads().Informer()
	fleet.WorkloadRevisions().Informer()
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop = func() {
		cancel()
		factory.Shutdown()
	}
	factory.StartWithContext(running)
	waiting, done := context.WithTimeout(ctx, patience)
	defer done()
	if err := factory.WaitForCacheSyncWithContext(waiting).AsError(); err != nil {
		stop()
		return nil, nil, err
	}
	return factory, stop, nil
}
