package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +genclient
// +genclient:method=Import,verb=create,input=GatewayManifest
// +genclient:method=GetRoutes,verb=get,subresource=routes,result=GatewayRoutes
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:subresource:status

// Gateway lets traffic in to workloads of its namespace.
type Gateway struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what the owner of the gateway asks for.
	Spec GatewaySpec `json:"spec"`
	// Status is what the fleet made of it.
	// +optional
	Status GatewayStatus `json:"status,omitempty"`
}

// GatewaySpec is the desired state of a Gateway.
type GatewaySpec struct {
	// Listeners are the ports that the gateway opens.
	// +listType=map
	// +listMapKey=port
	// +kubebuilder:validation:MinItems=1
	Listeners []GatewayListener `json:"listeners"`
}

// GatewayListener is one open port of a Gateway.
type GatewayListener struct {
	// Port is the port to open.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Port int32 `json:"port"`
	// WorkloadName names the workload that gets the traffic.
	WorkloadName string `json:"workloadName"`
}

// GatewayStatus is the observed state of a Gateway.
type GatewayStatus struct {
	// Addresses are where the gateway can be reached.
	// +optional
	// +listType=set
	Addresses []string `json:"addresses,omitempty"`
	// Conditions are the latest observations, one of each type.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// GatewayList is a list of gateways.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type GatewayList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Gateway `json:"items"`
}

// GatewayManifest is the configuration of a foreign gateway. Posted in place of a Gateway, it becomes one.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type GatewayManifest struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Format names the program that the configuration was written for.
	// +kubebuilder:validation:Enum=nginx;haproxy
	Format string `json:"format"`
	// Content is the configuration itself.
	Content string `json:"content"`
}

// GatewayRoutes is what a gateway has worked out of its listeners: the addresses that traffic goes to now.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type GatewayRoutes struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Routes has one entry per listener.
	// +listType=map
	// +listMapKey=port
	Routes []GatewayRoute `json:"routes"`
}

// GatewayRoute is where the traffic of one port goes.
type GatewayRoute struct {
	// Port is the port of the listener.
	Port int32 `json:"port"`
	// Endpoints are the addresses of replicas that serve.
	// +listType=set
	Endpoints []string `json:"endpoints"`
}
