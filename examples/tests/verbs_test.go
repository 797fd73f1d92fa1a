package tests

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	typededgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/edge/v1alpha1"
	typedfleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1"
	typedfleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1beta1"
	typedreviewv1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/review/v1"
)

// usualVerbs are the methods of a client without restrictions.
var usualVerbs = []string{"Apply", "Create", "Delete", "DeleteCollection", "Get", "List", "Patch", "Update", "Watch"}

// TestInterfacesHaveTheVerbsOfTheirTags checks that a marker removes exactly the verbs that it names.
func TestInterfacesHaveTheVerbsOfTheirTags(t *testing.T) {
	tests := []struct {
		tags    string
		client  reflect.Type
		methods []string
	}{
		{
			"method", reflect.TypeFor[typedfleetv1.WorkloadInterface](),
			append([]string{"ApplyScale", "ApplyStatus", "GetScale", "PatchScale", "Rollback", "UpdateScale", "UpdateStatus"}, usualVerbs...),
		},
		{
			"nonNamespaced, method", reflect.TypeFor[typedfleetv1.RegionInterface](),
			append([]string{"ApplyHolds", "ApplyStatus", "UpdateHolds", "UpdateStatus"}, usualVerbs...),
		},
		{"resourceName, method", reflect.TypeFor[typedfleetv1.ChassisInterface](), append([]string{"ApplyStatus", "SetPower", "UpdateStatus"}, usualVerbs...)},
		{"noStatus", reflect.TypeFor[typedfleetv1.HeartbeatInterface](), usualVerbs},
		{"skipVerbs", reflect.TypeFor[typedfleetv1.WorkloadRevisionInterface](), []string{"Create", "Delete", "Get", "List", "Watch"}},
		{"onlyVerbs", reflect.TypeFor[typedfleetv1.QuotaInterface](), []string{"Get", "List", "Patch", "Update", "Watch"}},
		{"none, but a status", reflect.TypeFor[typedfleetv1beta1.WorkloadInterface](), append([]string{"ApplyStatus", "UpdateStatus"}, usualVerbs...)},
		{"none, and no status", reflect.TypeFor[typedfleetv1beta1.PlacementPolicyInterface](), usualVerbs},
		{"method", reflect.TypeFor[typedfleetv1beta1.GatewayInterface](), append([]string{"ApplyStatus", "GetRoutes", "Import", "UpdateStatus"}, usualVerbs...)},
		{"readonly, onlyVerbs", reflect.TypeFor[typedfleetv1beta1.AlarmInterface](), []string{"Delete", "Get", "List", "Watch"}},
		{"noVerbs", reflect.TypeFor[typedfleetv1beta1.EvacuationInterface](), []string{"Evacuate"}},
		{"onlyVerbs", reflect.TypeFor[typedreviewv1.PlacementReviewInterface](), []string{"Create"}},
		{"method", reflect.TypeFor[typededgev1alpha1.TunnelInterface](), append([]string{"ApplyStatus", "ListSessions", "UpdateStatus"}, usualVerbs...)},
		{"none, but a status", reflect.TypeFor[typededgev1alpha1.RelayInterface](), append([]string{"ApplyStatus", "UpdateStatus"}, usualVerbs...)},
		{"nonNamespaced, and no status", reflect.TypeFor[typededgev1alpha1.TrafficClassInterface](), usualVerbs},
		{"readonly", reflect.TypeFor[typedreviewv1.CapacityReportInterface](), []string{"Get", "List", "Watch"}},
	}
	for _, test := range tests {
		t.Run(test.client.Name(), func(t *testing.T) {
			var methods []string
			for method := range test.client.Methods() {
				methods = append(methods, method.Name)
			}
			assert.ElementsMatch(t, test.methods, methods, "tags: %s", test.tags)
		})
	}
}

// TestScopeDecidesTheGetter checks that only the getters of namespaced kinds ask for a namespace.
func TestScopeDecidesTheGetter(t *testing.T) {
	const namespaced, clusterScoped = "func(string)", "func()"
	tests := map[reflect.Type]map[string]string{
		reflect.TypeFor[typedfleetv1.FleetV1Interface](): {
			"Workloads": namespaced, "WorkloadRevisions": namespaced, "Quotas": namespaced, "Heartbeats": namespaced,
			"Regions": clusterScoped, "Chassises": clusterScoped,
		},
		reflect.TypeFor[typedfleetv1beta1.FleetV1beta1Interface](): {
			"Workloads": namespaced, "Evacuations": namespaced, "Gateways": namespaced, "PlacementPolicies": namespaced,
			"Alarms": namespaced,
		},
		reflect.TypeFor[typededgev1alpha1.EdgeNetworkV1alpha1Interface](): {
			"Tunnels": namespaced, "Relays": namespaced, "TrafficClasses": clusterScoped,
		},
		reflect.TypeFor[typedreviewv1.FleetReviewV1Interface](): {"PlacementReviews": namespaced, "CapacityReports": clusterScoped},
	}
	for client, want := range tests {
		got := map[string]string{}
		for method := range client.Methods() {
			if method.Name != "RESTClient" {
				signature, _, _ := strings.Cut(method.Type.String(), " ")
				got[method.Name] = signature
			}
		}
		assert.Equal(t, want, got, client.Name())
	}
}
