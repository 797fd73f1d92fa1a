// Package v1 is the API of sites.
//
// +groupName=web.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Site is a web site: a Deployment that runs an image with the settings in a ConfigMap.
//
// +genclient
// +informergen:controller=owns=apps/v1.Deployment
// +informergen:ref=core/v1.ConfigMap,path=spec.settings
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              SiteSpec   `json:"spec"`
	Status            SiteStatus `json:"status,omitzero"`
}

// SiteSpec is the desired state of a site.
type SiteSpec struct {
	Image    string `json:"image"`
	Replicas int32  `json:"replicas"`
	// Settings is the name of the ConfigMap with the environment of the site.
	Settings string `json:"settings"`
}

// SiteStatus is the state of a site.
type SiteStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// SiteList is a list of sites.
type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Site `json:"items"`
}
