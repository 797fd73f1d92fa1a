package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// WorkloadFinalizer is the finalizer of the controllers in tests.
const WorkloadFinalizer = "fleet.example.com/workload-cleanup"

// Workload is a namespaced kind with a status and a scale.
//
// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s.io/api/autoscaling/v1.Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=k8s.io/api/autoscaling/v1.Scale,result=k8s.io/api/autoscaling/v1.Scale
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Workload struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WorkloadSpec   `json:"spec"`
	Status WorkloadStatus `json:"status,omitempty"`
}

// WorkloadSpec is the wanted state of a Workload.
type WorkloadSpec struct {
	Replicas   *int32            `json:"replicas,omitempty"`
	RegionName string            `json:"regionName"`
	Template   WorkloadTemplate  `json:"template"`
	Config     map[string]string `json:"config,omitempty"`
	Paused     bool              `json:"paused,omitempty"`
}

// WorkloadTemplate says what the replicas of a Workload run.
type WorkloadTemplate struct {
	Image string   `json:"image"`
	Args  []string `json:"args,omitempty"`
}

// WorkloadStatus is the observed state of a Workload.
type WorkloadStatus struct {
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
	Replicas           int32  `json:"replicas,omitempty"`
	Selector           string `json:"selector,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// WorkloadList is a list of Workloads.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WorkloadList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Workload `json:"items"`
}

// WorkloadRevision is a namespaced kind without a status, which Workloads own.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WorkloadRevision struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Revision int64 `json:"revision"`
}

// WorkloadRevisionList is a list of WorkloadRevisions.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WorkloadRevisionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []WorkloadRevision `json:"items"`
}

// Region is a cluster-scoped kind.
//
// +genclient
// +genclient:nonNamespaced
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Region struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RegionSpec   `json:"spec"`
	Status RegionStatus `json:"status,omitempty"`
}

// RegionSpec is the wanted state of a Region.
type RegionSpec struct {
	Location string `json:"location,omitempty"`
}

// RegionStatus is the observed state of a Region.
type RegionStatus struct {
	Workloads int32 `json:"workloads,omitempty"`
}

// RegionList is a list of Regions.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RegionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Region `json:"items"`
}

// Chassis is a cluster-scoped kind with the same singular and plural, which guesses get wrong.
//
// +genclient
// +genclient:nonNamespaced
// +resourceName=chassis
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Chassis struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Serial string `json:"serial,omitempty"`
}

// ChassisList is a list of Chassis.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ChassisList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Chassis `json:"items"`
}
