// +k8s:deepcopy-gen=package
// +groupName=fleet.example.com

// Package v1beta1 is the beta API of the fleet: kinds that may still change before they move to v1, and older versions of kinds
// that have moved already.
package v1beta1
