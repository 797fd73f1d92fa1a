package tests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	edgeac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/edge/v1alpha1"
	fleetac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	fleetbetaac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

// merge is the result of applying a relay with two managers.
type merge struct {
	one, two *edgeac.RelaySpecApplyConfiguration
	want     edgev1alpha1.RelaySpec
	// ones and twos are the fields that each manager owns in the end.
	ones, twos []string
}

// merges has one case for each way in which a field merges.
var merges = map[string]merge{
	"set": {
		one: edgeac.RelaySpec().WithContacts("ann", "bob"), ones: []string{`spec.contacts[="ann"]`, `spec.contacts[="bob"]`},
		two: edgeac.RelaySpec().WithContacts("bob", "eve"), twos: []string{`spec.contacts[="bob"]`, `spec.contacts[="eve"]`},
		want: edgev1alpha1.RelaySpec{Contacts: []string{"ann", "bob", "eve"}},
	},
	"list by keys": {
		one: edgeac.RelaySpec().WithForwards(edgeac.RelayForward().WithPort(53).WithProtocol("UDP").WithTarget("a")),
		ones: []string{
			`spec.forwards[port=53,protocol="UDP"].port`, `spec.forwards[port=53,protocol="UDP"].protocol`,
			`spec.forwards[port=53,protocol="UDP"].target`,
		},
		two: edgeac.RelaySpec().WithForwards(edgeac.RelayForward().WithPort(53).WithProtocol("TCP").WithTarget("b")),
		twos: []string{
			`spec.forwards[port=53,protocol="TCP"].port`, `spec.forwards[port=53,protocol="TCP"].protocol`,
			`spec.forwards[port=53,protocol="TCP"].target`,
		},
		want: edgev1alpha1.RelaySpec{Forwards: []edgev1alpha1.RelayForward{
			{Port: 53, Protocol: "UDP", Target: "a"}, {Port: 53, Protocol: "TCP", Target: "b"},
		}},
	},
	"map": {
		one: edgeac.RelaySpec().WithHints(map[string]string{"rack": "4"}), ones: []string{"spec.hints.rack"},
		two: edgeac.RelaySpec().WithHints(map[string]string{"door": "2"}), twos: []string{"spec.hints.door"},
		want: edgev1alpha1.RelaySpec{Hints: map[string]string{"rack": "4", "door": "2"}},
	},
	"map of structs": {
		one: edgeac.RelaySpec().WithInterfaces(map[string]edgeac.RelayInterfaceApplyConfiguration{
			"eth0": *edgeac.RelayInterface().WithAddress("10.0.0.1/24"),
		}),
		ones: []string{"spec.interfaces.eth0.address"},
		two: edgeac.RelaySpec().WithInterfaces(map[string]edgeac.RelayInterfaceApplyConfiguration{
			"eth0": *edgeac.RelayInterface().WithVLAN(7), "eth1": *edgeac.RelayInterface().WithVLAN(8),
		}),
		twos: []string{"spec.interfaces.eth0.vlan", "spec.interfaces.eth1.vlan"},
		want: edgev1alpha1.RelaySpec{Interfaces: map[string]edgev1alpha1.RelayInterface{
			"eth0": {Address: "10.0.0.1/24", VLAN: 7}, "eth1": {VLAN: 8},
		}},
	},
	"embedded struct": {
		one: edgeac.RelaySpec().WithMTU(1420), ones: []string{"spec.mtu"},
		two: edgeac.RelaySpec().WithKeepalive(25), twos: []string{"spec.keepalive"},
		want: edgev1alpha1.RelaySpec{LinkSettings: edgev1alpha1.LinkSettings{MTU: 1420, Keepalive: new(int32(25))}},
	},
}

func TestApplyMerges(t *testing.T) {
	for name, m := range merges {
		t.Run(name, func(t *testing.T) {
			relays := fake.NewClientset().EdgeNetworkV1alpha1().Relays("shop")
			_, err := relays.Apply(t.Context(), appliedRelay(m.one), by("one"))
			require.NoError(t, err)
			both, err := relays.Apply(t.Context(), appliedRelay(m.two), by("two"))
			require.NoError(t, err)
			assert.Equal(t, m.want, both.Spec)
			assert.ElementsMatch(t, []owner{applier("one", m.ones...), applier("two", m.twos...)}, ownersOf(t, both))

			onesOnly, err := relays.Apply(t.Context(), edgeac.Relay("oslo", "shop"), by("two"))
			require.NoError(t, err)
			extracted, err := edgeac.ExtractRelay(onesOnly, "one")
			require.NoError(t, err)
			assert.Equal(t, appliedRelay(m.one), extracted, "what the other had is gone, what is left is as it was applied")
			assert.Equal(t, []owner{applier("one", m.ones...)}, ownersOf(t, onesOnly))
		})
	}
}

// TestApplyOfAtomicFields checks that an atomic field has one owner, even if only a part of it differs.
func TestApplyOfAtomicFields(t *testing.T) {
	for field, test := range map[string]struct {
		one, two *edgeac.RelaySpecApplyConfiguration
	}{
		"spec.resolvers": {edgeac.RelaySpec().WithResolvers("10.0.0.1"), edgeac.RelaySpec().WithResolvers("10.0.0.1", "10.0.0.2")},
		"spec.kernelParameters": {
			edgeac.RelaySpec().WithKernelParameters(map[string]string{"a": "1"}),
			edgeac.RelaySpec().WithKernelParameters(map[string]string{"b": "1"}),
		},
		"spec.site": {
			edgeac.RelaySpec().WithSite(edgeac.RelaySite().WithCity("Oslo")),
			edgeac.RelaySpec().WithSite(edgeac.RelaySite().WithStreet("Storgata 1")),
		},
	} {
		t.Run(field, func(t *testing.T) {
			relays := fake.NewClientset().EdgeNetworkV1alpha1().Relays("shop")
			_, err := relays.Apply(t.Context(), appliedRelay(test.one), by("one"))
			require.NoError(t, err)
			_, err = relays.Apply(t.Context(), appliedRelay(test.two), by("two"))
			require.True(t, apierrors.IsConflict(err), "got %v", err)
			assert.ErrorContains(t, err, "."+field)

			taken, err := relays.Apply(t.Context(), appliedRelay(test.two), forced("two"))
			require.NoError(t, err)
			assert.Equal(t, []owner{applier("two", field)}, ownersOf(t, taken))
			extracted, err := edgeac.ExtractRelay(taken, "two")
			require.NoError(t, err)
			assert.Equal(t, appliedRelay(test.two), extracted, "nothing of the other is left in it")
		})
	}
}

func TestApplyOfListsByKey(t *testing.T) {
	gateways := fake.NewClientset().FleetV1beta1().Gateways("shop")
	listener := func(port int32, name string) *fleetbetaac.GatewayApplyConfiguration {
		return fleetbetaac.Gateway("gw", "shop").WithSpec(fleetbetaac.GatewaySpec().
			WithListeners(fleetbetaac.GatewayListener().WithPort(port).WithWorkloadName(name)))
	}
	_, err := gateways.Apply(t.Context(), listener(80, "web"), by("one"))
	require.NoError(t, err)
	_, err = gateways.Apply(t.Context(), listener(443, "web"), by("two"))
	require.NoError(t, err)
	_, err = gateways.Apply(t.Context(), listener(443, "db"), by("one"))
	require.True(t, apierrors.IsConflict(err), "got %v", err)
	assert.ErrorContains(t, err, `.spec.listeners[port=443].workloadName`)

	moved, err := gateways.Apply(t.Context(), listener(8080, "web"), by("one"))
	require.NoError(t, err)
	var ports []int32
	for _, l := range moved.Spec.Listeners {
		ports = append(ports, l.Port)
	}
	assert.ElementsMatch(t, []int32{443, 8080}, ports, "the element of the other manager stays, its own has gone")
}

// TestApplyOfForeignTypes applies fields with types of Kubernetes: one with an external apply configuration, and one that is
// applied unchanged.
func TestApplyOfForeignTypes(t *testing.T) {
	client := fake.NewClientset()
	template := func(name, value string) *fleetac.WorkloadApplyConfiguration {
		env := corev1ac.EnvVar().WithName(name).WithValue(value)
		return appliedWorkload(fleetac.WorkloadSpec().WithTemplate(fleetac.WorkloadTemplate().WithEnv(env)))
	}
	workloads := client.FleetV1().Workloads("shop")
	_, err := workloads.Apply(t.Context(), template("A", "1"), by("one"))
	require.NoError(t, err)
	web, err := workloads.Apply(t.Context(), template("B", "2"), by("two"))
	require.NoError(t, err)
	assert.Equal(t, []corev1.EnvVar{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}}, web.Spec.Template.Env)

	taint := corev1.Taint{Key: "closed", Effect: corev1.TaintEffectNoExecute}
	_, err = client.FleetV1().Regions().Apply(t.Context(),
		fleetac.Region("north").WithSpec(fleetac.RegionSpec().WithTaints(taint)), by("one"))
	require.NoError(t, err)
	north, err := client.FleetV1().Regions().Get(t.Context(), "north", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, []corev1.Taint{taint}, north.Spec.Taints)
	assert.Equal(t, []owner{applier("one", "spec.taints")}, ownersOf(t, north))
}
