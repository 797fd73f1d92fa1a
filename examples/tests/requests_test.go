package tests

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	reviewv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/review/v1"
	fleetac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
)

// TestRequests checks what each verb sends, for namespaced and for cluster-scoped kinds.
func TestRequests(t *testing.T) {
	for _, exchanges := range [][]exchange{namespacedRequests(), clusterScopedRequests(), applyRequests(), otherRequests()} {
		for _, e := range exchanges {
			t.Run(e.name, e.run)
		}
	}
}

func namespacedRequests() []exchange {
	const collection = "/apis/fleet.example.com/v1/namespaces/shop/workloads"
	web := workload("shop", "web", map[string]string{"tier": "front"})
	timeout := int64(30)
	return []exchange{
		{
			name: "create",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Workloads("shop").Create(t.Context(), web, metav1.CreateOptions{FieldManager: "tests"})
			},
			method: "POST", path: collection, query: "fieldManager=tests",
			body: web, bodyKind: fleetV1.WithKind("Workload"),
			reply: web,
		},
		{
			name: "update",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Workloads("shop").Update(t.Context(), web, metav1.UpdateOptions{DryRun: []string{"All"}})
			},
			method: "PUT", path: collection + "/web", query: "dryRun=All",
			body: web, bodyKind: fleetV1.WithKind("Workload"),
			reply: web,
		},
		{
			name: "update status",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Workloads("shop").UpdateStatus(t.Context(), web, metav1.UpdateOptions{})
			},
			method: "PUT", path: collection + "/web/status",
			body: web, bodyKind: fleetV1.WithKind("Workload"),
			reply: web,
		},
		{
			name: "get",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Workloads("shop").Get(t.Context(), "web", metav1.GetOptions{ResourceVersion: "0"})
			},
			method: "GET", path: collection + "/web", query: "resourceVersion=0",
			reply: web,
		},
		{
			name: "list",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Workloads("shop").List(t.Context(),
					metav1.ListOptions{LabelSelector: "tier=front", FieldSelector: "metadata.name=web", TimeoutSeconds: &timeout})
			},
			method: "GET", path: collection,
			query: "fieldSelector=metadata.name%3Dweb&labelSelector=tier%3Dfront&timeout=30s&timeoutSeconds=30",
			reply: &fleetv1.WorkloadList{ListMeta: metav1.ListMeta{ResourceVersion: "7"}, Items: []fleetv1.Workload{*web}},
		},
		{
			name: "list of all namespaces",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Workloads(metav1.NamespaceAll).List(t.Context(), metav1.ListOptions{Limit: 500})
			},
			method: "GET", path: "/apis/fleet.example.com/v1/workloads", query: "limit=500",
			reply: &fleetv1.WorkloadList{Items: []fleetv1.Workload{*web}},
		},
		{
			name: "patch",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Workloads("shop").Patch(t.Context(), "web",
					types.JSONPatchType, []byte(`[{"op":"remove","path":"/spec/paused"}]`), metav1.PatchOptions{})
			},
			method: "PATCH", path: collection + "/web",
			contentType: "application/json-patch+json", body: `[{"op":"remove","path":"/spec/paused"}]`,
			reply: web,
		},
		{
			name: "patch of a subresource",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Workloads("shop").Patch(t.Context(), "web",
					types.MergePatchType, []byte(`{"status":null}`), metav1.PatchOptions{FieldManager: "tests"}, "status")
			},
			method: "PATCH", path: collection + "/web/status", query: "fieldManager=tests",
			contentType: "application/merge-patch+json", body: `{"status":null}`,
			reply: web,
		},
		{
			name: "delete",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				propagation := metav1.DeletePropagationOrphan
				return success, client.FleetV1().Workloads("shop").Delete(t.Context(), "web", metav1.DeleteOptions{PropagationPolicy: &propagation})
			},
			method: "DELETE", path: collection + "/web",
			body: deleteOptions(metav1.DeletePropagationOrphan), bodyKind: fleetV1.WithKind("DeleteOptions"),
			reply: success,
		},
		{
			name: "delete collection",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return success, client.FleetV1().Workloads("shop").DeleteCollection(t.Context(),
					*deleteOptions(metav1.DeletePropagationForeground), metav1.ListOptions{LabelSelector: "tier=front"})
			},
			method: "DELETE", path: collection, query: "labelSelector=tier%3Dfront",
			body: deleteOptions(metav1.DeletePropagationForeground), bodyKind: fleetV1.WithKind("DeleteOptions"),
			reply: success,
		},
	}
}

func clusterScopedRequests() []exchange {
	const collection = "/apis/fleet.example.com/v1/regions"
	north := region("north")
	return []exchange{
		{
			name: "cluster-scoped create",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Regions().Create(t.Context(), north, metav1.CreateOptions{})
			},
			method: "POST", path: collection,
			body: north, bodyKind: fleetV1.WithKind("Region"),
			reply: north,
		},
		{
			name: "cluster-scoped update status",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Regions().UpdateStatus(t.Context(), north, metav1.UpdateOptions{})
			},
			method: "PUT", path: collection + "/north/status",
			body: north, bodyKind: fleetV1.WithKind("Region"),
			reply: north,
		},
		{
			name: "cluster-scoped get",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Regions().Get(t.Context(), "north", metav1.GetOptions{})
			},
			method: "GET", path: collection + "/north",
			reply: north,
		},
		{
			name: "cluster-scoped list",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Regions().List(t.Context(), metav1.ListOptions{})
			},
			method: "GET", path: collection,
			reply: &fleetv1.RegionList{Items: []fleetv1.Region{*north}},
		},
		{
			name: "resource name that a tag gives",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Chassises().Get(t.Context(), "c1", metav1.GetOptions{})
			},
			method: "GET", path: "/apis/fleet.example.com/v1/chassis/c1",
			reply: chassis("c1"),
		},
	}
}

func applyRequests() []exchange {
	const applyPatch = "application/apply-patch+yaml"
	web := workload("shop", "web", nil)
	return []exchange{
		{
			name: "apply",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				applied := fleetac.Workload("web", "shop").WithSpec(fleetac.WorkloadSpec().WithReplicas(0))
				return client.FleetV1().Workloads("shop").Apply(t.Context(), applied, forced("tests"))
			},
			method: "PATCH", path: "/apis/fleet.example.com/v1/namespaces/shop/workloads/web", query: "fieldManager=tests&force=true",
			contentType: applyPatch,
			body: `{"kind":"Workload","apiVersion":"fleet.example.com/v1","metadata":{"name":"web","namespace":"shop"},` +
				`"spec":{"replicas":0}}`,
			reply: web,
		},
		{
			name: "apply status",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				applied := fleetac.Workload("web", "shop").WithStatus(fleetac.WorkloadStatus().WithReplicas(3))
				return client.FleetV1().Workloads("shop").ApplyStatus(t.Context(), applied, by("tests"))
			},
			method: "PATCH", path: "/apis/fleet.example.com/v1/namespaces/shop/workloads/web/status", query: "fieldManager=tests&force=false",
			contentType: applyPatch,
			body: `{"kind":"Workload","apiVersion":"fleet.example.com/v1","metadata":{"name":"web","namespace":"shop"},` +
				`"status":{"replicas":3}}`,
			reply: web,
		},
		{
			name: "cluster-scoped apply of a kind whose resource name a tag gives",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1().Chassises().Apply(t.Context(), appliedChassis("c1", "r7"), by("tests"))
			},
			method: "PATCH", path: "/apis/fleet.example.com/v1/chassis/c1", query: "fieldManager=tests&force=false",
			contentType: applyPatch,
			body:        `{"kind":"Chassis","apiVersion":"fleet.example.com/v1","metadata":{"name":"c1"},"spec":{"rack":"r7"}}`,
			reply:       chassis("c1"),
		},
	}
}

func otherRequests() []exchange {
	review := &reviewv1.PlacementReview{ObjectMeta: metav1.ObjectMeta{Namespace: "shop"}, Spec: reviewv1.PlacementReviewSpec{Replicas: 2}}
	return []exchange{
		{
			name: "another version",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1beta1().Workloads("shop").Get(t.Context(), "web", metav1.GetOptions{})
			},
			method: "GET", path: "/apis/fleet.example.com/v1beta1/namespaces/shop/workloads/web",
			reply: &fleetv1beta1.Workload{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: fleetv1beta1.WorkloadSpec{Replicas: 2}},
		},
		{
			name: "plural in -ies",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetV1beta1().PlacementPolicies("shop").Get(t.Context(), "eu", metav1.GetOptions{})
			},
			method: "GET", path: "/apis/fleet.example.com/v1beta1/namespaces/shop/placementpolicies/eu",
			reply: &fleetv1beta1.PlacementPolicy{ObjectMeta: metav1.ObjectMeta{Name: "eu"}},
		},
		{
			name: "group with a dash, of a package in the kubebuilder style",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.EdgeNetworkV1alpha1().TrafficClasses().Get(t.Context(), "bulk", metav1.GetOptions{})
			},
			method: "GET", path: "/apis/edge-network.example.com/v1alpha1/trafficclasses/bulk",
			reply: &edgev1alpha1.TrafficClass{ObjectMeta: metav1.ObjectMeta{Name: "bulk"}, Spec: edgev1alpha1.TrafficClassSpec{Priority: 1}},
		},
		{
			name: "another group",
			call: func(t *testing.T, client versioned.Interface) (runtime.Object, error) {
				return client.FleetReviewV1().PlacementReviews("shop").Create(t.Context(), review, metav1.CreateOptions{})
			},
			method: "POST", path: "/apis/fleet.review.example.com/v1/namespaces/shop/placementreviews",
			body: review, bodyKind: reviewV1.WithKind("PlacementReview"),
			reply: review,
		},
	}
}

// success is a server's response to a deletion.
var success = &metav1.Status{Status: metav1.StatusSuccess}

func deleteOptions(propagation metav1.DeletionPropagation) *metav1.DeleteOptions {
	return &metav1.DeleteOptions{PropagationPolicy: &propagation}
}
