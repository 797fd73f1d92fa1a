package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// GuestbookSpec is the desired state of a Guestbook.
type GuestbookSpec struct {
	// Title stands on the cover.
	// +kubebuilder:validation:MinLength=1
	// +optional
	Title string `json:"title,omitempty"`
	// Capacity is how many entries there is room for.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:default=100
	// +optional
	Capacity *int32 `json:"capacity,omitempty"`
	// Entries are what guests have written, one of each.
	// +listType=map
	// +listMapKey=guest
	// +optional
	Entries []Entry `json:"entries,omitempty"`
}

// Entry is what one guest has written.
type Entry struct {
	// Guest is the name of the guest.
	// +kubebuilder:validation:MinLength=1
	Guest string `json:"guest"`
	// Text is what the guest has to say.
	// +optional
	Text string `json:"text,omitempty"`
}

// GuestbookStatus is the observed state of a Guestbook.
type GuestbookStatus struct {
	// Free is how many more entries there is room for.
	// +optional
	Free int32 `json:"free,omitempty"`
	// Conditions are the latest observations, one of each type.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +genclient
// +informergen:index=field=spec.entries.guest
// +informergen:index=field=spec.capacity
// +informergen:index=label=season
// +informergen:index=owner
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

// Guestbook is a book for guests to write in.
type Guestbook struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// +required
	Spec GuestbookSpec `json:"spec"`
	// +optional
	Status GuestbookStatus `json:"status,omitzero"`
}

// +kubebuilder:object:root=true

// GuestbookList is a list of guestbooks.
type GuestbookList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []Guestbook `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Guestbook{}, &GuestbookList{})
}
