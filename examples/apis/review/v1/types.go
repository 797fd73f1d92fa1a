package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PlacementReview asks where in the fleet a workload of some size could run now.
// +genclient
// +genclient:onlyVerbs=create
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type PlacementReview struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is the question.
	Spec PlacementReviewSpec `json:"spec"`
	// Status is the answer.
	// +optional
	Status PlacementReviewStatus `json:"status,omitempty"`
}

// PlacementReviewSpec is what a PlacementReview asks.
type PlacementReviewSpec struct {
	// Replicas is how many replicas there would be.
	// +kubebuilder:validation:Minimum=1
	Replicas int32 `json:"replicas"`
	// Requests is what each replica would request.
	// +optional
	Requests corev1.ResourceList `json:"requests,omitempty"`
}

// PlacementReviewStatus is the answer to a PlacementReview.
type PlacementReviewStatus struct {
	// RegionNames names the regions with enough room, the emptiest first.
	// +optional
	// +listType=set
	RegionNames []string `json:"regionNames,omitempty"`
	// Reason says why no region has enough room.
	// +optional
	Reason string `json:"reason,omitempty"`
}

// CapacityReport sums up how full one region is at the moment of the request. It bears the name of the region.
// +genclient
// +genclient:nonNamespaced
// +genclient:readonly
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type CapacityReport struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Capacity is what the machines of the region offer.
	Capacity corev1.ResourceList `json:"capacity"`
	// Requested is what workloads have requested of it.
	Requested corev1.ResourceList `json:"requested"`
}

// CapacityReportList is a list of capacity reports.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type CapacityReportList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []CapacityReport `json:"items"`
}
