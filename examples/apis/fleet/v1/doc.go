// +k8s:deepcopy-gen=package
// +groupName=fleet.example.com

// Package v1 is the stable API of the fleet: workloads, the regions that they run in, and the machines below.
package v1
