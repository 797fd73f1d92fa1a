package tests

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	typedfleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1"
	typedfleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1beta1"
	typedreviewv1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/review/v1"
)

// usualVerbs are the methods of a client whose type restricts nothing.
var usualVerbs = []string{"Create", "Delete", "DeleteCollection", "Get", "List", "Patch", "Update", "Watch"}

// TestInterfacesHaveTheVerbsOfTheirTags checks that a tag takes away what it says, and no more.
func TestInterfacesHaveTheVerbsOfTheirTags(t *testing.T) {
	tests := []struct {
		tags    string
		client  reflect.Type
		methods []string
	}{
		{
			"method", reflect.TypeFor[typedfleetv1.WorkloadInterface](),
			append([]string{"GetScale", "PatchScale", "Rollback", "UpdateScale", "UpdateStatus"}, usualVerbs...),
		},
		{"nonNamespaced, method", reflect.TypeFor[typedfleetv1.RegionInterface](), append([]string{"UpdateHolds", "UpdateStatus"}, usualVerbs...)},
		{"resourceName, method", reflect.TypeFor[typedfleetv1.ChassisInterface](), append([]string{"SetPower", "UpdateStatus"}, usualVerbs...)},
		{"noStatus", reflect.TypeFor[typedfleetv1.HeartbeatInterface](), usualVerbs},
		{"skipVerbs", reflect.TypeFor[typedfleetv1.WorkloadRevisionInterface](), []string{"Create", "Delete", "Get", "List", "Watch"}},
		{"onlyVerbs", reflect.TypeFor[typedfleetv1.QuotaInterface](), []string{"Get", "List", "Patch", "Update", "Watch"}},
		{"none, but a status", reflect.TypeFor[typedfleetv1beta1.WorkloadInterface](), append([]string{"UpdateStatus"}, usualVerbs...)},
		{"none, and no status", reflect.TypeFor[typedfleetv1beta1.PlacementPolicyInterface](), usualVerbs},
		{"method", reflect.TypeFor[typedfleetv1beta1.GatewayInterface](), append([]string{"GetRoutes", "Import", "UpdateStatus"}, usualVerbs...)},
		{"readonly, onlyVerbs", reflect.TypeFor[typedfleetv1beta1.AlarmInterface](), []string{"Delete", "Get", "List", "Watch"}},
		{"noVerbs", reflect.TypeFor[typedfleetv1beta1.EvacuationInterface](), []string{"Evacuate"}},
		{"onlyVerbs", reflect.TypeFor[typedreviewv1.PlacementReviewInterface](), []string{"Create"}},
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

// TestScopeDecidesTheGetter checks that only namespaced kinds ask for a namespace.
func TestScopeDecidesTheGetter(t *testing.T) {
	var (
		_ func(typedfleetv1.FleetV1Interface, string) typedfleetv1.WorkloadInterface = typedfleetv1.FleetV1Interface.Workloads
		_ func(typedfleetv1.FleetV1Interface) typedfleetv1.RegionInterface           = typedfleetv1.FleetV1Interface.Regions
	)
	clients := map[reflect.Type][]string{
		reflect.TypeFor[typedfleetv1.FleetV1Interface]():           {"Regions", "Chassises"},
		reflect.TypeFor[typedfleetv1beta1.FleetV1beta1Interface](): nil,
		reflect.TypeFor[typedreviewv1.FleetReviewV1Interface]():    {"CapacityReports"},
	}
	for client, want := range clients {
		var clusterScoped []string
		for method := range client.Methods() {
			if method.Name != "RESTClient" && method.Type.NumIn() == 0 {
				clusterScoped = append(clusterScoped, method.Name)
			}
		}
		assert.ElementsMatch(t, want, clusterScoped, client.Name())
	}
}
