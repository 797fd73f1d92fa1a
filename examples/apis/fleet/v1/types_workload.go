package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// WorkloadFinalizer keeps a deleted workload until what it left in its region has been cleaned up.
const WorkloadFinalizer = "fleet.example.com/workload-cleanup"

// SystemNamespace holds the records of the regions.
const SystemNamespace = "fleet-system"

// WorkloadLabel is set on every object that a workload owns, and on its replicas, with the name of the workload.
const WorkloadLabel = "fleet.example.com/workload"

// RevisionLabel is set on every object that a workload owns, with the number of the revision that it was made for.
const RevisionLabel = "fleet.example.com/revision"

// Types of the conditions that a workload and a region report.
const (
	// ConditionPlaced is true once the region has a record of the workload.
	ConditionPlaced = "Placed"
	// ConditionReady is true while all replicas of the current generation serve.
	ConditionReady = "Ready"
	// ConditionProgressing is true while replicas of an older revision are being replaced.
	ConditionProgressing = "Progressing"
)

// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s.io/api/autoscaling/v1.Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=k8s.io/api/autoscaling/v1.Scale,result=k8s.io/api/autoscaling/v1.Scale
// +genclient:method=ApplyScale,verb=apply,subresource=scale,input=k8s.io/api/autoscaling/v1.Scale,result=k8s.io/api/autoscaling/v1.Scale
// +genclient:method=PatchScale,verb=patch,result=k8s.io/api/autoscaling/v1.Scale
// +genclient:method=Rollback,verb=create,subresource=rollback,input=WorkloadRollback
// +informergen:controller=owns=apps/v1.Deployment;core/v1.ConfigMap;WorkloadRevision:all,finalizer=fleet.example.com/workload-cleanup,sharded=true
// +informergen:ref=Region,path=spec.regionName
// +informergen:ref=core/v1.Secret,path=spec.secretName
// +informergen:ref=core/v1.ConfigMap,path=spec.configMapName
// +informergen:index=field=spec.regionName
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:resource:shortName=wl,categories=all
// +kubebuilder:storageversion
// +kubebuilder:selectablefield:JSONPath=`.spec.regionName`
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name="Region",type=string,JSONPath=`.spec.regionName`
// +kubebuilder:printcolumn:name="Ready",type=integer,JSONPath=`.status.readyReplicas`

// Workload is a program that the fleet keeps running, in a number of equal replicas, in one region.
type Workload struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what the owner of the workload asks for.
	Spec WorkloadSpec `json:"spec"`
	// Status is what the fleet last saw of it.
	// +optional
	Status WorkloadStatus `json:"status,omitempty"`
}

// WorkloadSpec is the desired state of a Workload.
type WorkloadSpec struct {
	// Replicas is how many copies should run. Unset means one.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=0
	Replicas *int32 `json:"replicas,omitempty"`
	// RegionName names the Region that the replicas run in. It cannot be changed.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="a workload cannot move"
	RegionName string `json:"regionName"`
	// Template describes each replica.
	Template WorkloadTemplate `json:"template"`
	// Config is a set of files that every replica finds in its configuration directory, contents by name.
	// +optional
	Config map[string]string `json:"config,omitempty"`
	// SecretName names a Secret, whose keys every replica has as environment variables.
	// +optional
	SecretName string `json:"secretName,omitempty"`
	// ConfigMapName names a ConfigMap, whose keys every replica has as environment variables.
	// +optional
	ConfigMapName string `json:"configMapName,omitempty"`
	// Update says how replicas of an older revision are replaced.
	// +optional
	Update WorkloadUpdate `json:"update,omitempty"`
	// RevisionHistoryLimit is how many old revisions are kept for a rollback.
	// +optional
	// +kubebuilder:default=10
	// +kubebuilder:validation:Minimum=0
	RevisionHistoryLimit *int32 `json:"revisionHistoryLimit,omitempty"`
	// Paused stops the fleet from acting on changes of this spec.
	// +optional
	Paused bool `json:"paused,omitempty"`
}

// WorkloadTemplate describes one replica of a Workload.
type WorkloadTemplate struct {
	// Labels are set on each replica.
	// +optional
	Labels map[string]string `json:"labels,omitempty"`
	// Image is the container image to run.
	// +kubebuilder:validation:MinLength=1
	Image string `json:"image"`
	// Args replace the arguments that the image comes with.
	// +optional
	// +listType=atomic
	Args []string `json:"args,omitempty"`
	// Env adds environment variables.
	// +optional
	// +listType=map
	// +listMapKey=name
	Env []corev1.EnvVar `json:"env,omitempty"`
	// Resources are what a replica requests and may use at most.
	// +optional
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
}

// UpdateStrategy names a way to replace replicas.
// +kubebuilder:validation:Enum=Rolling;Recreate
type UpdateStrategy string

const (
	// RollingUpdate replaces replicas a few at a time.
	RollingUpdate UpdateStrategy = "Rolling"
	// RecreateUpdate stops all old replicas before the first new one starts.
	RecreateUpdate UpdateStrategy = "Recreate"
)

// WorkloadUpdate says how the replicas of a Workload are replaced.
type WorkloadUpdate struct {
	// Strategy defaults to Rolling.
	// +optional
	// +kubebuilder:default=Rolling
	Strategy UpdateStrategy `json:"strategy,omitempty"`
	// Timeout is how long an update may take before it is reported as failed.
	// +optional
	Timeout *metav1.Duration `json:"timeout,omitempty"`
}

// WorkloadStatus is the observed state of a Workload.
type WorkloadStatus struct {
	// ObservedGeneration is the generation of the spec that this status describes.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// CurrentRevision is the number of the WorkloadRevision that replicas are made from.
	// +optional
	CurrentRevision int64 `json:"currentRevision,omitempty"`
	// Replicas is how many replicas exist.
	// +optional
	Replicas int32 `json:"replicas,omitempty"`
	// ReadyReplicas is how many of them serve.
	// +optional
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`
	// Selector selects the replicas by label, in the textual form that the scale subresource needs.
	// +optional
	Selector string `json:"selector,omitempty"`
	// Conditions are the latest observations, one of each type.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// WorkloadList is a list of workloads.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WorkloadList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Workload `json:"items"`
}

// WorkloadRollback is sent to the rollback subresource of a workload, to return to an older revision.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WorkloadRollback struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// ToRevision is the number of the revision to return to; 0 is the one before the current.
	// +optional
	// +kubebuilder:validation:Minimum=0
	ToRevision int64 `json:"toRevision,omitempty"`
	// Reason is recorded with the new revision.
	// +optional
	Reason string `json:"reason,omitempty"`
}

// +genclient
// +genclient:skipVerbs=update,patch,apply,deleteCollection
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// WorkloadRevision is a template that a workload once ran with. It is written once and never changed.
type WorkloadRevision struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Revision counts the templates of one workload, from 1.
	// +kubebuilder:validation:Minimum=1
	Revision int64 `json:"revision"`
	// Template is the template as it was.
	Template WorkloadTemplate `json:"template"`
	// Reason tells why the workload came to this revision.
	// +optional
	Reason string `json:"reason,omitempty"`
}

// WorkloadRevisionList is a list of revisions.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WorkloadRevisionList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []WorkloadRevision `json:"items"`
}

// Quota limits what the workloads of a namespace may request together. The fleet creates one in every namespace, and
// deletes it with the namespace; others only adjust it.
// +genclient
// +genclient:onlyVerbs=get,list,watch,update,patch
// +informergen:lister=copies
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:subresource:status
type Quota struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec holds the limits.
	Spec QuotaSpec `json:"spec"`
	// Status holds the current use. Only the fleet itself writes it.
	// +optional
	Status QuotaStatus `json:"status,omitempty"`
}

// QuotaSpec is the desired state of a Quota.
type QuotaSpec struct {
	// Hard is the most that all workloads together may request.
	Hard corev1.ResourceList `json:"hard"`
	// RegionNames restricts the quota to some regions. Empty means all of them.
	// +optional
	// +listType=set
	RegionNames []string `json:"regionNames,omitempty"`
}

// QuotaStatus is the observed state of a Quota.
type QuotaStatus struct {
	// Used is what all workloads together request now.
	// +optional
	Used corev1.ResourceList `json:"used,omitempty"`
}

// QuotaList is a list of quotas.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type QuotaList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Quota `json:"items"`
}
