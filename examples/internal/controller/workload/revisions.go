package workload

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// syncRevisions ensures that the latest revision has the template of the workload, and records its number in the status. It
// deletes revisions beyond the history limit.
func (r *reconciler) syncRevisions(ctx context.Context, workload *fleetv1.Workload) error {
	revisions, err := r.controller.OwnedWorkloadRevisions(workload)
	if err != nil {
		return err
	}
	slices.SortFunc(revisions, func(a, b *fleetv1.WorkloadRevision) int { return cmp.Compare(a.Revision, b.Revision) })
	number := int64(1)
	if len(revisions) > 0 {
		last := revisions[len(revisions)-1]
		if equality.Semantic.DeepEqual(last.Template, workload.Spec.Template) && last.Revision >= workload.Status.CurrentRevision {
			workload.Status.CurrentRevision = last.Revision
			return r.forgetRevisions(ctx, workload, revisions[:len(revisions)-1])
		}
		number = last.Revision + 1
	}
	number = max(number, workload.Status.CurrentRevision) // its revision may have been deleted
	if err := r.createRevision(ctx, workload, number); err != nil {
		return err
	}
	workload.Status.CurrentRevision = number
	return r.forgetRevisions(ctx, workload, revisions)
}

// createRevision creates a revision, unless the workload has one with that number.
func (r *reconciler) createRevision(ctx context.Context, workload *fleetv1.Workload, number int64) error {
	revision := &fleetv1.WorkloadRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: workload.Namespace,
			Name:      fmt.Sprintf("%s-%d", workload.Name, number),
			Labels:    map[string]string{fleetv1.WorkloadLabel: workload.Name},
		},
		Revision: number,
		Template: workload.Spec.Template,
	}
	return controller.Sync(ctx, r.writer, workload, r.controller.OwnedWorkloadRevisions,
		controller.CreateOnly(r.client.FleetV1().WorkloadRevisions, []*fleetv1.WorkloadRevision{revision}))
}

// forgetRevisions deletes the oldest former revisions beyond the history limit.
func (r *reconciler) forgetRevisions(ctx context.Context, workload *fleetv1.Workload, former []*fleetv1.WorkloadRevision) error {
	keep := int(ptr.Deref(workload.Spec.RevisionHistoryLimit, 10))
	for _, revision := range former[:max(0, len(former)-keep)] {
		err := r.client.FleetV1().WorkloadRevisions(revision.Namespace).Delete(ctx, revision.Name, metav1.DeleteOptions{
			Preconditions: metav1.NewUIDPreconditions(string(revision.UID)),
		})
		if err != nil && !controller.IsNotFound(err) {
			return err
		}
		controller.Deleted(ctx, revision)
	}
	return nil
}
