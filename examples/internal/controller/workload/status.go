package workload

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// recordName returns the name of a region's record of a workload. Records are in the namespace of the fleet, where the workload
// cannot own them, so a finalizer is needed to remove them.
func recordName(workload cache.ObjectName) string { return workload.Namespace + "." + workload.Name }

// recordLabels tells records from other config maps in the namespace of the fleet.
var recordLabels = map[string]string{"app.kubernetes.io/managed-by": FieldManager, "app.kubernetes.io/component": "record"}

// recorded returns the names of all workloads that have a record.
func (r *reconciler) recorded(ctx context.Context) ([]cache.ObjectName, error) {
	records, err := r.kube.CoreV1().ConfigMaps(fleetv1.SystemNamespace).List(ctx, metav1.ListOptions{
		LabelSelector: labels.SelectorFromSet(recordLabels).String(),
	})
	if err != nil {
		return nil, err
	}
	names := make([]cache.ObjectName, len(records.Items))
	for i, record := range records.Items {
		namespace, name, _ := strings.Cut(record.Name, ".")
		names[i] = cache.NewObjectName(namespace, name)
	}
	return names, nil
}

// removeRecord removes a record if it has not changed.
func (r *reconciler) removeRecord(ctx context.Context, record *corev1.ConfigMap) error {
	err := r.kube.CoreV1().ConfigMaps(record.Namespace).Delete(ctx, record.Name, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &record.UID, ResourceVersion: &record.ResourceVersion},
	})
	if controller.IsNotFound(err) {
		return nil
	}
	return err
}

// place ensures that the region has a record of the workload.
func (r *reconciler) place(ctx context.Context, workload *fleetv1.Workload) error {
	if meta.IsStatusConditionTrue(workload.Status.Conditions, fleetv1.ConditionPlaced) {
		return nil // a workload cannot move
	}
	placed := metav1.Condition{Type: fleetv1.ConditionPlaced, Status: metav1.ConditionTrue, Reason: "Recorded", Message: "The region has a record of it"}
	if _, err := r.controller.Region(ctx, workload); err != nil {
		placed.Status, placed.Reason, placed.Message = metav1.ConditionFalse, controller.ReasonOf(err), err.Error()
		fleetv1controllers.SetWorkloadCondition(workload, placed)
		return err
	}
	record := corev1apply.ConfigMap(recordName(cache.MetaObjectToName(workload)), fleetv1.SystemNamespace).WithLabels(recordLabels).
		WithData(map[string]string{"region": workload.Spec.RegionName, "uid": string(workload.UID)})
	if _, err := r.kube.CoreV1().ConfigMaps(fleetv1.SystemNamespace).Apply(ctx, record, metav1.ApplyOptions{FieldManager: FieldManager, Force: true}); err != nil {
		return err
	}
	fleetv1controllers.SetWorkloadCondition(workload, placed)
	return nil
}

// reasonNotReady is the reason while replicas are starting.
const reasonNotReady = "NotReady"

// observe records the state of the replicas in the status.
func (r *reconciler) observe(workload *fleetv1.Workload) error {
	deployments, err := r.controller.OwnedDeployments(workload)
	if err != nil {
		return err
	}
	status := &workload.Status
	status.Selector = labels.SelectorFromSet(labels.Set{fleetv1.WorkloadLabel: workload.Name}).String()
	status.Replicas, status.ReadyReplicas = 0, 0
	var updated int32
	for _, deployment := range deployments {
		status.Replicas += deployment.Status.Replicas
		status.ReadyReplicas += deployment.Status.ReadyReplicas
		if deployment.Status.ObservedGeneration >= deployment.Generation && deployment.Labels[fleetv1.RevisionLabel] == labelsOf(workload)[fleetv1.RevisionLabel] {
			updated += deployment.Status.UpdatedReplicas
		}
	}
	wanted := wantedReplicas(workload)
	ready := metav1.Condition{Type: fleetv1.ConditionReady, Status: metav1.ConditionTrue, Reason: "Ready", Message: fmt.Sprintf("%d of %d replicas serve", status.ReadyReplicas, wanted)}
	if status.ReadyReplicas < wanted || updated < wanted {
		ready.Status, ready.Reason = metav1.ConditionFalse, reasonNotReady
	}
	progressing := metav1.Condition{Type: fleetv1.ConditionProgressing, Status: metav1.ConditionFalse, Reason: "Done", Message: fmt.Sprintf("All replicas are of revision %d", status.CurrentRevision)}
	switch {
	case workload.Spec.Paused:
		progressing.Reason, progressing.Message = "Paused", "Changes are not acted upon"
	case updated < wanted:
		progressing.Status, progressing.Reason = metav1.ConditionTrue, "Replacing"
		progressing.Message = fmt.Sprintf("%d of %d replicas are of revision %d", updated, wanted, status.CurrentRevision)
	}
	fleetv1controllers.SetWorkloadCondition(workload, ready)
	fleetv1controllers.SetWorkloadCondition(workload, progressing)
	return nil
}

// tell records an event for each condition that has become true, and for each new failure. To wait for something is not one.
func (r *reconciler) tell(before, after *fleetv1.Workload) {
	for _, is := range after.Status.Conditions {
		was := meta.FindStatusCondition(before.Status.Conditions, is.Type)
		switch {
		case is.Type == fleetv1.ConditionProgressing || is.Reason == controller.ReasonWaiting:
		case is.Status == metav1.ConditionTrue && (was == nil || was.Status != is.Status):
			r.recorder.Eventf(after, nil, corev1.EventTypeNormal, is.Reason, "Reconcile", "%s", is.Message)
		case is.Status == metav1.ConditionFalse && is.Reason != reasonNotReady && (was == nil || was.Message != is.Message):
			r.recorder.Eventf(after, nil, corev1.EventTypeWarning, is.Reason, "Reconcile", "%s", is.Message)
		}
	}
}
