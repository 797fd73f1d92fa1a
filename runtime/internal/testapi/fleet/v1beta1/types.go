package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Workload is a namespaced kind with a status.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Workload struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WorkloadSpec   `json:"spec"`
	Status WorkloadStatus `json:"status,omitempty"`
}

// WorkloadSpec is the wanted state of a Workload.
type WorkloadSpec struct {
	Replicas   int32  `json:"replicas"`
	Image      string `json:"image"`
	RegionName string `json:"regionName"`
}

// WorkloadStatus is the observed state of a Workload.
type WorkloadStatus struct {
	Replicas int32 `json:"replicas,omitempty"`
}

// WorkloadList is a list of Workloads.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WorkloadList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Workload `json:"items"`
}
