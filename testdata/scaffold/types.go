// Package v1 is what tests scaffold for: kinds of every form, with and without finalizer, status, namespace, owned objects and
// references, one whose name scaffolded code uses for something else, and one that cannot be applied.
//
// +groupName=fleet.example.com
// +k8s:deepcopy-gen=package
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +informergen:controller=owns=apps/v1.Deployment;core/v1.ConfigMap;Knob:all,finalizer=fleet.example.com/cleanup
// +informergen:ref=core/v1.Secret,path=secretName
// +informergen:ref=Yard,path=yards
// +kubebuilder:subresource:status
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	SecretName        string      `json:"secretName,omitempty"`
	Yards             []string    `json:"yards,omitempty"`
	Status            RobotStatus `json:"status,omitempty"`
}

type RobotStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RobotList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Robot `json:"items"`
}

// +genclient
// +genclient:nonNamespaced
// +informergen:controller=owns=rbac/v1.ClusterRole;apps/v1.Deployment
// +kubebuilder:resource:scope=Cluster
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Yard struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type YardList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Yard `json:"items"`
}

// +genclient
// +informergen:controller=owns=Knob:all
// +informergen:ref=core/v1.ConfigMap,path=configs,watch=named
// +kubebuilder:subresource:status
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Cache struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Configs           []string    `json:"configs,omitempty"`
	Status            CacheStatus `json:"status,omitempty"`
}

type CacheStatus struct {
	Size int64 `json:"size,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type CacheList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Cache `json:"items"`
}

// +genclient
// +genclient:onlyVerbs=get,list,watch,create
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Knob struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type KnobList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Knob `json:"items"`
}
