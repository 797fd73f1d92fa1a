package tests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1alpha1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	reviewv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/review/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/scheme"
)

var (
	fleetV1      = schema.GroupVersion{Group: "fleet.example.com", Version: "v1"}
	fleetV1beta1 = schema.GroupVersion{Group: "fleet.example.com", Version: "v1beta1"}
	edgeV1alpha1 = schema.GroupVersion{Group: "edge-network.example.com", Version: "v1alpha1"}
	reviewV1     = schema.GroupVersion{Group: "fleet.review.example.com", Version: "v1"}
)

// registered are all objects that the clients of the examples send or receive.
var registered = map[schema.GroupVersionKind]runtime.Object{
	fleetV1.WithKind("Workload"):                 &fleetv1.Workload{},
	fleetV1.WithKind("WorkloadList"):             &fleetv1.WorkloadList{},
	fleetV1.WithKind("WorkloadRollback"):         &fleetv1.WorkloadRollback{},
	fleetV1.WithKind("WorkloadRevision"):         &fleetv1.WorkloadRevision{},
	fleetV1.WithKind("WorkloadRevisionList"):     &fleetv1.WorkloadRevisionList{},
	fleetV1.WithKind("Quota"):                    &fleetv1.Quota{},
	fleetV1.WithKind("QuotaList"):                &fleetv1.QuotaList{},
	fleetV1.WithKind("Region"):                   &fleetv1.Region{},
	fleetV1.WithKind("RegionList"):               &fleetv1.RegionList{},
	fleetV1.WithKind("Chassis"):                  &fleetv1.Chassis{},
	fleetV1.WithKind("ChassisList"):              &fleetv1.ChassisList{},
	fleetV1.WithKind("ChassisPowerRequest"):      &fleetv1.ChassisPowerRequest{},
	fleetV1.WithKind("Heartbeat"):                &fleetv1.Heartbeat{},
	fleetV1.WithKind("HeartbeatList"):            &fleetv1.HeartbeatList{},
	fleetV1beta1.WithKind("Workload"):            &fleetv1beta1.Workload{},
	fleetV1beta1.WithKind("WorkloadList"):        &fleetv1beta1.WorkloadList{},
	fleetV1beta1.WithKind("Evacuation"):          &fleetv1beta1.Evacuation{},
	fleetV1beta1.WithKind("Gateway"):             &fleetv1beta1.Gateway{},
	fleetV1beta1.WithKind("GatewayList"):         &fleetv1beta1.GatewayList{},
	fleetV1beta1.WithKind("GatewayManifest"):     &fleetv1beta1.GatewayManifest{},
	fleetV1beta1.WithKind("GatewayRoutes"):       &fleetv1beta1.GatewayRoutes{},
	fleetV1beta1.WithKind("PlacementPolicy"):     &fleetv1beta1.PlacementPolicy{},
	fleetV1beta1.WithKind("PlacementPolicyList"): &fleetv1beta1.PlacementPolicyList{},
	fleetV1beta1.WithKind("Alarm"):               &fleetv1beta1.Alarm{},
	fleetV1beta1.WithKind("AlarmList"):           &fleetv1beta1.AlarmList{},
	edgeV1alpha1.WithKind("Tunnel"):              &edgev1alpha1.Tunnel{},
	edgeV1alpha1.WithKind("TunnelList"):          &edgev1alpha1.TunnelList{},
	edgeV1alpha1.WithKind("TunnelSession"):       &edgev1alpha1.TunnelSession{},
	edgeV1alpha1.WithKind("TunnelSessionList"):   &edgev1alpha1.TunnelSessionList{},
	edgeV1alpha1.WithKind("Relay"):               &edgev1alpha1.Relay{},
	edgeV1alpha1.WithKind("RelayList"):           &edgev1alpha1.RelayList{},
	edgeV1alpha1.WithKind("TrafficClass"):        &edgev1alpha1.TrafficClass{},
	edgeV1alpha1.WithKind("TrafficClassList"):    &edgev1alpha1.TrafficClassList{},
	reviewV1.WithKind("PlacementReview"):         &reviewv1.PlacementReview{},
	reviewV1.WithKind("CapacityReport"):          &reviewv1.CapacityReport{},
	reviewV1.WithKind("CapacityReportList"):      &reviewv1.CapacityReportList{},
}

func TestSchemesKnowEveryKind(t *testing.T) {
	fakeScheme := runtime.NewScheme()
	require.NoError(t, fake.AddToScheme(fakeScheme))

	for name, known := range map[string]*runtime.Scheme{"real": scheme.Scheme, "fake": fakeScheme} {
		t.Run(name, func(t *testing.T) {
			for gvk, want := range registered {
				object, err := known.New(gvk)
				require.NoError(t, err)
				assert.IsType(t, want, object, gvk)
				kinds, _, err := known.ObjectKinds(want)
				require.NoError(t, err)
				assert.Equal(t, []schema.GroupVersionKind{gvk}, kinds)
			}
			_, _, err := known.ObjectKinds(&fleetv1alpha1.Workload{})
			assert.True(t, runtime.IsNotRegisteredError(err), "the retired version gets no clients: %v", err)
		})
	}
}

func TestSchemeHasTheTypesAddedByHand(t *testing.T) {
	kinds, _, err := scheme.Scheme.ObjectKinds(&autoscalingv1.Scale{})
	require.NoError(t, err)
	assert.Equal(t, []schema.GroupVersionKind{{Group: "autoscaling", Version: "v1", Kind: "Scale"}}, kinds)
}

func TestSchemeAddsItselfToAnother(t *testing.T) {
	other := runtime.NewScheme()
	require.NoError(t, scheme.AddToScheme(other))
	for gvk := range registered {
		assert.True(t, other.Recognizes(gvk), gvk)
	}
	assert.True(t, other.Recognizes(autoscalingv1.SchemeGroupVersion.WithKind("Scale")))
}

func TestCodecsRoundTrip(t *testing.T) {
	for _, gv := range []schema.GroupVersion{fleetV1, fleetV1beta1} {
		t.Run(gv.String(), func(t *testing.T) {
			manifest := []byte(`{"apiVersion":"` + gv.String() + `","kind":"Workload","metadata":{"name":"web"}}`)
			object, err := runtime.Decode(scheme.Codecs.UniversalDeserializer(), manifest)
			require.NoError(t, err)
			assert.IsType(t, registered[gv.WithKind("Workload")], object)

			encoded, err := runtime.Encode(scheme.Codecs.LegacyCodec(gv), object)
			require.NoError(t, err)
			again, err := runtime.Decode(scheme.Codecs.UniversalDeserializer(), encoded)
			require.NoError(t, err)
			assert.Equal(t, object, again)
		})
	}
}

func TestParameterCodecEncodesOptionsForEveryGroup(t *testing.T) {
	for _, gv := range []schema.GroupVersion{fleetV1, fleetV1beta1, edgeV1alpha1, reviewV1} {
		query, err := scheme.ParameterCodec.EncodeParameters(&metav1.ListOptions{LabelSelector: "a=b", Limit: 7}, gv)
		require.NoError(t, err)
		assert.Equal(t, "labelSelector=a%3Db&limit=7", query.Encode(), gv)
	}
}
