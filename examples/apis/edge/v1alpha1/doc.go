// Package v1alpha1 is the API of the network between the regions of the fleet and the sites at its edge.
// +k8s:deepcopy-gen=package
package v1alpha1
