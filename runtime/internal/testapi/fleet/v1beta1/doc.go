// +k8s:deepcopy-gen=package
// +groupName=fleet.example.com

// Package v1beta1 is the older version of an API for the tests of the library.
package v1beta1
