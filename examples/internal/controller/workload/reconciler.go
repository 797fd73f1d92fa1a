// Package workload reconciles workloads.
package workload

import (
	"context"
	"errors"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	clientset "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
)

// FieldManager is the controller's name in managed fields and events.
const FieldManager = "workload-controller"

// reconciler reconciles workloads.
type reconciler struct {
	client     clientset.Interface
	kube       kubernetes.Interface
	recorder   events.EventRecorder
	writer     controller.Writer
	controller *fleetv1controllers.WorkloadController
}

var _ fleetv1controllers.WorkloadReconciler = &reconciler{}

// New returns a controller for workloads. Start it with Run. Options override the defaults of the reconciler.
func New(
	client clientset.Interface,
	kube kubernetes.Interface,
	recorder events.EventRecorder,
	options ...controller.Option,
) (*fleetv1controllers.WorkloadController, error) {
	r := &reconciler{client: client, kube: kube, recorder: recorder}
	r.writer = controller.Writer{Owner: fleetv1controllers.WorkloadKind, FieldManager: FieldManager, Recorder: recorder}
	options = append([]controller.Option{
		controller.WithEventRecorder(recorder),
		controller.WithInformers(informer.WithManagedFields(FieldManager)), // needed to compare with previously applied fields
		controller.WithKnown(r.recorded),
	}, options...)
	c, err := fleetv1controllers.NewWorkloadController(client, kube, r, options...)
	if err != nil {
		return nil, err
	}
	r.controller = c
	return c, nil
}

// Reconcile places the workload in its region, maintains a revision of its template, a deployment, and a config map if it has any
// configuration, and reports progress in the status. It waits for the region, secret and config map that the workload refers to.
func (r *reconciler) Reconcile(ctx context.Context, workload *fleetv1.Workload) (controller.Result, error) {
	before := workload.DeepCopy()
	result, err := r.work(ctx, workload)
	if controller.IsLockConflict(err) {
		return result, err // requeued, and retried with the newer version
	}
	if err != nil {
		fleetv1controllers.SetWorkloadCondition(workload, metav1.Condition{
			Type: fleetv1.ConditionReady, Status: metav1.ConditionFalse, Reason: controller.ReasonOf(err), Message: err.Error(),
		})
	}
	fleetv1controllers.ObserveWorkload(workload)
	_, statusErr := fleetv1controllers.UpdateWorkloadStatus(ctx, r.client, before, workload)
	if controller.IsNotFound(statusErr) {
		return result, err // the workload is gone: ReconcileDeleted follows
	}
	if statusErr != nil {
		return result, errors.Join(err, statusErr) // retried even if the first error is terminal
	}
	r.tell(before, workload)
	return result, err
}

// work reconciles everything except the status.
func (r *reconciler) work(ctx context.Context, workload *fleetv1.Workload) (controller.Result, error) {
	if !workload.Spec.Paused {
		if err := r.place(ctx, workload); err != nil {
			return controller.Result{}, err
		}
		environment, err := r.environment(ctx, workload)
		if err != nil {
			return controller.Result{}, err
		}
		if err := r.syncRevisions(ctx, workload); err != nil {
			return controller.Result{}, err
		}
		if err := controller.Sync(ctx, r.writer, workload, r.controller.OwnedConfigMaps,
			controller.Apply(r.kube.CoreV1().ConfigMaps, corev1apply.ExtractConfigMap, desiredConfigMaps(workload)),
		); err != nil {
			return controller.Result{}, err
		}
		if err := controller.Sync(ctx, r.writer, workload, r.controller.OwnedDeployments,
			controller.Apply(r.kube.AppsV1().Deployments, appsv1apply.ExtractDeployment, desiredDeployments(workload, environment)),
		); err != nil {
			return controller.Result{}, err
		}
	}
	return controller.Result{}, r.observe(workload)
}

// ReconcileDeleted removes a record if Finalize was not called: the API server deletes an object at once if it is deleted while
// its finalizer is being added. If the process is killed then, its successor finds the record.
func (r *reconciler) ReconcileDeleted(ctx context.Context, name cache.ObjectName) error {
	record, err := r.kube.CoreV1().ConfigMaps(fleetv1.SystemNamespace).Get(ctx, recordName(name), metav1.GetOptions{})
	if controller.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	live, err := r.client.FleetV1().Workloads(name.Namespace).Get(ctx, name.Name, metav1.GetOptions{})
	if err == nil && string(live.UID) == record.Data["uid"] {
		return nil // recreated, but not in the cache yet
	}
	if err != nil && !controller.IsNotFound(err) {
		return err
	}
	return r.removeRecord(ctx, record)
}

// Finalize removes the workload from the records of its region. The garbage collector deletes owned objects.
func (r *reconciler) Finalize(ctx context.Context, workload *fleetv1.Workload) error {
	name := recordName(cache.MetaObjectToName(workload))
	record, err := r.kube.CoreV1().ConfigMaps(fleetv1.SystemNamespace).Get(ctx, name, metav1.GetOptions{})
	if controller.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if record.Data["uid"] != string(workload.UID) {
		return nil // a new workload with this name is not in the cache yet
	}
	if err := r.removeRecord(ctx, record); err != nil {
		return err
	}
	r.recorder.Eventf(workload, nil, corev1.EventTypeNormal, "Released", "Finalize", "Region %s has no record of it any more", workload.Spec.RegionName)
	return nil
}
