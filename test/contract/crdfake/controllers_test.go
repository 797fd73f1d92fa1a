package crdfake_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/crdfake"
	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	fleetv1beta1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
	"github.com/informer-gen-lite/informer-gen-lite/test/contract/conversion"
	"github.com/informer-gen-lite/informer-gen-lite/test/contract/extended"
)

// repeater is a reconciler that does what it should not do: it updates each object with exactly what it has read. It notes the resource
// versions that it reads, in order.
type repeater[T informer.Object] struct {
	update updateFunc[T]
	read   map[string][]string
}

type updateFunc[T any] = func(context.Context, T, metav1.UpdateOptions) (T, error)

func (r *repeater[T]) Reconcile(ctx context.Context, object T) (controller.Result, error) {
	r.read[object.GetName()] = append(r.read[object.GetName()], object.GetResourceVersion())
	_, err := r.update(ctx, object, metav1.UpdateOptions{})
	return controller.Result{}, err
}

func (r *repeater[T]) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// assertOneWrite runs a controller that updates objects of namespace shop without a change. The first update of each object is a write, as on
// a server, and wakes the controller once more. Later updates write nothing.
func assertOneWrite[T informer.Object](t *testing.T, source informer.Source[T], update updateFunc[T], names ...string) {
	t.Helper()
	r := &repeater[T]{update, map[string][]string{}}
	c, err := controller.New(source, r, controller.WithWorkers(1))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	synctest.Wait()
	for _, name := range names {
		read := r.read[name]
		if assert.Len(t, read, 2, name) {
			assert.NotEqual(t, read[0], read[1], name)
			c.Enqueue(cache.NewObjectName("shop", name))
			synctest.Wait()
			assert.Equal(t, append(read, read[1]), r.read[name], "it is settled")
		}
	}
	cancel()
	require.NoError(t, <-done)
}

// TestControllersSurviveNewDefaults gives a definition a default after objects were stored without it.
func TestControllersSurviveNewDefaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewStrictClientset()
		tunnels := client.EdgeNetworkV1alpha1().Tunnels("shop")
		for _, name := range []string{"a", "b"} {
			tunnel := &edgev1alpha1.Tunnel{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: edgev1alpha1.TunnelSpec{Peer: "p"}}
			_, err := tunnels.Create(t.Context(), tunnel, metav1.CreateOptions{})
			require.NoError(t, err)
		}
		use(t, client)
		assertOneWrite(t, externalversions.TunnelSource(client), tunnels.Update, "a", "b")
	})
}

// TestControllersSurviveDefaultsOfTheStatus reads defaults that no request has stored.
func TestControllersSurviveDefaultsOfTheStatus(t *testing.T) {
	for name, update := range map[string]func(fleetv1beta1client.GatewayInterface) updateFunc[*fleetv1beta1.Gateway]{
		"update":               func(g fleetv1beta1client.GatewayInterface) updateFunc[*fleetv1beta1.Gateway] { return g.Update },
		"update of the status": func(g fleetv1beta1client.GatewayInterface) updateFunc[*fleetv1beta1.Gateway] { return g.UpdateStatus },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := fake.NewStrictClientset()
				crds, err := crdfake.Load("../../../examples/config/crd")
				require.NoError(t, err)
				require.NoError(t, extended.Definitions(crds...))
				require.NoError(t, crdfake.Use(client, crds...))
				gateways := client.FleetV1beta1().Gateways("shop")
				created, err := gateways.Create(t.Context(), &fleetv1beta1.Gateway{
					ObjectMeta: metav1.ObjectMeta{Name: "a"},
					Spec:       fleetv1beta1.GatewaySpec{Listeners: []fleetv1beta1.GatewayListener{{Port: 80, WorkloadName: "web"}}},
				}, metav1.CreateOptions{})
				require.NoError(t, err)
				require.NotEmpty(t, created.Status.Addresses)
				assertOneWrite(t, externalversions.GatewaySource(client), update(gateways), "a")
			})
		})
	}
}

// TestControllersSurviveLossyVersions updates objects through a version that lacks a field.
func TestControllersSurviveLossyVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewStrictClientsetFor(strictfake.NewServer(strictfake.WithConversion(conversion.ConvertObject)))
		use(t, client)
		workload := &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
		workload.Spec.RegionName, workload.Spec.Template.Image = "north", "web"
		workload.Spec.Template.Labels = map[string]string{"only": "v1"}
		_, err := client.FleetV1().Workloads("shop").Create(t.Context(), workload, metav1.CreateOptions{})
		require.NoError(t, err)
		assertOneWrite(t, externalversions.FleetV1beta1WorkloadSource(client), client.FleetV1beta1().Workloads("shop").Update, "a")
		stored, err := client.FleetV1().Workloads("shop").Get(t.Context(), "a", metav1.GetOptions{})
		require.NoError(t, err)
		assert.Empty(t, stored.Spec.Template.Labels, "the field is gone, as on a server")
	})
}
