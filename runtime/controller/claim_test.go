package controller

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/faults"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/wanted"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// strangers are objects of the name web that the workload of that name must not touch.
func strangers() map[string]*appsv1.Deployment {
	free := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	of := func(owner *fleetv1.Workload) *appsv1.Deployment { return deployment("web", owner) }
	predecessor := held("web")
	predecessor.UID = "uid-of-the-predecessor"
	strangers := map[string]*appsv1.Deployment{"free": free, "of another": of(held("db")), "of a predecessor": of(predecessor)}
	for _, stranger := range strangers {
		stranger.UID, stranger.Spec.Replicas = "uid-of-a-stranger", ptr.To[int32](7)
	}
	return strangers
}

// desiredWebs returns the desired deployments web and web-2, in both forms.
func desiredWebs(r *syncRig) map[string]Desired[*appsv1.Deployment] {
	var applied []*appsv1apply.DeploymentApplyConfiguration
	var created []*appsv1.Deployment
	for _, name := range []string{"web", "web-2"} {
		applied = append(applied, appsv1apply.Deployment(name, "shop").WithSpec(appsv1apply.DeploymentSpec().WithReplicas(1)))
		created = append(created, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}})
	}
	return map[string]Desired[*appsv1.Deployment]{
		"apply":  Apply(r.kube.AppsV1().Deployments, appsv1apply.ExtractDeployment, applied),
		"create": Create(r.kube.AppsV1().Deployments, created),
	}
}

// TestSyncSeizesNothing has an unrelated object hold a desired name. It stays unchanged, and everything else is synced.
func TestSyncSeizesNothing(t *testing.T) {
	for name, stranger := range strangers() {
		for _, form := range []string{"apply", "create"} {
			t.Run(name+", "+form, func(t *testing.T) {
				r := newSyncRig(stranger.DeepCopy(), deployment("old", held("web")))
				err := Sync(t.Context(), r.writer, held("web"), r.owned(t), desiredWebs(r)[form])
				var taken *NameTakenError
				require.ErrorAs(t, err, &taken)
				assert.Equal(t, &NameTakenError{"Deployment", cache.NewObjectName("shop", "web"), metav1.GetControllerOf(stranger)}, taken)
				assert.Equal(t, []string{"Warning NameTaken " + taken.Error(), "Normal Created Created Deployment shop/web-2"}, r.told())
				list, err := r.kube.AppsV1().Deployments("shop").List(t.Context(), metav1.ListOptions{})
				require.NoError(t, err)
				require.Len(t, list.Items, 2, "web-2 is new, and old is gone")
				assert.Equal(t, *stranger, list.Items[0])
				assert.Equal(t, "web-2", list.Items[1].Name)
			})
		}
	}
}

func TestSyncAdopts(t *testing.T) {
	for name, stranger := range strangers() {
		for _, form := range []string{"apply", "create"} {
			t.Run(name+", "+form, func(t *testing.T) {
				r := newSyncRig(stranger.DeepCopy())
				err := Sync(t.Context(), r.writer, held("web"), r.owned(t), desiredWebs(r)[form].Adopt())
				got, getErr := r.kube.AppsV1().Deployments("shop").Get(t.Context(), "web", metav1.GetOptions{})
				require.NoError(t, getErr)
				if name != "free" {
					assert.Equal(t, ReasonNameTaken, ReasonOf(err), "what has a controller is never adopted")
					assert.Equal(t, stranger, got)
					return
				}
				require.NoError(t, err)
				assert.True(t, metav1.IsControlledBy(got, held("web")))
				assert.Equal(t, map[string]int32{"apply": 1, "create": 7}[form], *got.Spec.Replicas)
				assert.Equal(t, []string{"Normal Created Created Deployment shop/web-2"}, r.told())
			})
		}
	}
	t.Run("without patch", func(t *testing.T) {
		_, err := adopt(t.Context(), nil, Writer{}, held("web"), strangers()["free"])
		assert.True(t, faults.Only[*terminalError](err))
		assert.EqualError(t, err, "Deployment shop/web cannot be adopted: its client has no verb patch")
	})
}

// TestSyncLosesARace has a stranger come between the look-up of a name and the request that applies the object.
func TestSyncLosesARace(t *testing.T) {
	r := newSyncRig()
	theirs := appsv1apply.Deployment("web", "shop").WithLabels(map[string]string{"app": "theirs"}).
		WithSpec(appsv1apply.DeploymentSpec().WithReplicas(1))
	raced := false
	r.kube.PrependReactor("patch", "deployments", func(clienttesting.Action) (bool, runtime.Object, error) {
		if !raced {
			raced = true
			them := appsv1.SchemeGroupVersion.WithResource("deployments")
			data, err := json.Marshal(theirs)
			require.NoError(t, err)
			patch := clienttesting.NewPatchActionWithOptions(them, "shop", "web", types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: "them"})
			_, _, err = clienttesting.ObjectReaction(r.kube.Tracker())(patch)
			require.NoError(t, err)
		}
		return false, nil, nil
	})
	err := r.apply(t, map[string]int32{"web": 1})
	assert.EqualError(t, err, "Deployment shop/web exists and has no controller")
	assert.False(t, faults.Only[*terminalError](err), "no cache tells when the name becomes free")
	got, err := r.kube.AppsV1().Deployments("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Empty(t, got.OwnerReferences, "what was applied has been taken back")
	assert.EqualValues(t, 1, *got.Spec.Replicas)
	assert.Equal(t, map[string]string{"app": "theirs"}, got.Labels)
	require.Len(t, got.ManagedFields, 1)
	assert.Equal(t, "them", got.ManagedFields[0].Manager)
	assert.Equal(t, []string{"Warning NameTaken Deployment shop/web exists and has no controller"}, r.told())
}

// TestSyncFindsItsOwn has the cache lag behind: objects of the owner exist that it does not know yet.
func TestSyncFindsItsOwn(t *testing.T) {
	for _, form := range []string{"apply", "create"} {
		t.Run(form, func(t *testing.T) {
			r := newSyncRig(deployment("web", held("web")), deployment("web-2", held("web")))
			none := func(*fleetv1.Workload) ([]*appsv1.Deployment, error) { return nil, nil }
			require.NoError(t, Sync(t.Context(), r.writer, held("web"), none, desiredWebs(r)[form]))
			assert.Empty(t, r.told(), "nothing is new")
		})
	}
}

// TestControllerWaitsForATakenName holds the name of a desired object. The owner is not retried, but knows when the name
// becomes free.
func TestControllerWaitsForATakenName(t *testing.T) {
	for name, stranger := range strangers() {
		t.Run(name, func(t *testing.T) {
			s := &steps{}
			recorder := events.NewFakeRecorder(10)
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, s, []Option{WithEventRecorder(recorder)}, held("web"))
				require.NoError(t, r.kube.Tracker().Add(stranger.DeepCopy()))
				w := Writer{Owner: workloadKind, FieldManager: "us", Recorder: recorder}
				s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
					desired := []*appsv1.Deployment{{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}}
					return Result{}, Sync(ctx, w, object, r.ownedDeployments, Create(r.kube.AppsV1().Deployments, desired))
				}
				r.run(t)
				idle(24 * time.Hour)
				assert.Equal(t, []string{"reconcile web"}, r.take(), "retries are of no use")
				require.Len(t, recorder.Events, 1, "and it is said once")
				assert.Contains(t, <-recorder.Events, "Warning NameTaken Deployment shop/web exists and ")

				require.NoError(t, r.kube.AppsV1().Deployments("shop").Delete(t.Context(), "web", metav1.DeleteOptions{}))
				assert.Contains(t, r.take(), "reconcile web")
				assert.Contains(t, <-recorder.Events, "Normal Created Created Deployment shop/web")
				got, err := r.kube.AppsV1().Deployments("shop").Get(t.Context(), "web", metav1.GetOptions{})
				require.NoError(t, err)
				assert.True(t, metav1.IsControlledBy(got, held("web")))
				assert.Zero(t, r.controller.caches.Awaited())
			})
		})
	}
}

// TestControllerForgetsWaitersForAName deletes an owner that waits for a name, and has another one no longer want the name.
func TestControllerForgetsWaitersForAName(t *testing.T) {
	s := &steps{}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, s, nil, held("web"), held("db"))
		for _, name := range []string{"web", "db"} {
			require.NoError(t, r.kube.Tracker().Add(&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}))
		}
		w := Writer{Owner: workloadKind, FieldManager: "us"}
		s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
			var desired []*appsv1.Deployment
			if !object.Spec.Paused {
				desired = append(desired, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: object.Name}})
			}
			return Result{}, Sync(ctx, w, object, r.ownedDeployments, Create(r.kube.AppsV1().Deployments, desired))
		}
		r.run(t)
		assert.Len(t, r.take(), 2)
		assert.Equal(t, 2, r.controller.caches.Awaited())
		r.delete(t, held("web"))
		assert.Equal(t, []string{"deleted shop/web"}, r.take())
		assert.Equal(t, 1, r.controller.caches.Awaited())
		paused := held("db")
		paused.Spec.Paused = true
		r.update(t, paused)
		assert.Equal(t, []string{"reconcile db"}, r.take())
		assert.Zero(t, r.controller.caches.Awaited())
	})
}

// TestSyncAfterAHandOver stops a leader between the look-up of a name and the request that applies the object. Meanwhile its
// successor, which has the same field manager, creates the object, and another client labels it.
func TestSyncAfterAHandOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, successor := newSyncRig(), newSyncRig()
		// A clientset of its own, on the same objects: reactors cannot send requests to theirs.
		successor.kube = &kubefake.Clientset{}
		successor.kube.AddReactor("*", "*", clienttesting.ObjectReaction(r.kube.Tracker()))
		stopped := false
		r.kube.PrependReactor("patch", "deployments", func(clienttesting.Action) (bool, runtime.Object, error) {
			if stopped {
				return false, nil, nil
			}
			stopped = true
			require.NoError(t, successor.apply(t, map[string]int32{"web": 1}))
			time.Sleep(promptly)
			label := []byte(`{"metadata":{"labels":{"app":"web"}}}`)
			_, err := successor.kube.AppsV1().Deployments("shop").Patch(t.Context(), "web", types.MergePatchType, label, metav1.PatchOptions{FieldManager: "them"})
			require.NoError(t, err)
			return false, nil, nil
		})
		require.NoError(t, r.apply(t, map[string]int32{"web": 1}))
		got, err := r.kube.AppsV1().Deployments("shop").Get(t.Context(), "web", metav1.GetOptions{})
		require.NoError(t, err)
		assert.True(t, metav1.IsControlledBy(got, held("web")), "the successor's object keeps its owner")
		assert.Equal(t, map[string]string{"app": "web"}, got.Labels)
		assert.EqualValues(t, 1, *got.Spec.Replicas)
	})
}

// TestCreatedByOthers distinguishes creators from managers that wrote later.
func TestCreatedByOthers(t *testing.T) {
	at := func(second int64) *metav1.Time { return new(metav1.Unix(second, 0)) }
	entry := func(manager, subresource string, time *metav1.Time) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{Manager: manager, Operation: metav1.ManagedFieldsOperationApply, Subresource: subresource, Time: time}
	}
	ours := entry("ours", "", at(5))
	for name, test := range map[string]struct {
		others       []metav1.ManagedFieldsEntry
		prompt, late bool
	}{
		"nobody":               {nil, false, false},
		"before us":            {[]metav1.ManagedFieldsEntry{entry("them", "", at(4))}, true, true},
		"in the same second":   {[]metav1.ManagedFieldsEntry{entry("them", "", at(5))}, true, false},
		"after us":             {[]metav1.ManagedFieldsEntry{entry("them", "", at(6))}, true, false},
		"only in the status":   {[]metav1.ManagedFieldsEntry{entry("them", "status", at(4))}, false, false},
		"ours in the status":   {[]metav1.ManagedFieldsEntry{entry("ours", "status", at(4))}, false, false},
		"one of two before us": {[]metav1.ManagedFieldsEntry{entry("a", "", at(6)), entry("b", "", at(4))}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			entries := append(slices.Clone(test.others), ours)
			assert.Equal(t, test.prompt, wanted.CreatedByOthers(entries, "ours", true), "prompt")
			assert.Equal(t, test.late, wanted.CreatedByOthers(entries, "ours", false), "held up")
		})
	}
}
