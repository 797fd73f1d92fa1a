// +k8s:deepcopy-gen=package
// +groupName=fleet.example.com

// Package v1beta1 is the coming API of the fleet: what may still change before it moves to v1, and the older shape of
// what has moved already.
package v1beta1
