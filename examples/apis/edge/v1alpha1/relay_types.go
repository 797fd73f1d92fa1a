package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func init() {
	SchemeBuilder.Register(func(scheme *runtime.Scheme) error {
		scheme.AddKnownTypes(GroupVersion, &Relay{}, &RelayList{})
		return nil
	})
}

// LinkSettings are what both ends of a link have to agree on.
type LinkSettings struct {
	// MTU is the largest packet that passes undivided.
	// +optional
	// +kubebuilder:validation:Minimum=1280
	MTU int32 `json:"mtu,omitempty"`
	// Keepalive is the time between two signs of life, in seconds.
	// +optional
	// +kubebuilder:validation:Minimum=1
	Keepalive *int32 `json:"keepalive,omitempty"`
}

// RelaySpec is the desired state of a Relay.
type RelaySpec struct {
	LinkSettings `json:",inline"`

	// Site is the location of the machine. It is atomic: an address is only valid as a whole, so it has one owner.
	// +optional
	// +structType=atomic
	Site RelaySite `json:"site,omitempty"`
	// Interfaces are the network interfaces of the machine, by name.
	// +optional
	Interfaces map[string]RelayInterface `json:"interfaces,omitempty"`
	// Forwards are the ports that are passed on.
	// +optional
	// +listType=map
	// +listMapKey=port
	// +listMapKey=protocol
	Forwards []RelayForward `json:"forwards,omitempty"`
	// Contacts are told when the relay is lost.
	// +optional
	// +listType=set
	Contacts []string `json:"contacts,omitempty"`
	// Resolvers are asked for names, one after the other.
	// +optional
	// +listType=atomic
	Resolvers []string `json:"resolvers,omitempty"`
	// KernelParameters are set when the machine starts.
	// +optional
	// +mapType=atomic
	KernelParameters map[string]string `json:"kernelParameters,omitempty"`
	// Hints are free-form.
	// +optional
	Hints map[string]string `json:"hints,omitempty"`
}

// RelaySite is where a Relay stands.
type RelaySite struct {
	// City is the name of the city.
	// +optional
	City string `json:"city,omitempty"`
	// Street is the street, with the number.
	// +optional
	Street string `json:"street,omitempty"`
}

// RelayInterface is a network interface of a Relay.
type RelayInterface struct {
	// Address is the address with the length of its prefix.
	// +optional
	Address string `json:"address,omitempty"`
	// VLAN is the number of the virtual network, 0 for none.
	// +optional
	// +kubebuilder:validation:Maximum=4094
	VLAN int32 `json:"vlan,omitempty"`
}

// RelayForward is a port that a Relay passes on.
type RelayForward struct {
	// Port is the port at which traffic comes in.
	Port int32 `json:"port"`
	// Protocol is TCP or UDP.
	// +kubebuilder:validation:Enum=TCP;UDP
	Protocol string `json:"protocol"`
	// Target is the destination.
	// +optional
	Target string `json:"target,omitempty"`
}

// RelayStatus is the observed state of a Relay.
type RelayStatus struct {
	// Tunnels are the names of the tunnels that go through it now.
	// +optional
	// +listType=set
	Tunnels []string `json:"tunnels,omitempty"`
	// Conditions are the latest observations, one of each type.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +genclient
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Relay is a machine at a site that tunnels go through.
type Relay struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RelaySpec   `json:"spec,omitempty"`
	Status RelayStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// RelayList is a list of relays.
type RelayList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Relay `json:"items"`
}
