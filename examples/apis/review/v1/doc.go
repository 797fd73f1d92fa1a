// +k8s:deepcopy-gen=package
// +k8s:lister-gen=false
// +k8s:informer-gen=false
// +groupName=fleet.review.example.com
// +groupGoName=FleetReview
// +kubebuilder:skip

// Package v1 has queries to the fleet. Answers are computed on request and never stored, so there is nothing to watch or to
// cache: the package has clients, but neither listers nor informers.
package v1
