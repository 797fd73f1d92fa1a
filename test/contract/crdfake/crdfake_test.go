// Package crdfake_test tests crdfake with a generated clientset. The crdfake module itself must not depend on the examples.
package crdfake_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"

	"github.com/informer-gen-lite/informer-gen-lite/crdfake"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

func use(t *testing.T, client *fake.Clientset) {
	t.Helper()
	crds, err := crdfake.Load("../../../examples/config/crd")
	require.NoError(t, err)
	require.NoError(t, crdfake.Use(client, crds...))
}

func TestUse(t *testing.T) {
	client := fake.NewStrictClientset()
	use(t, client)
	tunnels := client.EdgeNetworkV1alpha1().Tunnels("shop")
	tunnel := &edgev1alpha1.Tunnel{ObjectMeta: metav1.ObjectMeta{Name: "t"}}
	_, err := tunnels.Create(t.Context(), tunnel, metav1.CreateOptions{})
	assert.EqualError(t, err, `Tunnel.edge-network.example.com "t" is invalid: spec.peer: Invalid value: "": spec.peer in body should be at least 1 chars long`)
	tunnel.Spec.Peer = "p"
	created, err := tunnels.Create(t.Context(), tunnel, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 1420, created.Spec.MTU, "the default")
	patch := []byte(`{"spec":{"mtu":5}}`)
	_, err = tunnels.Patch(t.Context(), "t", types.MergePatchType, patch, metav1.PatchOptions{})
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
	_, err = tunnels.Patch(t.Context(), "t", types.MergePatchType, []byte(`{"spec":{"speed":5}}`), metav1.PatchOptions{FieldValidation: metav1.FieldValidationStrict})
	assert.ErrorContains(t, err, `strict decoding error: unknown field "spec.speed"`)
}

// TestUseOfObjects checks that existing objects get their defaults.
func TestUseOfObjects(t *testing.T) {
	tunnel := &edgev1alpha1.Tunnel{ObjectMeta: metav1.ObjectMeta{Name: "t", Namespace: "shop"}}
	client := fake.NewStrictClientset(tunnel)
	use(t, client)
	stored, err := client.EdgeNetworkV1alpha1().Tunnels("shop").Get(t.Context(), "t", metav1.GetOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 1420, stored.Spec.MTU)
	assert.NotEmpty(t, stored.ResourceVersion)
}

// TestUnchangedAfterUse checks that the first update after the schema has changed is a write, as a server stores other bytes.
func TestUnchangedAfterUse(t *testing.T) {
	tunnel := &edgev1alpha1.Tunnel{ObjectMeta: metav1.ObjectMeta{Name: "t", Namespace: "shop"}}
	tunnel.Spec.Peer = "p"
	client := fake.NewStrictClientset(tunnel)
	use(t, client)
	tunnels := client.EdgeNetworkV1alpha1().Tunnels("shop")
	read, err := tunnels.Get(t.Context(), "t", metav1.GetOptions{})
	require.NoError(t, err)
	first, err := tunnels.Update(t.Context(), read, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.NotEqual(t, read.ResourceVersion, first.ResourceVersion, "the default is stored")
	assert.Equal(t, read.Generation, first.Generation)
	second, err := tunnels.Update(t.Context(), first, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, first.ResourceVersion, second.ResourceVersion)
}

// TestRules checks CEL rules, including transition rules.
func TestRules(t *testing.T) {
	client := fake.NewStrictClientset()
	use(t, client)
	workloads := client.FleetV1().Workloads("shop")
	workload := &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Name: "w"}}
	_, err := workloads.Create(t.Context(), workload, metav1.CreateOptions{})
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
	workload.Spec.RegionName, workload.Spec.Template.Image = "north", "web"
	created, err := workloads.Create(t.Context(), workload, metav1.CreateOptions{})
	require.NoError(t, err)
	created.Spec.RegionName = "south"
	_, err = workloads.Update(t.Context(), created, metav1.UpdateOptions{})
	assert.EqualError(t, err, `Workload.fleet.example.com "w" is invalid: spec.regionName: Invalid value: "south": a workload cannot move`)
}
