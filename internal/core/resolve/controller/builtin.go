package controller

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// builtin is a kind of Kubernetes for which client-go has informers.
type builtin struct {
	group, version, kind string
	namespaced           bool
	// since is the release of client-go that added the stable version, if it is not the oldest target.
	since model.Target
}

// builtinKinds are the kinds of the stable versions of the newest client-go, by group and version; no API server serves the others unless
// told to. Kinds without a namespace have a star. Those that became stable after the oldest target have the minor release of client-go.
const builtinKinds = `
/v1 ComponentStatus* ConfigMap Endpoints Event LimitRange Namespace* Node* PersistentVolume* PersistentVolumeClaim Pod PodTemplate
	ReplicationController ResourceQuota Secret Service ServiceAccount
admissionregistration.k8s.io/v1 MutatingAdmissionPolicy*36 MutatingAdmissionPolicyBinding*36 MutatingWebhookConfiguration*
	ValidatingAdmissionPolicy* ValidatingAdmissionPolicyBinding* ValidatingWebhookConfiguration*
apps/v1 ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet
autoscaling/v1 HorizontalPodAutoscaler
autoscaling/v2 HorizontalPodAutoscaler
batch/v1 CronJob Job
certificates.k8s.io/v1 CertificateSigningRequest* ClusterTrustBundle*37 PodCertificateRequest37
coordination.k8s.io/v1 Lease
discovery.k8s.io/v1 EndpointSlice
events.k8s.io/v1 Event
flowcontrol.apiserver.k8s.io/v1 FlowSchema* PriorityLevelConfiguration*
networking.k8s.io/v1 IPAddress* Ingress IngressClass* NetworkPolicy ServiceCIDR*
node.k8s.io/v1 RuntimeClass*
policy/v1 PodDisruptionBudget
rbac.authorization.k8s.io/v1 ClusterRole* ClusterRoleBinding* Role RoleBinding
resource.k8s.io/v1 DeviceClass*34 DeviceTaintRule*37 ResourceClaim34 ResourceClaimTemplate34 ResourceSlice*34
scheduling.k8s.io/v1 PriorityClass*
storage.k8s.io/v1 CSIDriver* CSINode* CSIStorageCapacity StorageClass* VolumeAttachment* VolumeAttributesClass*34
storagemigration.k8s.io/v1 StorageVersionMigration*37
`

// builtins returns the built-in kinds.
var builtins = sync.OnceValue(func() (all []builtin) {
	var b builtin
	for word := range strings.FieldsSeq(builtinKinds) {
		if group, version, ok := strings.Cut(word, "/"); ok {
			b.group, b.version = group, version
			continue
		}
		name := strings.TrimRight(word, "0123456789")
		minor, _ := strconv.Atoi(word[len(name):])
		b.kind, b.since = strings.TrimSuffix(name, "*"), model.Target{Minor: max(minor, model.OldestTarget.Minor)}
		b.namespaced = b.kind == name
		all = append(all, b)
	}
	return all
})

// folder returns the folder of the group's packages. Its Go name is the same.
func (b builtin) folder() string { return (&model.Group{Name: b.group}).FirstLabel() }

// String returns the kind as users write it.
func (b builtin) String() string { return b.folder() + "/" + b.version + "." + b.kind }

// findBuiltin finds a kind by the name or the folder of its group; nil if it is not built in.
func findBuiltin(group, version, kind string) *builtin {
	i := slices.IndexFunc(builtins(), func(b builtin) bool {
		return b.kind == kind && b.version == version && (group == b.folder() || group == b.group && group != "")
	})
	if i < 0 {
		return nil
	}
	return &builtins()[i]
}
