package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Harbor is a kind.
//
// +genclient
// +genclient:nonNamespaced
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Harbor struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec HarborSpec `json:"spec,omitempty"`
}

// HarborSpec has fields of many forms.
type HarborSpec struct {
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

// HarborList is a list.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type HarborList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Harbor `json:"items"`
}
