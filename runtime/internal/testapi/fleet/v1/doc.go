// +k8s:deepcopy-gen=package
// +groupName=fleet.example.com

// Package v1 is the newer version of an API for the tests of the library.
package v1
