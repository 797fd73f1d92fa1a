package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Workload is a program that the fleet keeps running. v1 has the same kind, with more to say about each replica.
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:subresource:status
type Workload struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what the owner of the workload asks for.
	Spec WorkloadSpec `json:"spec"`
	// Status is what the fleet last saw of it.
	// +optional
	Status WorkloadStatus `json:"status,omitempty"`
}

// WorkloadSpec is the desired state of a Workload.
type WorkloadSpec struct {
	// Replicas is how many copies should run.
	// +kubebuilder:validation:Minimum=0
	Replicas int32 `json:"replicas"`
	// Image is the container image to run.
	Image string `json:"image"`
	// RegionName names the Region that the replicas run in.
	RegionName string `json:"regionName"`
}

// WorkloadStatus is the observed state of a Workload.
type WorkloadStatus struct {
	// ReadyReplicas is how many replicas serve.
	// +optional
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`
	// Conditions are the latest observations, one of each type.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// WorkloadList is a list of workloads.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WorkloadList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Workload `json:"items"`
}

// Evacuation asks a workload to leave the machine that some of its replicas run on. It is posted to a subresource of
// the workload and never stored, so that it has none of the usual verbs.
// +genclient
// +genclient:noVerbs
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Evacuation struct {
	metav1.TypeMeta `json:",inline"`
	// Name and namespace are those of the workload.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// ChassisName names the machine to leave.
	ChassisName string `json:"chassisName"`
	// GracePeriodSeconds is how long replicas may take to stop.
	// +optional
	// +kubebuilder:validation:Minimum=0
	GracePeriodSeconds *int64 `json:"gracePeriodSeconds,omitempty"`
}

// PlacementPolicy says which regions the workloads of its namespace may run in.
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type PlacementPolicy struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec holds the rules.
	Spec PlacementPolicySpec `json:"spec"`
}

// PlacementPolicySpec is the desired state of a PlacementPolicy.
type PlacementPolicySpec struct {
	// WorkloadSelector selects the workloads that the policy is for. Empty selects all of them.
	// +optional
	WorkloadSelector *metav1.LabelSelector `json:"workloadSelector,omitempty"`
	// Countries lists the ISO 3166 codes of the countries that are allowed.
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	Countries []string `json:"countries"`
}

// PlacementPolicyList is a list of placement policies.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type PlacementPolicyList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []PlacementPolicy `json:"items"`
}

// Alarm is raised by the fleet itself. Clients read it, and delete it once they have taken care of its cause.
// +genclient
// +genclient:readonly
// +genclient:onlyVerbs=delete
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Alarm struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Severity tells how soon somebody should look.
	// +kubebuilder:validation:Enum=Info;Warning;Critical
	Severity string `json:"severity"`
	// Message is for people to read.
	Message string `json:"message"`
	// RaisedAt is when the fleet first saw the cause.
	RaisedAt metav1.Time `json:"raisedAt"`
}

// AlarmList is a list of alarms.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type AlarmList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Alarm `json:"items"`
}
