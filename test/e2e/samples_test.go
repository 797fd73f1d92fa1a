package e2e

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	corev1 "k8s.io/api/core/v1"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	reviewv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/review/v1"
)

// object is the common interface of all kinds.
type object interface {
	metav1.Object
	runtime.Object
}

// namespace is the namespace of most tests.
const namespace = "shop"

func named(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: namespace, Name: name} }

func global(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name} }

func workload(name string) *fleetv1.Workload {
	return &fleetv1.Workload{ObjectMeta: named(name), Spec: fleetv1.WorkloadSpec{
		RegionName: "north",
		Template:   fleetv1.WorkloadTemplate{Image: "image:1"},
	}}
}

func revision(name string) *fleetv1.WorkloadRevision {
	return &fleetv1.WorkloadRevision{ObjectMeta: named(name), Revision: 1, Template: fleetv1.WorkloadTemplate{Image: "image:1"}}
}

func quota(name string) *fleetv1.Quota {
	hard := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}
	return &fleetv1.Quota{ObjectMeta: named(name), Spec: fleetv1.QuotaSpec{Hard: hard}}
}

func region(name string) *fleetv1.Region {
	return &fleetv1.Region{ObjectMeta: global(name), Spec: fleetv1.RegionSpec{Country: "NO", Endpoint: "https://north.example.com"}}
}

func chassis(name string) *fleetv1.Chassis {
	return &fleetv1.Chassis{ObjectMeta: global(name), Spec: fleetv1.ChassisSpec{RegionName: "north", SerialNumber: "1"}}
}

func heartbeat(name string) *fleetv1.Heartbeat {
	return &fleetv1.Heartbeat{ObjectMeta: named(name), Status: fleetv1.HeartbeatStatus{Version: "1"}}
}

func oldWorkload(name string) *fleetv1beta1.Workload {
	return &fleetv1beta1.Workload{ObjectMeta: named(name), Spec: fleetv1beta1.WorkloadSpec{Replicas: 1, RegionName: "north", Image: "image:1"}}
}

func gateway(name string) *fleetv1beta1.Gateway {
	listeners := []fleetv1beta1.GatewayListener{{Port: 443, WorkloadName: "web"}}
	return &fleetv1beta1.Gateway{ObjectMeta: named(name), Spec: fleetv1beta1.GatewaySpec{Listeners: listeners}}
}

func policy(name string) *fleetv1beta1.PlacementPolicy {
	return &fleetv1beta1.PlacementPolicy{ObjectMeta: named(name), Spec: fleetv1beta1.PlacementPolicySpec{Countries: []string{"NO"}}}
}

func alarm(name string) *fleetv1beta1.Alarm {
	return &fleetv1beta1.Alarm{ObjectMeta: named(name), Severity: "Info", Message: "a test", RaisedAt: metav1.Now()}
}

func relay(name string) *edgev1alpha1.Relay {
	return &edgev1alpha1.Relay{ObjectMeta: named(name), Spec: edgev1alpha1.RelaySpec{Contacts: []string{"me"}, LinkSettings: edgev1alpha1.LinkSettings{MTU: 1400}}}
}

func trafficClass(name string) *edgev1alpha1.TrafficClass {
	return &edgev1alpha1.TrafficClass{ObjectMeta: global(name), Spec: edgev1alpha1.TrafficClassSpec{Priority: 1}}
}

func tunnel(name string) *edgev1alpha1.Tunnel {
	return &edgev1alpha1.Tunnel{ObjectMeta: named(name), Spec: edgev1alpha1.TunnelSpec{Peer: "192.0.2.1"}}
}

func placementReview(name string) *reviewv1.PlacementReview {
	return &reviewv1.PlacementReview{ObjectMeta: named(name), Spec: reviewv1.PlacementReviewSpec{Replicas: 1}}
}

func capacityReport(name string) *reviewv1.CapacityReport {
	return &reviewv1.CapacityReport{ObjectMeta: global(name), Capacity: corev1.ResourceList{}, Requested: corev1.ResourceList{}}
}
