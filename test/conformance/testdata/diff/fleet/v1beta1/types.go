package v1beta1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Robot is a kind.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RobotSpec   `json:"spec,omitempty"`
	Status RobotStatus `json:"status,omitempty"`
}

// RobotSpec has fields of many forms.
type RobotSpec struct {
	Base   `json:",inline"`
	Parts  []Part            `json:"parts,omitempty"`
	Main   *Part             `json:"main,omitempty"`
	Env    []corev1.EnvVar   `json:"env,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	At     *metav1.Time      `json:"at,omitempty"`
	Names  []string          `json:"names,omitempty"`
}

// Base is embedded.
type Base struct {
	Model string `json:"model,omitempty"`
}

// Part has an apply configuration of its own.
type Part struct {
	Length *int32 `json:"length,omitempty"`
}

// RobotStatus is what a controller reports.
type RobotStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// RobotList is a list.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RobotList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Robot `json:"items"`
}
