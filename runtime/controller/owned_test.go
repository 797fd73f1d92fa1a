package controller

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

func TestControllerReceivesEventsOfOwnedObjects(t *testing.T) {
	bubble(t, &steps{}, nil, func(t *testing.T, r *rig) {
		r.take()
		deployments := r.kube.AppsV1().Deployments("shop")
		require.NoError(t, ignoreResult(deployments.Create(t.Context(), deployment("web-1", held("web")), metav1.CreateOptions{})))
		assert.Equal(t, []string{"reconcile web"}, r.take(), "created")
		changed := deployment("web-1", held("web"))
		changed.Status.ReadyReplicas = 3
		require.NoError(t, ignoreResult(deployments.UpdateStatus(t.Context(), changed, metav1.UpdateOptions{})))
		assert.Equal(t, []string{"reconcile web"}, r.take(), "changed")
		require.NoError(t, ignoreResult(deployments.Update(t.Context(), deployment("web-1", held("db")), metav1.UpdateOptions{})))
		assert.ElementsMatch(t, []string{"reconcile web", "reconcile db"}, r.take(), "who had it, and who has it")
		require.NoError(t, deployments.Delete(t.Context(), "web-1", metav1.DeleteOptions{}))
		assert.Equal(t, []string{"reconcile db"}, r.take(), "deleted")

		revision := &fleetv1.WorkloadRevision{ObjectMeta: deployment("web-1", held("web")).ObjectMeta, Revision: 1}
		require.NoError(t, ignoreResult(r.client.FleetV1().WorkloadRevisions("shop").Create(t.Context(), revision, metav1.CreateOptions{})))
		assert.Equal(t, []string{"reconcile web"}, r.take(), "of a generated kind")
		owned, err := r.controller.revisions.By(held("web"))
		require.NoError(t, err)
		assert.Equal(t, []*fleetv1.WorkloadRevision{revision}, owned)
	}, held("web"), held("db"))
}

func TestControllerSkipsObjectsOfOtherOwners(t *testing.T) {
	for name, change := range map[string]func(*metav1.OwnerReference){
		"no controller":   func(ref *metav1.OwnerReference) { ref.Controller = nil },
		"other group":     func(ref *metav1.OwnerReference) { ref.APIVersion = "apps/v1" },
		"no group":        func(ref *metav1.OwnerReference) { ref.APIVersion = "a/b/c" },
		"other kind":      func(ref *metav1.OwnerReference) { ref.Kind = "Region" },
		"unknown to us":   func(ref *metav1.OwnerReference) { ref.Name = "cache" },
		"no owner at all": nil,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, &steps{}, nil, func(t *testing.T, r *rig) {
				r.take()
				object := deployment("web-1", held("web"))
				if change == nil {
					object.OwnerReferences = nil
				} else {
					change(&object.OwnerReferences[0])
				}
				require.NoError(t, ignoreResult(r.kube.AppsV1().Deployments("shop").Create(t.Context(), object, metav1.CreateOptions{})))
				assert.Empty(t, r.take())
			}, held("web"), held("db"))
		})
	}
	t.Run("predecessor", func(t *testing.T) {
		bubble(t, &steps{}, nil, func(t *testing.T, r *rig) {
			r.take()
			object := deployment("web-1", held("web"))
			object.OwnerReferences[0].UID = "of a workload of that name which is gone"
			deployments := r.kube.AppsV1().Deployments("shop")
			require.NoError(t, ignoreResult(deployments.Create(t.Context(), object, metav1.CreateOptions{})))
			assert.Equal(t, []string{"reconcile web"}, r.take())
			require.NoError(t, deployments.Delete(t.Context(), "web-1", metav1.DeleteOptions{}))
			assert.Equal(t, []string{"reconcile web"}, r.take(), "the successor may wait for the name")
			owned, err := r.controller.deployments.By(held("web"))
			assert.NoError(t, err)
			assert.Empty(t, owned, "but it does not own the object")
		}, held("web"))
	})
	t.Run("other version", func(t *testing.T) {
		bubble(t, &steps{}, nil, func(t *testing.T, r *rig) {
			r.take()
			object := deployment("web-1", held("web"))
			object.OwnerReferences[0].APIVersion = "fleet.example.com/v1beta1"
			require.NoError(t, ignoreResult(r.kube.AppsV1().Deployments("shop").Create(t.Context(), object, metav1.CreateOptions{})))
			assert.Equal(t, []string{"reconcile web"}, r.take(), "it is the same object in all versions")
		}, held("web"))
	})
}

func TestControllerFindsOwnedObjects(t *testing.T) {
	bubble(t, &steps{}, nil, func(t *testing.T, r *rig) {
		first, second := deployment("web-1", held("web")), deployment("web-2", held("web"))
		stranger := deployment("web-3", held("web"))
		stranger.OwnerReferences[0].UID = "of another"
		for _, object := range []*appsv1.Deployment{first, second, stranger, deployment("db-1", held("db"))} {
			require.NoError(t, ignoreResult(r.kube.AppsV1().Deployments("shop").Create(t.Context(), object, metav1.CreateOptions{})))
		}
		synctest.Wait()
		owned, err := r.controller.deployments.By(held("web"))
		require.NoError(t, err)
		assert.ElementsMatch(t, []*appsv1.Deployment{first, second}, owned)
		nobody := deployment("web-4", held("web"))
		nobody.OwnerReferences[0].UID = ""
		require.NoError(t, ignoreResult(r.kube.AppsV1().Deployments("shop").Create(t.Context(), nobody, metav1.CreateOptions{})))
		synctest.Wait()
		owned, err = r.controller.deployments.By(workload("shop", "web", nil))
		require.NoError(t, err)
		assert.Empty(t, owned, "an owner without UID owns nothing")
		owned, err = r.controller.deployments.By(held("cache"))
		require.NoError(t, err)
		assert.Empty(t, owned)
	}, held("web"), held("db"))
}

// patched lists the patches that were sent.
func (r *rig) patched() []string {
	var patches []string
	for _, action := range r.client.Actions() {
		if patch, ok := action.(clienttesting.PatchAction); ok {
			patches = append(patches, string(patch.GetPatch()))
		}
	}
	return patches
}

// clashes has the first n patches end in a conflict, before which meanwhile happens.
func (r *rig) clashes(n int, meanwhile func()) {
	r.client.PrependReactor("patch", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) {
		if n--; n < 0 {
			return false, nil, nil
		}
		meanwhile()
		return true, nil, apierrors.NewConflict(schema.GroupResource{Resource: "workloads"}, "web", errors.New("changed"))
	})
}

// put replaces an object behind the back of the client, which cannot be used within a reaction.
func (r *rig) put(t *testing.T, object *fleetv1.Workload) {
	t.Helper()
	assert.NoError(t, r.client.Tracker().Update(fleetv1.SchemeGroupVersion.WithResource("workloads"), object, object.Namespace))
}

func TestControllerAddsItsFinalizerFirst(t *testing.T) {
	var seen []string
	s := &steps{reconcile: func(_ context.Context, object *fleetv1.Workload) (Result, error) {
		seen = append(seen, object.Finalizers...)
		return Result{}, nil
	}}
	fresh := held("web")
	fresh.Finalizers = []string{"example.com/other"}
	fresh.ResourceVersion = "7"
	bubble(t, s, nil, func(t *testing.T, r *rig) {
		assert.Equal(t, []string{`{"metadata":{"finalizers":["example.com/other","fleet.example.com/workload-cleanup"],"resourceVersion":"7"}}`}, r.patched())
		assert.Equal(t, []string{"example.com/other", fleetv1.WorkloadFinalizer}, seen[:2], "the first reconcile sees it")
	}, fresh)
}

func TestAddsFinalizerAfterConflict(t *testing.T) {
	fresh := held("web")
	fresh.Finalizers = nil
	t.Run("changed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, &steps{}, nil, fresh)
			r.clashes(2, func() {
				changed := fresh.DeepCopy()
				changed.Finalizers = []string{"example.com/other"}
				r.put(t, changed)
			})
			r.run(t)
			idle(time.Minute)
			patches := r.patched()
			require.GreaterOrEqual(t, len(patches), 3)
			assert.JSONEq(t, `{"metadata":{"finalizers":["example.com/other","fleet.example.com/workload-cleanup"]}}`, patches[2], "a live read tells of the other's")
			assert.Contains(t, r.take(), "reconcile web")
		})
	})
	for name, change := range map[string]func(*fleetv1.Workload){
		"deleted meanwhile":  func(object *fleetv1.Workload) { object.DeletionTimestamp = &metav1.Time{Time: time.Now()} },
		"replaced meanwhile": func(object *fleetv1.Workload) { object.UID = "another" },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, &steps{}, nil, fresh)
				done := false
				r.clashes(1, func() {
					changed := fresh.DeepCopy()
					change(changed)
					r.put(t, changed)
					done = true
				})
				r.client.PrependReactor("patch", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) {
					return done, nil, errBroken // nothing may be sent after that
				})
				r.client.PrependWatchReactor("workloads", func(clienttesting.Action) (bool, watch.Interface, error) {
					return true, watch.NewRaceFreeFake(), nil // the controller is never told
				})
				r.run(t)
				idle(time.Minute)
				assert.True(t, done)
				assert.Len(t, r.patched(), 1)
				assert.Empty(t, r.take(), "neither Reconcile nor Finalize")
			})
		})
	}
}

func TestControllerFinalizes(t *testing.T) {
	s := &steps{finalize: func(_ context.Context, object *fleetv1.Workload) error {
		assert.Contains(t, object.Finalizers, fleetv1.WorkloadFinalizer, "it is held until this is over")
		return nil
	}}
	object := deleting()
	object.Finalizers = append(object.Finalizers, "example.com/other")
	object.ResourceVersion = "7"
	bubble(t, s, nil, func(t *testing.T, r *rig) {
		assert.Equal(t, []string{"finalize web"}, r.take(), "no Reconcile, and only once")
		assert.Equal(t, []string{`{"metadata":{"finalizers":["example.com/other"],"resourceVersion":"7"}}`}, r.patched())
	}, object)
}

func TestNoFinalizerOnDeletedObjects(t *testing.T) {
	object := deleting()
	object.Finalizers = []string{"example.com/other"}
	bubble(t, &steps{}, nil, func(t *testing.T, r *rig) {
		assert.Empty(t, r.take())
		assert.Empty(t, r.patched())
	}, object)
}

func TestControllerFinalizesAgainAfterFailure(t *testing.T) {
	tries := 0
	s := &steps{finalize: func(context.Context, *fleetv1.Workload) error {
		if tries++; tries < 3 {
			return errBroken
		}
		return nil
	}}
	bubble(t, s, nil, func(t *testing.T, r *rig) {
		idle(time.Minute)
		assert.Equal(t, 3, tries)
		assert.Len(t, r.patched(), 1, "the finalizer stays until it is done")
	}, deleting())
}

func TestRemovesFinalizerAfterConflict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &steps{}, nil, deleting())
		r.clashes(1, func() {
			changed := deleting()
			changed.Finalizers = append(changed.Finalizers, "example.com/other")
			r.put(t, changed)
		})
		r.run(t)
		idle(time.Minute)
		patches := r.patched()
		require.GreaterOrEqual(t, len(patches), 2)
		assert.JSONEq(t, `{"metadata":{"finalizers":["example.com/other"]}}`, patches[1])
	})
}

func TestControllerFindsItGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var metrics tally
		r := newRig(t, &steps{}, []Option{WithMetrics(&metrics)}, deleting())
		r.client.PrependReactor("patch", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, apierrors.NewNotFound(schema.GroupResource{Resource: "workloads"}, "web")
		})
		r.run(t)
		idle(time.Hour)
		assert.Equal(t, []string{"finalize web"}, r.take())
		assert.Equal(t, []string{"workloads.fleet.example.com success 0s"}, metrics.take())
	})
}

// TestNotFoundOfAStartingServer has a server that has just started answer as if there were no such
// object, because it does not serve the resource yet.
func TestNotFoundOfAStartingServer(t *testing.T) {
	fresh := held("fresh")
	fresh.Finalizers = nil
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &steps{}, nil, fresh, deleting())
		answers := 0
		r.client.PrependReactor("patch", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) {
			answers++
			return answers <= 4, nil, apierrors.NewGenericServerResponse(404, "patch", fleetv1.Resource("workloads"), "web", "404 page not found", 0, true)
		})
		r.run(t)
		idle(time.Hour)
		assert.Len(t, r.patched(), 6, "both are tried until it works")
		assert.Contains(t, r.take(), "reconcile fresh")
	})
}
