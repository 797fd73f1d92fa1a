package tests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	autoscalingv1ac "k8s.io/client-go/applyconfigurations/autoscaling/v1"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	fleetac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

// customMethod is a method that a marker or an expansion adds to a client. One description covers both clients: the real one must
// send the exchange, and the fake one must record the action and return the result of a reactor.
type customMethod struct {
	exchange
	action sent
}

func TestCustomMethods(t *testing.T) {
	for _, method := range customMethods() {
		t.Run(method.name, func(t *testing.T) {
			t.Run("real", method.run)
			t.Run("fake", func(t *testing.T) {
				client := fake.NewSimpleClientset()
				client.PrependReactor("*", "*", answer(method.reply))
				got, err := method.call(t, client)
				require.NoError(t, err)
				assert.Equal(t, method.reply, got)
				assert.Equal(t, []sent{method.action}, sentBy(client))
			})
		})
	}
}

func customMethods() []customMethod {
	const workloads = "/apis/fleet.example.com/v1/namespaces/shop/workloads/web"
	scale := &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"},
		Spec:       autoscalingv1.ScaleSpec{Replicas: 5},
	}
	rollback := &fleetv1.WorkloadRollback{ToRevision: 3, Reason: "broken"}
	power := &fleetv1.ChassisPowerRequest{Power: fleetv1.PowerOff, Force: true}
	manifest := &fleetv1beta1.GatewayManifest{ObjectMeta: metav1.ObjectMeta{Name: "gw"}, Format: "nginx", Content: "server {}"}
	evacuation := &fleetv1beta1.Evacuation{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}, ChassisName: "c1"}
	held := region("north")
	held.Spec.Holds = []string{"billing"}

	return []customMethod{
		{
			exchange: exchange{
				name: "get of a subresource with a foreign result",
				call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
					return client.FleetV1().Workloads("shop").GetScale(t.Context(), "web", metav1.GetOptions{ResourceVersion: "0"})
				},
				method: "GET", path: workloads + "/scale", query: "resourceVersion=0",
				reply: scale,
			},
			action: sent{"get", "workloads.fleet.example.com/v1", "scale", "shop", "web"},
		},
		{
			exchange: exchange{
				name: "update of a subresource with foreign input and result",
				call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
					return client.FleetV1().Workloads("shop").UpdateScale(t.Context(), "web", scale, metav1.UpdateOptions{FieldManager: "tests"})
				},
				method: "PUT", path: workloads + "/scale", query: "fieldManager=tests",
				body: scale, bodyKind: autoscalingv1.SchemeGroupVersion.WithKind("Scale"),
				reply: scale,
			},
			action: sent{"update", "workloads.fleet.example.com/v1", "scale", "shop", "web"},
		},
		{
			exchange: exchange{
				name: "apply of a subresource with foreign input and result",
				call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
					applied := autoscalingv1ac.Scale().WithSpec(autoscalingv1ac.ScaleSpec().WithReplicas(5))
					return client.FleetV1().Workloads("shop").ApplyScale(t.Context(), "web", applied, by("tests"))
				},
				method: "PATCH", path: workloads + "/scale", query: "fieldManager=tests&force=false",
				contentType: "application/apply-patch+yaml",
				body:        `{"kind":"Scale","apiVersion":"autoscaling/v1","spec":{"replicas":5}}`,
				reply:       scale,
			},
			action: sent{"patch", "workloads.fleet.example.com/v1", "scale", "shop", "web"},
		},
		{
			exchange: exchange{
				name: "apply of a cluster-scoped subresource",
				call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
					holds := fleetac.Region("north").WithSpec(fleetac.RegionSpec().WithHolds("billing"))
					return client.FleetV1().Regions().ApplyHolds(t.Context(), "north", holds, forced("tests"))
				},
				method: "PATCH", path: "/apis/fleet.example.com/v1/regions/north/holds", query: "fieldManager=tests&force=true",
				contentType: "application/apply-patch+yaml",
				body:        `{"kind":"Region","apiVersion":"fleet.example.com/v1","metadata":{"name":"north"},"spec":{"holds":["billing"]}}`,
				reply:       held,
			},
			action: sent{"patch", "regions.fleet.example.com/v1", "holds", "", "north"},
		},
		{
			exchange: exchange{
				name: "patch with a foreign result",
				call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
					return client.FleetV1().Workloads("shop").PatchScale(t.Context(), "web",
						types.MergePatchType, []byte(`{"spec":{"replicas":5}}`), metav1.PatchOptions{}, "scale")
				},
				method: "PATCH", path: workloads + "/scale",
				contentType: "application/merge-patch+json", body: `{"spec":{"replicas":5}}`,
				reply: scale,
			},
			action: sent{"patch", "workloads.fleet.example.com/v1", "scale", "shop", "web"},
		},
		{
			exchange: exchange{
				name: "create of a subresource with input of the same package",
				call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
					return client.FleetV1().Workloads("shop").Rollback(t.Context(), "web", rollback, metav1.CreateOptions{})
				},
				method: "POST", path: workloads + "/rollback",
				body: rollback, bodyKind: fleetV1.WithKind("WorkloadRollback"),
				reply: workload("shop", "web", nil),
			},
			action: sent{"create", "workloads.fleet.example.com/v1", "rollback", "shop", "web"},
		},
		{
			exchange: exchange{
				name: "update of a cluster-scoped subresource",
				call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
					return client.FleetV1().Regions().UpdateHolds(t.Context(), "north", held, metav1.UpdateOptions{})
				},
				method: "PUT", path: "/apis/fleet.example.com/v1/regions/north/holds",
				body: held, bodyKind: fleetV1.WithKind("Region"),
				reply: held,
			},
			action: sent{"update", "regions.fleet.example.com/v1", "holds", "", "north"},
		},
		{
			exchange: exchange{
				name: "create of a cluster-scoped subresource with a foreign result",
				call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
					return client.FleetV1().Chassises().SetPower(t.Context(), "c1", power, metav1.CreateOptions{})
				},
				method: "POST", path: "/apis/fleet.example.com/v1/chassis/c1/power",
				body: power, bodyKind: fleetV1.WithKind("ChassisPowerRequest"),
				reply: success,
			},
			action: sent{"create", "chassis.fleet.example.com/v1", "power", "", "c1"},
		},
		{
			exchange: exchange{
				name: "create of the resource itself with other input",
				call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
					return client.FleetV1beta1().Gateways("shop").Import(t.Context(), manifest, metav1.CreateOptions{})
				},
				method: "POST", path: "/apis/fleet.example.com/v1beta1/namespaces/shop/gateways",
				body: manifest, bodyKind: fleetV1beta1.WithKind("GatewayManifest"),
				reply: &fleetv1beta1.Gateway{ObjectMeta: metav1.ObjectMeta{Name: "gw", Namespace: "shop"}},
			},
			action: sent{"create", "gateways.fleet.example.com/v1beta1", "", "shop", "gw"},
		},
		{
			exchange: exchange{
				name: "get of a subresource with a result of the same package",
				call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
					return client.FleetV1beta1().Gateways("shop").GetRoutes(t.Context(), "gw", metav1.GetOptions{})
				},
				method: "GET", path: "/apis/fleet.example.com/v1beta1/namespaces/shop/gateways/gw/routes",
				reply: &fleetv1beta1.GatewayRoutes{Routes: []fleetv1beta1.GatewayRoute{{Port: 443, Endpoints: []string{"10.0.0.1"}}}},
			},
			action: sent{"get", "gateways.fleet.example.com/v1beta1", "routes", "shop", "gw"},
		},
		{
			exchange: exchange{
				name: "list of a subresource",
				call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
					return client.EdgeNetworkV1alpha1().Tunnels("shop").ListSessions(t.Context(), "oslo", metav1.ListOptions{Limit: 10})
				},
				method: "GET", path: "/apis/edge-network.example.com/v1alpha1/namespaces/shop/tunnels/oslo/sessions", query: "limit=10",
				reply: &edgev1alpha1.TunnelSessionList{Items: []edgev1alpha1.TunnelSession{{Source: "10.0.0.1", Destination: "10.1.0.1"}}},
			},
			action: sent{"list", "tunnels.edge-network.example.com/v1alpha1", "sessions", "shop", "oslo"},
		},
		{
			exchange: exchange{
				name: "expansion written by hand",
				call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
					return success, client.FleetV1beta1().Evacuations("shop").Evacuate(t.Context(), evacuation)
				},
				method: "POST", path: "/apis/fleet.example.com/v1beta1/namespaces/shop/workloads/web/evacuation",
				body: evacuation, bodyKind: fleetV1beta1.WithKind("Evacuation"),
				reply: success,
			},
			action: sent{"create", "workloads.fleet.example.com/v1beta1", "evacuation", "shop", "web"},
		},
	}
}

func TestFakeUpdateOfSubresource(t *testing.T) {
	client := fake.NewSimpleClientset(region("north"), workload("shop", "web", nil))
	held := region("north")
	held.Spec.Holds = []string{"billing", "audit"}
	updated, err := client.FleetV1().Regions().UpdateHolds(t.Context(), "north", held, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, held, updated)
	stored, err := client.FleetV1().Regions().Get(t.Context(), "north", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, held, stored, "an object of the kind itself is stored")

	scale := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}}
	answered, err := client.FleetV1().Workloads("shop").UpdateScale(t.Context(), "web", scale, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, scale, answered)
	untouched, err := client.FleetV1().Workloads("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, workload("shop", "web", nil), untouched, "an object of another kind must not take its place")
}

// TestFakeSaysWhenItCannotAnswer calls methods that the tracker cannot answer, without a reactor.
func TestFakeSaysWhenItCannotAnswer(t *testing.T) {
	client := fake.NewSimpleClientset(workload("shop", "web", nil), chassis("c1"))
	calls := map[string]func() error{
		"GetScale": func() error {
			return ignoreResult(client.FleetV1().Workloads("shop").GetScale(t.Context(), "web", metav1.GetOptions{}))
		},
		"PatchScale": func() error {
			return ignoreResult(client.FleetV1().Workloads("shop").PatchScale(t.Context(), "web", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{}, "scale"))
		},
		"ApplyScale": func() error {
			applied := autoscalingv1ac.Scale().WithSpec(autoscalingv1ac.ScaleSpec().WithReplicas(5))
			return ignoreResult(client.FleetV1().Workloads("shop").ApplyScale(t.Context(), "web", applied, by("tests")))
		},
		"Rollback": func() error {
			rollback := &fleetv1.WorkloadRollback{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
			return ignoreResult(client.FleetV1().Workloads("shop").Rollback(t.Context(), "web", rollback, metav1.CreateOptions{}))
		},
		"Import": func() error {
			manifest := &fleetv1beta1.GatewayManifest{ObjectMeta: metav1.ObjectMeta{Name: "gw"}}
			return ignoreResult(client.FleetV1beta1().Gateways("shop").Import(t.Context(), manifest, metav1.CreateOptions{}))
		},
		"ListSessions": func() error {
			return ignoreResult(client.EdgeNetworkV1alpha1().Tunnels("shop").ListSessions(t.Context(), "oslo", metav1.ListOptions{}))
		},
	}
	for method, call := range calls {
		t.Run(method, func(t *testing.T) {
			var err error
			require.NotPanics(t, func() { err = call() })
			assert.ErrorContains(t, err, "prepend a reactor that returns one")
		})
	}
}
