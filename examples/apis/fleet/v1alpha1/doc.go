// +k8s:deepcopy-gen=package
// +k8s:client-gen=false
// +k8s:lister-gen=false
// +k8s:informer-gen=false
// +k8s:applyconfiguration-gen=false
// +groupName=fleet.example.com

// Package v1alpha1 is the first API of the fleet. No server supports it any more, so it has no clients; the types remain for
// programs that read old backups.
package v1alpha1
