package e2e

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	reviewv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/review/v1"
	edgev1alpha1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/edge/v1alpha1"
	fleetv1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	fleetv1beta1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	edgev1alpha1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/edge/v1alpha1"
	fleetv1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1"
	fleetv1beta1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1beta1"
	reviewv1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/review/v1"
)

// TestVerbs calls every method of every client of the clientset, including the scale of workloads and methods added by markers,
// and fails for unknown methods.
func TestVerbs(t *testing.T) {
	c := start(t, apiservertest.Options{Wrap: subresources, CRDs: []*apiextensionsv1.CustomResourceDefinition{
		answers("placementreviews", "PlacementReview", apiextensionsv1.NamespaceScoped),
		answers("capacityreports", "CapacityReport", apiextensionsv1.ClusterScoped),
	}})
	tested := map[reflect.Type]bool{}
	run := func(kinds map[string]kind) {
		for name, kind := range kinds {
			tested[kind.api] = true
			t.Run(name, func(t *testing.T) { kind.run(t, c.dynamic) })
		}
	}
	run(fleetKinds(c))
	run(betaKinds(c))
	run(edgeKinds(c))
	run(reviewKinds(c))
	// This comes last, because it changes how the server treats workloads.
	convertWorkloads(t, c)
	run(oldKinds(c))
	for _, api := range clients(t) {
		assert.True(t, tested[api], "%s is not tested", api)
	}
}

// clients returns the client interfaces of all kinds.
func clients(t *testing.T) []reflect.Type {
	var all []reflect.Type
	for _, group := range []reflect.Type{
		reflect.TypeFor[fleetv1client.FleetV1Interface](), reflect.TypeFor[fleetv1beta1client.FleetV1beta1Interface](),
		reflect.TypeFor[edgev1alpha1client.EdgeNetworkV1alpha1Interface](), reflect.TypeFor[reviewv1client.FleetReviewV1Interface](),
	} {
		for method := range group.Methods() {
			if method.Name != "RESTClient" {
				all = append(all, method.Type.Out(0))
			}
		}
	}
	const groups, discovery = 4, 1
	require.Equal(t, groups+discovery, reflect.TypeFor[versioned.Interface]().NumMethod(), "a new group?")
	return all
}

// answers returns a CustomResourceDefinition for a kind that a real server of the group fleet.review would answer without storing
// it.
func answers(plural, kind string, scope apiextensionsv1.ResourceScope) *apiextensionsv1.CustomResourceDefinition {
	group := reviewv1.SchemeGroupVersion.Group
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: plural + "." + group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: group,
			Scope: scope,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: plural, Kind: kind},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: reviewv1.SchemeGroupVersion.Version, Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{
					OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: new(true)},
				},
			}},
		},
	}
}

func fleetKinds(c *cluster) map[string]kind {
	client, v := c.client.FleetV1(), fleetv1.SchemeGroupVersion
	template := fleetv1ac.WorkloadTemplate().WithImage("image:2")
	spec := fleetv1ac.WorkloadSpec().WithRegionName("north").WithTemplate(template)
	return map[string]kind{
		"workloads": {
			api: reflect.TypeFor[fleetv1client.WorkloadInterface](), client: client.Workloads(namespace), resource: v.WithResource("workloads"),
			sample: func(name string) object { return workload(name) },
			apply:  func(name string) any { return fleetv1ac.Workload(name, namespace).WithSpec(spec) },
			applyStatus: func(name string) any {
				return fleetv1ac.Workload(name, namespace).WithStatus(fleetv1ac.WorkloadStatus().WithReadyReplicas(3))
			},
			setStatus: func(o object) { o.(*fleetv1.Workload).Status.ReadyReplicas = 3 },
			gotStatus: func(o object) bool { return o.(*fleetv1.Workload).Status.ReadyReplicas == 3 },
			byHand:    workloadMethods(client.Workloads(namespace)),
		},
		"workloadrevisions": {
			api: reflect.TypeFor[fleetv1client.WorkloadRevisionInterface](), client: client.WorkloadRevisions(namespace), resource: v.WithResource("workloadrevisions"),
			sample: func(name string) object { return revision(name) },
		},
		"quotas": {
			api: reflect.TypeFor[fleetv1client.QuotaInterface](), client: client.Quotas(namespace), resource: v.WithResource("quotas"),
			sample: func(name string) object { return quota(name) },
		},
		"regions": {
			api: reflect.TypeFor[fleetv1client.RegionInterface](), client: client.Regions(), resource: v.WithResource("regions"),
			sample: func(name string) object { return region(name) },
			apply: func(name string) any {
				return fleetv1ac.Region(name).WithSpec(fleetv1ac.RegionSpec().WithCountry("SE").WithEndpoint("https://se.example.com"))
			},
			applyStatus: func(name string) any {
				return fleetv1ac.Region(name).WithStatus(fleetv1ac.RegionStatus().WithPhase(fleetv1.RegionOpen))
			},
			setStatus: func(o object) { o.(*fleetv1.Region).Status.Phase = fleetv1.RegionOpen },
			gotStatus: func(o object) bool { return o.(*fleetv1.Region).Status.Phase == fleetv1.RegionOpen },
			byHand:    regionMethods(client.Regions()),
		},
		"chassis": {
			api: reflect.TypeFor[fleetv1client.ChassisInterface](), client: client.Chassises(), resource: v.WithResource("chassis"),
			sample: func(name string) object { return chassis(name) },
			apply: func(name string) any {
				return fleetv1ac.Chassis(name).WithSpec(fleetv1ac.ChassisSpec().WithRegionName("north").WithSerialNumber("2"))
			},
			applyStatus: func(name string) any {
				return fleetv1ac.Chassis(name).WithStatus(fleetv1ac.ChassisStatus().WithPower(fleetv1.PowerOn))
			},
			setStatus: func(o object) { o.(*fleetv1.Chassis).Status.Power = fleetv1.PowerOn },
			gotStatus: func(o object) bool { return o.(*fleetv1.Chassis).Status.Power == fleetv1.PowerOn },
			byHand:    chassisMethods(client.Chassises()),
		},
		"heartbeats": {
			api: reflect.TypeFor[fleetv1client.HeartbeatInterface](), client: client.Heartbeats(namespace), resource: v.WithResource("heartbeats"),
			sample: func(name string) object { return heartbeat(name) },
			apply: func(name string) any {
				return fleetv1ac.Heartbeat(name, namespace).WithStatus(fleetv1ac.HeartbeatStatus().WithVersion("2"))
			},
		},
	}
}

func betaKinds(c *cluster) map[string]kind {
	client, v := c.client.FleetV1beta1(), fleetv1beta1.SchemeGroupVersion
	return map[string]kind{
		"gateways": {
			api: reflect.TypeFor[fleetv1beta1client.GatewayInterface](), client: client.Gateways(namespace), resource: v.WithResource("gateways"),
			sample: func(name string) object { return gateway(name) },
			apply: func(name string) any {
				listener := fleetv1beta1ac.GatewayListener().WithPort(80).WithWorkloadName("web")
				return fleetv1beta1ac.Gateway(name, namespace).WithSpec(fleetv1beta1ac.GatewaySpec().WithListeners(listener))
			},
			applyStatus: func(name string) any {
				return fleetv1beta1ac.Gateway(name, namespace).WithStatus(fleetv1beta1ac.GatewayStatus().WithAddresses("192.0.2.3"))
			},
			setStatus: func(o object) { o.(*fleetv1beta1.Gateway).Status.Addresses = []string{"192.0.2.3"} },
			gotStatus: func(o object) bool { return len(o.(*fleetv1beta1.Gateway).Status.Addresses) == 1 },
			byHand:    gatewayMethods(client.Gateways(namespace)),
		},
		"placementpolicies": {
			api: reflect.TypeFor[fleetv1beta1client.PlacementPolicyInterface](), client: client.PlacementPolicies(namespace), resource: v.WithResource("placementpolicies"),
			sample: func(name string) object { return policy(name) },
			apply: func(name string) any {
				return fleetv1beta1ac.PlacementPolicy(name, namespace).WithSpec(fleetv1beta1ac.PlacementPolicySpec().WithCountries("SE"))
			},
		},
		"alarms": {
			api: reflect.TypeFor[fleetv1beta1client.AlarmInterface](), client: client.Alarms(namespace), resource: v.WithResource("alarms"),
			sample: func(name string) object { return alarm(name) },
		},
		"evacuations": {
			api:    reflect.TypeFor[fleetv1beta1client.EvacuationInterface](),
			client: client.Evacuations(namespace),
			byHand: evacuationMethods(client.Evacuations("evacuated"), c.client.FleetV1().Workloads("evacuated")),
		},
	}
}

func oldKinds(c *cluster) map[string]kind {
	client, v := c.client.FleetV1beta1(), fleetv1beta1.SchemeGroupVersion
	// Use a separate namespace: the workloads of the other version are the same objects.
	old := func(name string) object {
		w := oldWorkload(name)
		w.Namespace = "beta"
		return w
	}
	return map[string]kind{
		"workloads of v1beta1": {
			api: reflect.TypeFor[fleetv1beta1client.WorkloadInterface](), client: client.Workloads("beta"), resource: v.WithResource("workloads"),
			sample: old,
			apply: func(name string) any {
				return fleetv1beta1ac.Workload(name, "beta").WithSpec(fleetv1beta1ac.WorkloadSpec().WithReplicas(2).WithImage("image:2").WithRegionName("north"))
			},
			applyStatus: func(name string) any {
				return fleetv1beta1ac.Workload(name, "beta").WithStatus(fleetv1beta1ac.WorkloadStatus().WithReadyReplicas(3))
			},
			setStatus: func(o object) { o.(*fleetv1beta1.Workload).Status.ReadyReplicas = 3 },
			gotStatus: func(o object) bool { return o.(*fleetv1beta1.Workload).Status.ReadyReplicas == 3 },
		},
	}
}

func edgeKinds(c *cluster) map[string]kind {
	client, v := c.client.EdgeNetworkV1alpha1(), edgev1alpha1.GroupVersion
	return map[string]kind{
		"relays": {
			api: reflect.TypeFor[edgev1alpha1client.RelayInterface](), client: client.Relays(namespace), resource: v.WithResource("relays"),
			sample: func(name string) object { return relay(name) },
			apply: func(name string) any {
				return edgev1alpha1ac.Relay(name, namespace).WithSpec(edgev1alpha1ac.RelaySpec().WithMTU(1400).WithContacts("you"))
			},
			applyStatus: func(name string) any {
				return edgev1alpha1ac.Relay(name, namespace).WithStatus(edgev1alpha1ac.RelayStatus().WithTunnels("t"))
			},
			setStatus: func(o object) { o.(*edgev1alpha1.Relay).Status.Tunnels = []string{"t"} },
			gotStatus: func(o object) bool { return len(o.(*edgev1alpha1.Relay).Status.Tunnels) == 1 },
		},
		"trafficclasses": {
			api: reflect.TypeFor[edgev1alpha1client.TrafficClassInterface](), client: client.TrafficClasses(), resource: v.WithResource("trafficclasses"),
			sample: func(name string) object { return trafficClass(name) },
			apply: func(name string) any {
				return edgev1alpha1ac.TrafficClass(name).WithSpec(edgev1alpha1ac.TrafficClassSpec().WithPriority(2))
			},
		},
		"tunnels": {
			api: reflect.TypeFor[edgev1alpha1client.TunnelInterface](), client: client.Tunnels(namespace), resource: v.WithResource("tunnels"),
			sample: func(name string) object { return tunnel(name) },
			apply: func(name string) any {
				return edgev1alpha1ac.Tunnel(name, namespace).WithSpec(edgev1alpha1ac.TunnelSpec().WithPeer("192.0.2.4"))
			},
			applyStatus: func(name string) any {
				return edgev1alpha1ac.Tunnel(name, namespace).WithStatus(edgev1alpha1ac.TunnelStatus().WithLastHandshake(metav1.Now()))
			},
			setStatus: func(o object) { o.(*edgev1alpha1.Tunnel).Status.LastHandshake = new(metav1.Now()) },
			gotStatus: func(o object) bool { return o.(*edgev1alpha1.Tunnel).Status.LastHandshake != nil },
			byHand:    tunnelMethods(client.Tunnels(namespace)),
		},
	}
}

func reviewKinds(c *cluster) map[string]kind {
	client, v := c.client.FleetReviewV1(), reviewv1.SchemeGroupVersion
	return map[string]kind{
		"placementreviews": {
			api: reflect.TypeFor[reviewv1client.PlacementReviewInterface](), client: client.PlacementReviews(namespace), resource: v.WithResource("placementreviews"),
			sample: func(name string) object { return placementReview(name) },
		},
		"capacityreports": {
			api: reflect.TypeFor[reviewv1client.CapacityReportInterface](), client: client.CapacityReports(), resource: v.WithResource("capacityreports"),
			sample: func(name string) object { return capacityReport(name) },
		},
	}
}
