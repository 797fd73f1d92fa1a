package strict

import (
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// clusterScoped are the built-in cluster-scoped kinds.
var clusterScoped = []string{
	"APIService", "CSIDriver", "CSINode", "CertificateSigningRequest", "ClusterRole", "ClusterRoleBinding", "ClusterTrustBundle",
	"ComponentStatus", "CustomResourceDefinition", "DeviceClass", "DeviceTaintRule", "FlowSchema", "IPAddress", "IngressClass",
	"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "Namespace", "Node",
	"PersistentVolume", "PriorityClass", "PriorityLevelConfiguration", "ResourcePoolStatusRequest", "ResourceSlice", "RuntimeClass",
	"SelfSubjectReview", "ServiceCIDR", "StorageClass", "StorageVersion", "StorageVersionMigration", "ValidatingAdmissionPolicy",
	"ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration", "VolumeAttachment", "VolumeAttributesClass",
}

// scalable are the built-in kinds with the subresource scale.
var scalable = []string{"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"}

// counted are the built-in kinds with a metadata.generation.
var counted = []string{
	"CronJob", "DaemonSet", "Deployment", "DeviceClass", "DeviceTaintRule", "EndpointSlice", "FlowSchema", "HorizontalPodAutoscaler",
	"Ingress", "IngressClass", "Job", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration",
	"NetworkPolicy", "Pod", "PodDisruptionBudget", "PodTemplate", "PriorityClass", "PriorityLevelConfiguration", "ReplicaSet",
	"ReplicationController", "ResourceSlice", "StatefulSet", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
	"ValidatingWebhookConfiguration",
}

// Kubernetes returns the configuration for the built-in kinds in a scheme, such as client-go's: all kinds that have metadata and
// a list type. Only their metadata is defaulted and validated.
func Kubernetes(scheme *runtime.Scheme, converter managedfields.TypeConverter) Config {
	config := Config{Scheme: scheme, Converter: converter}
	for kind, t := range scheme.AllKnownTypes() {
		if !reflect.PointerTo(t).Implements(reflect.TypeFor[metav1.ObjectMetaAccessor]()) || !scheme.Recognizes(listOf(kind)) {
			continue
		}
		plural, _ := meta.UnsafeGuessKindToResource(kind)
		_, hasStatus := t.FieldByName("Status")
		config.Kinds = append(config.Kinds, Kind{
			GroupVersionKind: kind, Resource: plural.Resource, Namespaced: !slices.Contains(clusterScoped, kind.Kind),
			HasStatus: hasStatus, HasScale: slices.Contains(scalable, kind.Kind), BuiltIn: true,
			NoGeneration: !slices.Contains(counted, kind.Kind),
		})
	}
	return config
}

func listOf(kind schema.GroupVersionKind) schema.GroupVersionKind {
	kind.Kind += "List"
	return kind
}
