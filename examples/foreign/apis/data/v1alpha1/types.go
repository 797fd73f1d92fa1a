// Package v1alpha1 has our own kind, which uses the kinds of another project.
//
// +groupName=data.example.com
package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Stream is a topic on a broker of the same namespace.
//
// +genclient
// +informergen:controller=owns=brokers.example.org/v1.Topic
// +informergen:ref=brokers.example.org/v1.Broker,path=spec.broker
// +kubebuilder:subresource:status
type Stream struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              StreamSpec   `json:"spec"`
	Status            StreamStatus `json:"status,omitzero"`
}

// StreamSpec is the desired state of a stream.
type StreamSpec struct {
	// Broker is the name of the broker.
	Broker string `json:"broker"`
	// Keep says how long messages are kept. Without it, the last message of each key is kept.
	Keep *metav1.Duration `json:"keep,omitempty"`
}

// StreamStatus is the state of a stream.
type StreamStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// StreamList is a list of streams.
type StreamList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Stream `json:"items"`
}
