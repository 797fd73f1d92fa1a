package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func init() {
	SchemeBuilder.Register(func(scheme *runtime.Scheme) error {
		scheme.AddKnownTypes(GroupVersion, &Tunnel{}, &TunnelList{}, &TunnelSession{}, &TunnelSessionList{})
		return nil
	})
}

// TunnelSpec is the desired state of a Tunnel.
type TunnelSpec struct {
	// Peer is the address of the far end.
	// +kubebuilder:validation:MinLength=1
	Peer string `json:"peer"`
	// MTU is the largest packet that passes undivided.
	// +optional
	// +kubebuilder:default=1420
	// +kubebuilder:validation:Minimum=1280
	MTU int32 `json:"mtu,omitempty"`
	// TrafficClassName names the TrafficClass of packets that bear no mark of their own.
	// +optional
	TrafficClassName string `json:"trafficClassName,omitempty"`
}

// TunnelStatus is the observed state of a Tunnel.
type TunnelStatus struct {
	// LastHandshake is when both ends last agreed on keys.
	// +optional
	LastHandshake *metav1.Time `json:"lastHandshake,omitempty"`
	// Conditions are the latest observations, one of each type.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +genclient
// +genclient:method=ListSessions,verb=list,subresource=sessions,result=TunnelSession
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=tun
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Peer",type=string,JSONPath=`.spec.peer`
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Tunnel is an encrypted link between a region and a site.
type Tunnel struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   TunnelSpec   `json:"spec,omitempty"`
	Status TunnelStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// TunnelList is a list of tunnels.
type TunnelList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Tunnel `json:"items"`
}

// +kubebuilder:object:root=true
// +kubebuilder:skipversion
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// TunnelSession is one connection that a tunnel carries at the moment. Sessions are listed, never stored.
type TunnelSession struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Source is the address that the connection comes from.
	Source string `json:"source"`
	// Destination is the address that it goes to.
	Destination string `json:"destination"`
}

// +kubebuilder:object:root=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// TunnelSessionList is a list of sessions.
type TunnelSessionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TunnelSession `json:"items"`
}
