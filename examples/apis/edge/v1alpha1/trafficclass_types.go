package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func init() {
	SchemeBuilder.Register(func(scheme *runtime.Scheme) error {
		scheme.AddKnownTypes(GroupVersion, &TrafficClass{}, &TrafficClassList{})
		return nil
	})
}

// TrafficClassSpec is the desired state of a TrafficClass.
type TrafficClassSpec struct {
	// Priority decides who waits when a tunnel is full; higher goes first.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=7
	Priority int32 `json:"priority"`
	// Bandwidth is guaranteed to all traffic of this class together, in bits per second.
	// +optional
	Bandwidth *resource.Quantity `json:"bandwidth,omitempty"`
}

// +genclient
// +genclient:nonNamespaced
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=tc
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// TrafficClass is a kind of traffic that tunnels tell apart.
type TrafficClass struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec TrafficClassSpec `json:"spec,omitempty"`
}

// +kubebuilder:object:root=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// TrafficClassList is a list of traffic classes.
type TrafficClassList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TrafficClass `json:"items"`
}
