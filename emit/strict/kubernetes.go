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

// clusterScoped are the kinds of Kubernetes that are in no namespace.
var clusterScoped = []string{
	"APIService", "CSIDriver", "CSINode", "CertificateSigningRequest", "ClusterRole", "ClusterRoleBinding", "ClusterTrustBundle",
	"ComponentStatus", "CustomResourceDefinition", "DeviceClass", "DeviceTaintRule", "FlowSchema", "IPAddress", "IngressClass",
	"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "Namespace", "Node",
	"PersistentVolume", "PriorityClass", "PriorityLevelConfiguration", "ResourceSlice", "RuntimeClass", "SelfSubjectReview",
	"ServiceCIDR", "StorageClass", "StorageVersion", "StorageVersionMigration", "ValidatingAdmissionPolicy",
	"ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration", "VolumeAttachment", "VolumeAttributesClass",
}

// scalable are the kinds of Kubernetes with the subresource scale.
var scalable = []string{"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"}

// Kubernetes returns what to serve for the kinds of Kubernetes in a scheme, such as that of client-go: all that have metadata and
// a list. Their defaults and their validation are not known.
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
		})
	}
	return config
}

func listOf(kind schema.GroupVersionKind) schema.GroupVersionKind {
	kind.Kind += "List"
	return kind
}
