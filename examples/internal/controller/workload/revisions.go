/*
Copyright The informer-gen-lite Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

package workload

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
)

// syncRevisions makes sure that the latest revision has the template of the workload, and notes its number in the status.
// It deletes revisions that are older than the history has room for.
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
	number = max(number, workload.Status.CurrentRevision) // which the cache may not have seen yet
	if err := r.createRevision(ctx, workload, number); err != nil {
		return err
	}
	workload.Status.CurrentRevision = number
	return r.forgetRevisions(ctx, workload, revisions)
}

func (r *reconciler) createRevision(ctx context.Context, workload *fleetv1.Workload, number int64) error {
	revision := &fleetv1.WorkloadRevision{
		ObjectMeta: metav1.ObjectMeta{
			Name:            fmt.Sprintf("%s-%d", workload.Name, number),
			Labels:          map[string]string{fleetv1.WorkloadLabel: workload.Name},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(workload, fleetv1controllers.WorkloadKind)},
		},
		Revision: number,
		Template: workload.Spec.Template,
	}
	revisions := r.client.FleetV1().WorkloadRevisions(workload.Namespace)
	_, err := revisions.Create(ctx, revision, metav1.CreateOptions{FieldManager: FieldManager})
	if apierrors.IsAlreadyExists(err) {
		// It may be ours, from a request whose answer was lost or that the cache has not seen.
		existing, getErr := revisions.Get(ctx, revision.Name, metav1.GetOptions{})
		switch {
		case getErr != nil:
		case metav1.IsControlledBy(existing, workload) && equality.Semantic.DeepEqual(existing.Template, revision.Template):
			return nil
		default: // the template has changed since, or this is of a workload of the same name that is being collected still
			return apierrors.NewConflict(fleetv1.Resource("workloadrevisions"), revision.Name, err)
		}
	}
	if err == nil {
		r.recorder.Eventf(workload, nil, corev1.EventTypeNormal, "NewRevision", "Reconcile", "Revision %d has the template from now on", number)
	}
	return err
}

// forgetRevisions deletes the oldest of the former revisions, but for those that are kept.
func (r *reconciler) forgetRevisions(ctx context.Context, workload *fleetv1.Workload, former []*fleetv1.WorkloadRevision) error {
	keep := int(ptr.Deref(workload.Spec.RevisionHistoryLimit, 10))
	for _, revision := range former[:max(0, len(former)-keep)] {
		err := r.client.FleetV1().WorkloadRevisions(revision.Namespace).Delete(ctx, revision.Name, metav1.DeleteOptions{
			Preconditions: metav1.NewUIDPreconditions(string(revision.UID)),
		})
		if err != nil && !controllers.IsNotFound(err) {
			return err
		}
	}
	return nil
}
