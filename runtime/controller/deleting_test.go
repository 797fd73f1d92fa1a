package controller

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/events"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// desired returns what makes Sync create deployments, and delete others.
func (r *rig) desired(owner *fleetv1.Workload, names ...string) Desired[*appsv1.Deployment] {
	var all []*appsv1.Deployment
	for _, name := range names {
		all = append(all, deployment(name, owner))
	}
	return Create(r.kube.AppsV1().Deployments, all)
}

// deployments returns the names of all deployments.
func (r *rig) deployments(t *testing.T) (names []string) {
	t.Helper()
	list, err := r.kube.AppsV1().Deployments("").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	for _, d := range list.Items {
		names = append(names, d.Name)
	}
	return names
}

// TestSyncOfDeletedOwner syncs outside of Finalize.
func TestSyncOfDeletedOwner(t *testing.T) {
	owner := deleting()
	r := newSyncRig(deployment("old", owner))
	err := Sync(t.Context(), r.writer, owner, r.owned(t), Create(r.kube.AppsV1().Deployments, []*appsv1.Deployment{deployment("new", owner)}))
	require.NoError(t, err)
	assert.Empty(t, r.sent())
	assert.Empty(t, r.told())
}

// TestSyncInFinalize has an owner with a deployment, old, and wants another one, job.
func TestSyncInFinalize(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*fleetv1.Workload)
		sync   func(owner *fleetv1.Workload) *fleetv1.Workload
		want   []string
		event  string
	}{
		"background": {want: []string{"job"}},
		"foreground": {
			change: func(owner *fleetv1.Workload) {
				owner.Finalizers = append(owner.Finalizers, metav1.FinalizerDeleteDependents)
			},
			event: "Warning ReconcileFailed Deployment shop/job is not created: Workload web is deleted in the foreground, " +
				"so the garbage collector would delete it again",
		},
		"for another owner": {
			sync: func(owner *fleetv1.Workload) *fleetv1.Workload {
				owner.UID = "another"
				return owner
			},
			want: []string{"old"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				owner, recorder := deleting(), events.NewFakeRecorder(10)
				if test.change != nil {
					test.change(owner)
				}
				s := &steps{}
				r := newRig(t, s, []Option{WithEventRecorder(recorder)}, owner)
				require.NoError(t, r.kube.Tracker().Add(deployment("old", owner)))
				s.finalize = func(ctx context.Context, owner *fleetv1.Workload) error {
					if test.sync != nil {
						owner = test.sync(owner)
					}
					return Sync(ctx, Writer{Owner: workloadKind, FieldManager: "us"}, owner, r.ownedDeployments, r.desired(owner, "job"))
				}
				r.run(t)
				assert.Equal(t, test.want, r.deployments(t))
				if test.event != "" {
					assert.Equal(t, test.event, <-recorder.Events)
				}
				assert.Contains(t, s.take(), "finalize web")
			})
		})
	}
}

// TestSyncRechecksItsOwner has a cache of owners that is behind: the owner is being deleted, or gone, when its deployment is gone.
func TestSyncRechecksItsOwner(t *testing.T) {
	gone := apierrors.NewNotFound(schema.GroupResource{Resource: "workloads"}, "web")
	successor := held("web")
	successor.UID = "another"
	for name, test := range map[string]struct {
		live *fleetv1.Workload
		err  error
		want []string
	}{
		"alive":     {live: held("web"), want: []string{"job"}},
		"deleting":  {live: deleting()},
		"gone":      {err: gone},
		"successor": {live: successor},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &steps{}
				r := newRig(t, s, nil, held("web"))
				r.client.PrependReactor("get", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) {
					return true, test.live, test.err
				})
				s.reconcile = func(ctx context.Context, owner *fleetv1.Workload) (Result, error) {
					return Result{}, Sync(ctx, Writer{Owner: workloadKind, FieldManager: "us"}, owner, r.ownedDeployments, r.desired(owner, "job"))
				}
				r.run(t)
				assert.Equal(t, []string{"reconcile web"}, slices.Compact(s.take()))
				assert.Equal(t, test.want, r.deployments(t))
			})
		})
	}
}

// TestSyncInReconcileOfDeletedOwner has no finalizer: Reconcile is called for an object that is being deleted.
func TestSyncInReconcileOfDeletedOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		owner := deleting()
		owner.Finalizers = []string{metav1.FinalizerDeleteDependents}
		s := &steps{}
		r := newRig(t, s, []Option{WithFinalizer("")}, owner)
		require.NoError(t, r.kube.Tracker().Add(deployment("web", owner)))
		s.reconcile = func(ctx context.Context, owner *fleetv1.Workload) (Result, error) {
			return Result{}, Sync(ctx, Writer{Owner: workloadKind, FieldManager: "us"}, owner, r.ownedDeployments, r.desired(owner, "web"))
		}
		r.run(t)
		require.NoError(t, r.kube.AppsV1().Deployments("shop").Delete(t.Context(), "web", metav1.DeleteOptions{}))
		assert.Equal(t, []string{"reconcile web", "reconcile web"}, s.take())
		assert.Empty(t, r.deployments(t))
	})
}
