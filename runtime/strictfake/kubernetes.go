package strictfake

import (
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
)

// builtIn are the groups of Kubernetes itself. Other groups of *.k8s.io are those of custom resources.
var builtIn = setOf(
	"", "admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "apps", "authentication.k8s.io",
	"authorization.k8s.io", "autoscaling", "batch", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io",
	"extensions", "flowcontrol.apiserver.k8s.io", "imagepolicy.k8s.io", "internal.apiserver.k8s.io", "lifecycle.k8s.io",
	"networking.k8s.io", "node.k8s.io",
	"policy", "rbac.authorization.k8s.io", "resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
)

// counted are the built-in kinds with a metadata.generation, by group.
var counted = kindsIn(map[string][]string{
	"": {"Pod", "PodTemplate", "ReplicationController"},
	"admissionregistration.k8s.io": {
		"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration",
		"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration",
	},
	"apps":                         {"DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"},
	"autoscaling":                  {"HorizontalPodAutoscaler"},
	"batch":                        {"CronJob", "Job"},
	"discovery.k8s.io":             {"EndpointSlice"},
	"extensions":                   {"DaemonSet", "Deployment", "Ingress", "NetworkPolicy", "ReplicaSet"},
	"flowcontrol.apiserver.k8s.io": {"FlowSchema", "PriorityLevelConfiguration"},
	"networking.k8s.io":            {"Ingress", "IngressClass", "NetworkPolicy"},
	"policy":                       {"PodDisruptionBudget"},
	"resource.k8s.io":              {"DeviceClass", "DeviceTaintRule", "ResourceSlice"},
	"scheduling.k8s.io":            {"PriorityClass"},
})

// returned are the built-in kinds whose deletion is answered with the object that is gone, as of Kubernetes v1.37.1
// (ReturnDeletedObject of each registry).
var returned = kindsIn(map[string][]string{
	"": {
		"Namespace", "PersistentVolume", "PersistentVolumeClaim", "Pod", "PodTemplate", "ResourceQuota", "Service", "ServiceAccount",
	},
	"resource.k8s.io": {"DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourcePoolStatusRequest", "ResourceSlice"},
	"storage.k8s.io":  {"CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"},
})

// virtual are the built-in kinds that a server answers, but does not store: their answers need to know about users and their
// rights.
var virtual = kindsIn(map[string][]string{
	"authentication.k8s.io": {"SelfSubjectReview", "TokenReview"},
	"authorization.k8s.io": {
		"AuthorizationConditionsReview", "LocalSubjectAccessReview", "SelfSubjectAccessReview", "SelfSubjectRulesReview",
		"SubjectAccessReview",
	},
})

// selectable are the fields of built-in kinds that field selectors can use in addition to the metadata, with the values that stand
// for missing ones. Labels that are not the path of a field, such as the source of events, are left out.
var selectable = map[schema.GroupKind]map[string]string{
	{Kind: "Event"}: {
		"involvedObject.apiVersion": "", "involvedObject.fieldPath": "", "involvedObject.kind": "", "involvedObject.name": "",
		"involvedObject.namespace": "", "involvedObject.resourceVersion": "", "involvedObject.uid": "",
		"reason": "", "reportingComponent": "", "type": "",
	},
	{Kind: "Namespace"}: {"status.phase": ""},
	{Kind: "Node"}:      {"spec.unschedulable": "false"},
	{Kind: "Pod"}: {
		"spec.hostNetwork": "false", "spec.nodeName": "", "spec.restartPolicy": "", "spec.schedulerName": "",
		"spec.serviceAccountName": "", "status.nominatedNodeName": "", "status.phase": "", "status.podIP": "",
	},
	{Kind: "ReplicationController"}:     {"status.replicas": "0"},
	{Kind: "Secret"}:                    {"type": ""},
	{Kind: "Service"}:                   {"spec.clusterIP": "", "spec.type": ""},
	{Group: "apps", Kind: "ReplicaSet"}: {"status.replicas": "0"},
	{Group: "certificates.k8s.io", Kind: "CertificateSigningRequest"}: {"spec.signerName": ""},
}

// describeBuiltIn adds what is known of Kubernetes' own kinds, whose objects have a Go type.
func describeBuiltIn(d *codec.Description, t reflect.Type) {
	if !builtIn[d.Group] {
		return
	}
	d.BuiltIn = true
	d.NoGeneration = !counted[d.GroupKind()]
	d.Virtual = virtual[d.GroupKind()]
	d.ReturnsDeleted = returned[d.GroupKind()] || d.Kind == "DeviceTaintRule" && d.Version != "v1"
	d.Zeros = selectable[d.GroupKind()]
	d.Fields = slices.Sorted(maps.Keys(d.Zeros))
	d.HasStatus = !d.Virtual && (d.HasStatus || hasStatusField(t))
}

func setOf(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

func kindsIn(groups map[string][]string) map[schema.GroupKind]bool {
	set := map[schema.GroupKind]bool{}
	for group, kinds := range groups {
		for _, kind := range kinds {
			set[schema.GroupKind{Group: group, Kind: kind}] = true
		}
	}
	return set
}
