// Package v1 has kinds to scaffold controllers for: one whose reconciles can be seen in the object, and one whose cannot.
//
// +groupName=fleet.example.com
// +k8s:deepcopy-gen=package
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Robot has a finalizer, conditions and an observed generation.
//
// +genclient
// +informergen:controller=owns=apps/v1.Deployment,finalizer=fleet.example.com/cleanup
// +kubebuilder:subresource:status
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              RobotSpec   `json:"spec"`
	Status            RobotStatus `json:"status,omitempty"`
}

// RobotSpec is what a robot should do.
type RobotSpec struct {
	Task string `json:"task,omitempty"`
}

// RobotStatus is what a robot does.
type RobotStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// RobotList is a list of robots.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RobotList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Robot `json:"items"`
}

// Yard is cluster-scoped and has no status.
//
// +genclient
// +genclient:nonNamespaced
// +informergen:controller
// +kubebuilder:resource:scope=Cluster
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Yard struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// YardList is a list of yards.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type YardList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Yard `json:"items"`
}
