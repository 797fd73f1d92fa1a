// Package region reconciles regions.
package region

import (
	"context"
	"errors"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	clientset "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	fleetv1listers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
)

// FieldManager is the controller's name in managed fields and events.
const FieldManager = "region-controller"

// reconciler reconciles regions.
type reconciler struct {
	client     clientset.Interface
	recorder   events.EventRecorder
	controller *fleetv1controllers.RegionController
	workloads  *informer.Informer[*fleetv1.Workload]
}

var _ fleetv1controllers.RegionReconciler = &reconciler{}

// New returns a controller for regions. Start it with Run. Options override the defaults of the reconciler.
func New(
	client clientset.Interface,
	recorder events.EventRecorder,
	options ...controller.Option,
) (*fleetv1controllers.RegionController, error) {
	r := &reconciler{client: client, recorder: recorder}
	options = append([]controller.Option{
		controller.WithEventRecorder(recorder),
	}, options...)
	c, err := fleetv1controllers.NewRegionController(client, r, options...)
	if err != nil {
		return nil, err
	}
	r.controller = c
	r.workloads, err = controller.Watch(c.Controller, informers.FleetV1WorkloadSource(client), regionOf, controller.GenerationChanged)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// regionOf returns the region that a workload names.
func regionOf(workload *fleetv1.Workload) []cache.ObjectName {
	return []cache.ObjectName{{Name: workload.Spec.RegionName}}
}

// Reconcile counts the workloads that name the region. It is called after an event about the region, and about a workload that names
// it or did so before, except for changes of the workload's status.
func (r *reconciler) Reconcile(ctx context.Context, region *fleetv1.Region) (controller.Result, error) {
	before := region.DeepCopy()
	result, err := r.work(ctx, region)
	if controller.IsLockConflict(err) {
		return result, err // requeued, and retried with the newer version
	}
	report(region, err)
	_, statusErr := fleetv1controllers.UpdateRegionStatus(ctx, r.client, before, region)
	if controller.IsNotFound(statusErr) {
		statusErr = nil // the object is gone: ReconcileDeleted follows
	}
	return result, errors.Join(err, statusErr) // a status that was not written is retried even if the first error is terminal
}

// work reconciles everything except the conditions.
func (r *reconciler) work(_ context.Context, region *fleetv1.Region) (controller.Result, error) {
	workloads, err := fleetv1listers.WorkloadByRegionName.Get(r.workloads, region.Name)
	if err != nil {
		return controller.Result{}, err
	}
	region.Status.Workloads = int32(len(workloads))
	return controller.Result{}, nil
}

// report sets the condition from the result of work.
func report(region *fleetv1.Region, err error) {
	ready := metav1.Condition{
		Type: fleetv1.ConditionReady, Status: metav1.ConditionTrue, Reason: "Counted", Message: "Its workloads are counted",
	}
	if err != nil {
		ready.Status, ready.Reason, ready.Message = metav1.ConditionFalse, controller.ReasonOf(err), err.Error()
	}
	fleetv1controllers.SetRegionCondition(region, ready)
}

// ReconcileDeleted is called after the region is gone. Workloads that name it keep running.
func (r *reconciler) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }
