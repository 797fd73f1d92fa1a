package tests

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	fleetv1informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// The strict fake rejects updates of stale objects, as an API server does.
func Example_strictFake() {
	ctx := context.Background()
	regions := fake.NewStrictClientset(&fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}).FleetV1().Regions()

	region, err := regions.Get(ctx, "north", metav1.GetOptions{})
	if err != nil {
		panic(err)
	}
	stale := region.DeepCopy()
	region.Labels = map[string]string{"tier": "production"}
	if _, err := regions.Update(ctx, region, metav1.UpdateOptions{}); err != nil {
		panic(err)
	}
	stale.Labels = map[string]string{"tier": "test"}
	_, err = regions.Update(ctx, stale, metav1.UpdateOptions{})
	fmt.Println("conflict:", apierrors.IsConflict(err))
	// Output: conflict: true
}

// Handlers of typed informers receive Workloads instead of any.
func Example_typedInformers() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	client := fake.NewStrictClientset(&fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}})
	factory, err := informers.New(client, informer.WithNamespaces("shop"))
	if err != nil {
		panic(err)
	}
	defer factory.Shutdown()

	added := make(chan string, 1)
	workloads := factory.Fleet().V1().Workloads()
	_, err = workloads.TypedInformer().AddTypedEventHandler(fleetv1informers.WorkloadHandlerFuncs{
		AddFunc: func(workload *fleetv1.Workload) { added <- workload.Name },
	})
	if err != nil {
		panic(err)
	}
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		panic(err)
	}
	fmt.Println("added:", <-added)
	workload, err := workloads.Lister().Workloads("shop").Get("web")
	if err != nil {
		panic(err)
	}
	fmt.Println("listed:", workload.Name)
	cancel()
	// Output:
	// added: web
	// listed: web
}

// labeler is a reconciler that labels regions.
type labeler struct {
	client *fake.Clientset
	done   chan string
}

func (l *labeler) Reconcile(ctx context.Context, region *fleetv1.Region) (controller.Result, error) {
	if region.Labels["tier"] == "production" {
		l.done <- region.Name
		return controller.Result{}, nil
	}
	region.Labels = map[string]string{"tier": "production"} // region is a copy
	_, err := l.client.FleetV1().Regions().Update(ctx, region, metav1.UpdateOptions{})
	return controller.Result{}, err
}

func (l *labeler) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// A controller calls its reconciler for each region, and again when a region changes.
func Example_controller() {
	client := fake.NewStrictClientset(&fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}})
	reconciler := &labeler{client, make(chan string, 1)}
	regions, err := fleetv1controllers.NewRegionController(client, reconciler)
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- regions.Run(ctx) }()

	fmt.Println("labeled:", <-reconciler.done)
	cancel()
	fmt.Println("ended:", <-ended)
	// Output:
	// labeled: north
	// ended: <nil>
}
