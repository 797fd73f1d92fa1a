package controller

import (
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// builtinGroup is an API group of Kubernetes for which client-go has informers.
type builtinGroup struct {
	name string
	// kinds are the kinds of each stable version; clusterScoped are the kinds without a namespace.
	kinds         map[string][]string
	clusterScoped []string
}

// folder returns the folder of the group's packages. Its Go name is the same.
func (b builtinGroup) folder() string { return (&model.Group{Name: b.name}).FirstLabel() }

// builtins are the kinds of the stable versions of the newest client-go; no API server serves the others unless told to.
var builtins = []builtinGroup{
	{name: "", kinds: map[string][]string{"v1": {
		"ComponentStatus", "ConfigMap", "Endpoints", "Event", "LimitRange", "Namespace", "Node", "PersistentVolume",
		"PersistentVolumeClaim", "Pod", "PodTemplate", "ReplicationController", "ResourceQuota", "Secret", "Service",
		"ServiceAccount",
	}}, clusterScoped: []string{"ComponentStatus", "Namespace", "Node", "PersistentVolume"}},
	{name: "admissionregistration.k8s.io", kinds: map[string][]string{"v1": {
		"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration",
		"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration",
	}}, clusterScoped: []string{
		"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration",
		"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration",
	}},
	{name: "apps", kinds: map[string][]string{"v1": {
		"ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet",
	}}},
	{name: "autoscaling", kinds: map[string][]string{
		"v1": {"HorizontalPodAutoscaler"}, "v2": {"HorizontalPodAutoscaler"},
	}},
	{name: "batch", kinds: map[string][]string{"v1": {"CronJob", "Job"}}},
	{name: "certificates.k8s.io", kinds: map[string][]string{"v1": {
		"CertificateSigningRequest", "ClusterTrustBundle", "PodCertificateRequest",
	}}, clusterScoped: []string{"CertificateSigningRequest", "ClusterTrustBundle"}},
	{name: "coordination.k8s.io", kinds: map[string][]string{"v1": {"Lease"}}},
	{name: "discovery.k8s.io", kinds: map[string][]string{"v1": {"EndpointSlice"}}},
	{name: "events.k8s.io", kinds: map[string][]string{"v1": {"Event"}}},
	{name: "flowcontrol.apiserver.k8s.io", kinds: map[string][]string{"v1": {
		"FlowSchema", "PriorityLevelConfiguration",
	}}, clusterScoped: []string{"FlowSchema", "PriorityLevelConfiguration"}},
	{name: "networking.k8s.io", kinds: map[string][]string{"v1": {
		"IPAddress", "Ingress", "IngressClass", "NetworkPolicy", "ServiceCIDR",
	}}, clusterScoped: []string{"IPAddress", "IngressClass", "ServiceCIDR"}},
	{name: "node.k8s.io", kinds: map[string][]string{"v1": {"RuntimeClass"}}, clusterScoped: []string{"RuntimeClass"}},
	{name: "policy", kinds: map[string][]string{"v1": {"PodDisruptionBudget"}}},
	{name: "rbac.authorization.k8s.io", kinds: map[string][]string{"v1": {
		"ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding",
	}}, clusterScoped: []string{"ClusterRole", "ClusterRoleBinding"}},
	{name: "resource.k8s.io", kinds: map[string][]string{"v1": {
		"DeviceClass", "DeviceTaintRule", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice",
	}}, clusterScoped: []string{"DeviceClass", "DeviceTaintRule", "ResourceSlice"}},
	{name: "scheduling.k8s.io", kinds: map[string][]string{"v1": {"PriorityClass"}}, clusterScoped: []string{"PriorityClass"}},
	{name: "storage.k8s.io", kinds: map[string][]string{"v1": {
		"CSIDriver", "CSINode", "CSIStorageCapacity", "StorageClass", "VolumeAttachment", "VolumeAttributesClass",
	}}, clusterScoped: []string{"CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"}},
	{name: "storagemigration.k8s.io", kinds: map[string][]string{"v1": {
		"StorageVersionMigration",
	}}, clusterScoped: []string{"StorageVersionMigration"}},
}

// later are the built-in kinds, by package and name, that became stable after the oldest target, with the release of client-go
// that added the stable version.
var later = map[string]model.Target{
	"k8s.io/api/resource/v1.DeviceClass":                                 {Minor: 34},
	"k8s.io/api/resource/v1.ResourceClaim":                               {Minor: 34},
	"k8s.io/api/resource/v1.ResourceClaimTemplate":                       {Minor: 34},
	"k8s.io/api/resource/v1.ResourceSlice":                               {Minor: 34},
	"k8s.io/api/storage/v1.VolumeAttributesClass":                        {Minor: 34},
	"k8s.io/api/admissionregistration/v1.MutatingAdmissionPolicy":        {Minor: 36},
	"k8s.io/api/admissionregistration/v1.MutatingAdmissionPolicyBinding": {Minor: 36},
	"k8s.io/api/certificates/v1.ClusterTrustBundle":                      {Minor: 37},
	"k8s.io/api/certificates/v1.PodCertificateRequest":                   {Minor: 37},
	"k8s.io/api/resource/v1.DeviceTaintRule":                             {Minor: 37},
	"k8s.io/api/storagemigration/v1.StorageVersionMigration":             {Minor: 37},
}

// since returns the release of client-go that added a built-in kind.
func since(owned model.Related) model.Target {
	if target, ok := later[owned.Package+"."+owned.Name]; ok {
		return target
	}
	return model.OldestTarget
}

// findBuiltin finds a group by its name or its folder.
func findBuiltin(group string) (builtinGroup, bool) {
	i := slices.IndexFunc(builtins, func(b builtinGroup) bool { return group == b.folder() || group == b.name && b.name != "" })
	if i < 0 {
		return builtinGroup{}, false
	}
	return builtins[i], true
}

// builtinNames returns all built-in kinds as users write them.
func builtinNames() []string {
	var names []string
	for _, group := range builtins {
		for version, kinds := range group.kinds {
			for _, kind := range kinds {
				names = append(names, group.folder()+"/"+version+"."+kind)
			}
		}
	}
	slices.Sort(names)
	return names
}
