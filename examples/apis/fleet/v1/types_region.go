package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +genclient
// +genclient:nonNamespaced
// +informergen:controller
// +informergen:rbac=groups=fleet.example.com,resources=workloads,verbs=list;watch
// +genclient:method=UpdateHolds,verb=update,subresource=holds
// +genclient:method=ApplyHolds,verb=apply,subresource=holds
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:subresource:status

// Region is a place that runs workloads.
type Region struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what the operators of the fleet decided.
	Spec RegionSpec `json:"spec"`
	// Status is what the region reports.
	// +optional
	Status RegionStatus `json:"status,omitempty"`
}

// RegionSpec is the desired state of a Region.
type RegionSpec struct {
	// Country is the ISO 3166 code of the country that the region is in.
	// +kubebuilder:validation:Pattern=`^[A-Z]{2}$`
	Country string `json:"country"`
	// Endpoint is the address of the region's own API server.
	// +kubebuilder:validation:Format=uri
	Endpoint string `json:"endpoint"`
	// Taints keep workloads away that do not tolerate them.
	// +optional
	// +listType=atomic
	Taints []corev1.Taint `json:"taints,omitempty"`
	// Holds name those who have to agree before the region is closed. They only change through the holds subresource.
	// +optional
	// +listType=set
	Holds []string `json:"holds,omitempty"`
}

// RegionPhase is a step in the life of a region.
// +kubebuilder:validation:Enum=Opening;Open;Draining;Closed
type RegionPhase string

// The life of a region.
const (
	RegionOpening  RegionPhase = "Opening"
	RegionOpen     RegionPhase = "Open"
	RegionDraining RegionPhase = "Draining"
	RegionClosed   RegionPhase = "Closed"
)

// RegionStatus is the observed state of a Region.
type RegionStatus struct {
	// Phase is where the region is in its life.
	// +optional
	Phase RegionPhase `json:"phase,omitempty"`
	// Capacity is what all machines of the region offer together.
	// +optional
	Capacity corev1.ResourceList `json:"capacity,omitempty"`
	// Workloads is the number of workloads that name the region.
	// +optional
	Workloads int32 `json:"workloads,omitempty"`
	// Conditions are the latest observations, one of each type.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// RegionList is a list of regions.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RegionList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Region `json:"items"`
}

// Chassis is a machine in a rack. The plural of chassis is chassis, so the resource is not pluralized.
// +genclient
// +genclient:nonNamespaced
// +genclient:method=SetPower,verb=create,subresource=power,input=ChassisPowerRequest,result=k8s.io/apimachinery/pkg/apis/meta/v1.Status
// +resourceName=chassis
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:resource:path=chassis,scope=Cluster
// +kubebuilder:subresource:status
type Chassis struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec says what the machine is and where it stands.
	Spec ChassisSpec `json:"spec"`
	// Status is what its management controller reports.
	// +optional
	Status ChassisStatus `json:"status,omitempty"`
}

// ChassisSpec is the desired state of a Chassis.
type ChassisSpec struct {
	// RegionName names the Region that the machine belongs to.
	// +kubebuilder:validation:MinLength=1
	RegionName string `json:"regionName"`
	// Rack is the rack that it is mounted in.
	// +optional
	Rack string `json:"rack,omitempty"`
	// SerialNumber is the manufacturer's.
	SerialNumber string `json:"serialNumber"`
}

// PowerState says whether a machine has power.
// +kubebuilder:validation:Enum="On";"Off"
type PowerState string

// The power states.
const (
	PowerOn  PowerState = "On"
	PowerOff PowerState = "Off"
)

// ChassisStatus is the observed state of a Chassis.
type ChassisStatus struct {
	// Power is the state that was last seen.
	// +optional
	Power PowerState `json:"power,omitempty"`
	// Conditions are the latest observations, one of each type.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// ChassisList is a list of chassis.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ChassisList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Chassis `json:"items"`
}

// ChassisPowerRequest is sent to the power subresource of a chassis, to switch it on or off.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ChassisPowerRequest struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Power is the desired state of the machine.
	Power PowerState `json:"power"`
	// Force skips the orderly shutdown.
	// +optional
	Force bool `json:"force,omitempty"`
}

// Heartbeat is renewed by the agent of a region. The agent owns the whole object, so its status is not a subresource, unlike that of
// the other kinds.
// +genclient
// +genclient:noStatus
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Heartbeat struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Status is what the agent says about itself.
	// +optional
	Status HeartbeatStatus `json:"status,omitempty"`
}

// HeartbeatStatus is what an agent says about itself.
type HeartbeatStatus struct {
	// RenewTime is when the agent last wrote this object.
	// +optional
	RenewTime *metav1.MicroTime `json:"renewTime,omitempty"`
	// Version is the version of the agent.
	// +optional
	Version string `json:"version,omitempty"`
}

// HeartbeatList is a list of heartbeats.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type HeartbeatList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Heartbeat `json:"items"`
}
