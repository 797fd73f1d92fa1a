package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	autoscalingv1ac "k8s.io/client-go/applyconfigurations/autoscaling/v1"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	fleetv1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	edgev1alpha1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/edge/v1alpha1"
	fleetv1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1"
	fleetv1beta1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1beta1"
)

// The methods that markers add to the verbs. Each gets its own object.

func workloadMethods(client fleetv1client.WorkloadInterface) map[string]func(*testing.T) {
	create := func(t *testing.T, name string) {
		_, err := client.Create(t.Context(), workload(name), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	scaled := func(t *testing.T, name string, want int32, scale *autoscalingv1.Scale, err error) {
		require.NoError(t, err)
		assert.Equal(t, want, scale.Spec.Replicas)
		got, err := client.Get(t.Context(), name, metav1.GetOptions{})
		require.NoError(t, err)
		assert.Equal(t, want, *got.Spec.Replicas)
	}
	return map[string]func(*testing.T){
		"GetScale": func(t *testing.T) {
			create(t, "get-scale")
			scale, err := client.GetScale(t.Context(), "get-scale", metav1.GetOptions{})
			scaled(t, "get-scale", 1, scale, err)
		},
		"UpdateScale": func(t *testing.T) {
			create(t, "update-scale")
			scale := &autoscalingv1.Scale{ObjectMeta: named("update-scale"), Spec: autoscalingv1.ScaleSpec{Replicas: 4}}
			scale, err := client.UpdateScale(t.Context(), "update-scale", scale, metav1.UpdateOptions{})
			scaled(t, "update-scale", 4, scale, err)
		},
		"ApplyScale": func(t *testing.T) {
			create(t, "apply-scale")
			scale := autoscalingv1ac.Scale().WithSpec(autoscalingv1ac.ScaleSpec().WithReplicas(5))
			got, err := client.ApplyScale(t.Context(), "apply-scale", scale, metav1.ApplyOptions{FieldManager: "scaler"})
			scaled(t, "apply-scale", 5, got, err)
		},
		"PatchScale": func(t *testing.T) {
			create(t, "patch-scale")
			scale, err := client.PatchScale(t.Context(), "patch-scale", types.MergePatchType, []byte(`{"spec":{"replicas":6}}`), metav1.PatchOptions{}, "scale")
			scaled(t, "patch-scale", 6, scale, err)
		},
		"Rollback": func(t *testing.T) {
			create(t, "rollback")
			got, err := client.Rollback(t.Context(), "rollback", &fleetv1.WorkloadRollback{Reason: "too new"}, metav1.CreateOptions{})
			require.NoError(t, err)
			assert.Equal(t, "too new", got.Annotations["rollback"])
		},
	}
}

func regionMethods(client fleetv1client.RegionInterface) map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"UpdateHolds": func(t *testing.T) {
			held, err := client.Create(t.Context(), region("update-holds"), metav1.CreateOptions{})
			require.NoError(t, err)
			held.Spec.Holds = []string{"me"}
			held, err = client.UpdateHolds(t.Context(), held.Name, held, metav1.UpdateOptions{})
			require.NoError(t, err)
			assert.Equal(t, []string{"me"}, held.Spec.Holds)
		},
		"ApplyHolds": func(t *testing.T) {
			_, err := client.Create(t.Context(), region("apply-holds"), metav1.CreateOptions{})
			require.NoError(t, err)
			holds := fleetv1ac.Region("apply-holds").WithSpec(fleetv1ac.RegionSpec().WithHolds("you"))
			held, err := client.ApplyHolds(t.Context(), "apply-holds", holds, metav1.ApplyOptions{FieldManager: "you"})
			require.NoError(t, err)
			assert.Equal(t, []string{"you"}, held.Spec.Holds)
			assert.Equal(t, "NO", held.Spec.Country)
		},
	}
}

func chassisMethods(client fleetv1client.ChassisInterface) map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"SetPower": func(t *testing.T) {
			_, err := client.Create(t.Context(), chassis("power"), metav1.CreateOptions{})
			require.NoError(t, err)
			status, err := client.SetPower(t.Context(), "power", &fleetv1.ChassisPowerRequest{Power: fleetv1.PowerOff}, metav1.CreateOptions{})
			require.NoError(t, err)
			assert.Equal(t, "power is Off", status.Message)
		},
	}
}

func gatewayMethods(client fleetv1beta1client.GatewayInterface) map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"Import": func(t *testing.T) {
			manifest := &fleetv1beta1.GatewayManifest{ObjectMeta: named("imported"), Format: "nginx", Content: "server {}"}
			imported, err := client.Import(t.Context(), manifest, metav1.CreateOptions{})
			require.NoError(t, err)
			assert.NotEmpty(t, imported.UID)
			assert.Equal(t, "nginx", imported.Annotations["imported"])
		},
		"GetRoutes": func(t *testing.T) {
			_, err := client.Create(t.Context(), gateway("routes"), metav1.CreateOptions{})
			require.NoError(t, err)
			routes, err := client.GetRoutes(t.Context(), "routes", metav1.GetOptions{})
			require.NoError(t, err)
			assert.Equal(t, []fleetv1beta1.GatewayRoute{{Port: 443, Endpoints: []string{"web"}}}, routes.Routes)
		},
	}
}

func evacuationMethods(client fleetv1beta1client.EvacuationInterface, workloads fleetv1client.WorkloadInterface) map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"Evacuate": func(t *testing.T) {
			sample := workload("web")
			sample.Namespace = "evacuated"
			_, err := workloads.Create(t.Context(), sample, metav1.CreateOptions{})
			require.NoError(t, err)
			meta := metav1.ObjectMeta{Name: "web", Namespace: "evacuated"}
			require.NoError(t, client.Evacuate(t.Context(), &fleetv1beta1.Evacuation{ObjectMeta: meta, ChassisName: "c"}))
			got, err := workloads.Get(t.Context(), "web", metav1.GetOptions{})
			require.NoError(t, err)
			assert.Equal(t, "c", got.Annotations["evacuated"])
		},
	}
}

func tunnelMethods(client edgev1alpha1client.TunnelInterface) map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"ListSessions": func(t *testing.T) {
			_, err := client.Create(t.Context(), tunnel("sessions"), metav1.CreateOptions{})
			require.NoError(t, err)
			sessions, err := client.ListSessions(t.Context(), "sessions", metav1.ListOptions{})
			require.NoError(t, err)
			require.Len(t, sessions.Items, 1)
			assert.Equal(t, "192.0.2.1", sessions.Items[0].Destination)
		},
	}
}
