// +k8s:deepcopy-gen=package
// +k8s:lister-gen=false
// +k8s:informer-gen=false
// +groupName=fleet.review.example.com
// +groupGoName=FleetReview

// Package v1 holds questions to the fleet. Every answer is worked out when it is asked for and stored nowhere, so that
// there is nothing to watch or to cache: the package gets clients, but neither listers nor informers.
package v1
