package controllers

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
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
	"k8s.io/apimachinery/pkg/types"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/ptr"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

// syncRig syncs the deployments of a workload, whose cache is always up to date.
type syncRig struct {
	kube   *kubefake.Clientset
	writer Writer
	events *events.FakeRecorder
}

func newSyncRig(objects ...runtime.Object) *syncRig {
	recorder := events.NewFakeRecorder(10)
	return &syncRig{
		kube:   kubefake.NewClientset(objects...),
		writer: Writer{Owner: workloadKind, FieldManager: "us", Recorder: recorder},
		events: recorder,
	}
}

func (r *syncRig) owned(t *testing.T) func(*fleetv1.Workload) ([]*appsv1.Deployment, error) {
	return func(owner *fleetv1.Workload) ([]*appsv1.Deployment, error) {
		list, err := r.kube.AppsV1().Deployments("").List(t.Context(), metav1.ListOptions{})
		var all []*appsv1.Deployment
		for i := range list.Items {
			if metav1.IsControlledBy(&list.Items[i], owner) {
				all = append(all, &list.Items[i])
			}
		}
		r.kube.ClearActions()
		return all, err
	}
}

// apply syncs deployments with the given names and numbers of replicas.
func (r *syncRig) apply(t *testing.T, desired map[string]int32) error {
	t.Helper()
	var all []*appsv1apply.DeploymentApplyConfiguration
	for name, replicas := range desired {
		all = append(all, appsv1apply.Deployment(name, "shop").WithSpec(appsv1apply.DeploymentSpec().WithReplicas(replicas)))
	}
	return Sync(t.Context(), r.writer, held("web"), r.owned(t), Apply(r.kube.AppsV1().Deployments, appsv1apply.ExtractDeployment, all))
}

// sent lists the requests since the last lookup of owned objects.
func (r *syncRig) sent() []string {
	var all []string
	for _, action := range r.kube.Actions() {
		name := ""
		switch action := action.(type) {
		case clienttesting.PatchAction:
			name = action.GetName()
		case clienttesting.DeleteAction:
			name = action.GetName()
		case clienttesting.GetAction:
			name = action.GetName()
		case clienttesting.CreateAction:
			name = action.GetObject().(metav1.Object).GetName()
		}
		all = append(all, fmt.Sprintf("%s %s/%s", action.GetVerb(), action.GetNamespace(), name))
	}
	return all
}

// told lists the events so far.
func (r *syncRig) told() []string {
	var all []string
	for len(r.events.Events) > 0 {
		all = append(all, <-r.events.Events)
	}
	return all
}

func TestSyncApplies(t *testing.T) {
	r := newSyncRig()
	require.NoError(t, r.apply(t, map[string]int32{"web": 1}))
	assert.Equal(t, []string{"get shop/web", "patch shop/web"}, r.sent())
	assert.Equal(t, []string{"Normal Created Created Deployment shop/web"}, r.told())
	made, err := r.kube.AppsV1().Deployments("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, []metav1.OwnerReference{*metav1.NewControllerRef(held("web"), workloadKind)}, made.OwnerReferences)
	assert.Equal(t, "us", made.ManagedFields[0].Manager)

	require.NoError(t, r.apply(t, map[string]int32{"web": 1}))
	assert.Empty(t, r.sent(), "nothing differs")

	require.NoError(t, r.apply(t, map[string]int32{"web": 2}))
	assert.Equal(t, []string{"patch shop/web"}, r.sent())
	assert.Empty(t, r.told(), "it was there before")

	require.NoError(t, r.apply(t, map[string]int32{"web-2": 2}))
	assert.Equal(t, []string{"get shop/web-2", "patch shop/web-2", "delete shop/web"}, r.sent())
	require.NoError(t, r.apply(t, nil))
	assert.Equal(t, []string{"delete shop/web-2"}, r.sent())
}

func TestSyncAppliesWithForce(t *testing.T) {
	r := newSyncRig()
	theirs := appsv1apply.Deployment("web", "shop").WithSpec(appsv1apply.DeploymentSpec().WithReplicas(5)).
		WithOwnerReferences(r.writer.reference(held("web")))
	_, err := r.kube.AppsV1().Deployments("shop").Apply(t.Context(), theirs, metav1.ApplyOptions{FieldManager: "them"})
	require.NoError(t, err)
	require.NoError(t, r.apply(t, map[string]int32{"web": 1}))
	made, err := r.kube.AppsV1().Deployments("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 1, *made.Spec.Replicas)
}

func TestSyncDeletesOnlyWhatItSaw(t *testing.T) {
	old := deployment("old", held("web"))
	old.UID, old.ResourceVersion = "uid-of-old", "7"
	r := newSyncRig(old)
	require.NoError(t, r.apply(t, nil))
	require.Len(t, r.kube.Actions(), 1)
	options := r.kube.Actions()[0].(clienttesting.DeleteActionImpl).DeleteOptions
	assert.Equal(t, &metav1.Preconditions{UID: &old.UID, ResourceVersion: &old.ResourceVersion}, options.Preconditions)
}

func TestSyncCreates(t *testing.T) {
	r := newSyncRig(deployment("keep", held("web")), deployment("old", held("web")), deployment("other", held("db")))
	wanted := func(names ...string) []*appsv1.Deployment {
		var all []*appsv1.Deployment
		for _, name := range names {
			all = append(all, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}})
		}
		return all
	}
	sync := func(desired Desired[*appsv1.Deployment]) error {
		return Sync(t.Context(), r.writer, held("web"), r.owned(t), desired)
	}
	require.NoError(t, sync(CreateOnly(r.kube.AppsV1().Deployments, wanted("keep", "new"))))
	assert.Equal(t, []string{"create shop/new"}, r.sent())
	assert.Equal(t, []string{"Normal Created Created Deployment shop/new"}, r.told())
	made, err := r.kube.AppsV1().Deployments("shop").Get(t.Context(), "new", metav1.GetOptions{})
	require.NoError(t, err)
	assert.True(t, metav1.IsControlledBy(made, held("web")))
	assert.Equal(t, "us", made.ManagedFields[0].Manager)

	require.NoError(t, sync(Create(r.kube.AppsV1().Deployments, wanted("keep", "new"))))
	assert.Equal(t, []string{"delete shop/old"}, r.sent())
}

func TestSyncWithoutDeletion(t *testing.T) {
	r := newSyncRig(deployment("old", held("web")))
	desired := []*appsv1apply.DeploymentApplyConfiguration{appsv1apply.Deployment("web", "shop")}
	require.NoError(t, Sync(t.Context(), r.writer, held("web"), r.owned(t), ApplyOnly(r.kube.AppsV1().Deployments, appsv1apply.ExtractDeployment, desired)))
	assert.Equal(t, []string{"get shop/web", "patch shop/web"}, r.sent())
}

func TestSyncClusterScoped(t *testing.T) {
	client := fake.NewClientset()
	owner := &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north", UID: "uid-of-north"}}
	existing := []*fleetv1.Chassis{{ObjectMeta: metav1.ObjectMeta{Name: "old"}}}
	require.NoError(t, client.Tracker().Add(existing[0]))
	owned := func(*fleetv1.Region) ([]*fleetv1.Chassis, error) { return existing, nil }
	w := Writer{Owner: fleetv1.SchemeGroupVersion.WithKind("Region"), FieldManager: "us"}
	desired := []*fleetv1.Chassis{{ObjectMeta: metav1.ObjectMeta{Name: "new"}}}
	require.NoError(t, Sync(t.Context(), w, owner, owned, Create(ClusterScoped(client.FleetV1().Chassises), desired)))
	list, err := client.FleetV1().Chassises().List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	assert.Equal(t, "new", list.Items[0].Name)
	assert.True(t, metav1.IsControlledBy(&list.Items[0], owner))
}

func TestSyncNeedsAnOwnerWithUID(t *testing.T) {
	r := newSyncRig()
	err := Sync(t.Context(), r.writer, workload("shop", "web", nil), r.owned(t), Create(r.kube.AppsV1().Deployments, []*appsv1.Deployment{{}}))
	assert.EqualError(t, err, "shop/web has no uid, so that it cannot own objects; in tests, set one")
	assert.Empty(t, r.kube.Actions())
}

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

// TestSyncSeizesNothing has a stranger hold a desired name. It stays as it is, and all else is synced.
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
		assert.True(t, isTerminal(err))
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
	assert.False(t, isTerminal(err), "no cache tells when the name becomes free")
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
				assert.NotContains(t, strings.Join(verbs(r.kube.Actions()), " "), "create", "the cache knows it all")

				require.NoError(t, r.kube.AppsV1().Deployments("shop").Delete(t.Context(), "web", metav1.DeleteOptions{}))
				assert.Contains(t, r.take(), "reconcile web")
				assert.Contains(t, <-recorder.Events, "Normal Created Created Deployment shop/web")
				got, err := r.kube.AppsV1().Deployments("shop").Get(t.Context(), "web", metav1.GetOptions{})
				require.NoError(t, err)
				assert.True(t, metav1.IsControlledBy(got, held("web")))
				assert.Zero(t, r.controller.known.waiters.count.Load())
			})
		})
	}
}

func verbs(actions []clienttesting.Action) []string {
	var all []string
	for _, action := range actions {
		all = append(all, action.GetVerb())
	}
	return all
}

func TestSyncErrors(t *testing.T) {
	gone := apierrors.NewNotFound(schema.GroupResource{Group: "apps", Resource: "deployments"}, "old")
	for name, test := range map[string]struct {
		verb string
		err  error
		want error
	}{
		"apply":        {"patch", errBroken, errBroken},
		"delete":       {"delete", errBroken, errBroken},
		"gone already": {"delete", gone, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := newSyncRig(deployment("old", held("web")))
			r.kube.PrependReactor(test.verb, "deployments", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, test.err })
			assert.ErrorIs(t, r.apply(t, map[string]int32{"web": 1}), test.want)
		})
	}
	t.Run("create", func(t *testing.T) {
		r := newSyncRig()
		r.kube.PrependReactor("create", "deployments", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, errBroken })
		desired := Create(r.kube.AppsV1().Deployments, []*appsv1.Deployment{{ObjectMeta: metav1.ObjectMeta{Name: "web"}}})
		assert.ErrorIs(t, Sync(t.Context(), r.writer, held("web"), r.owned(t), desired), errBroken)
		assert.Empty(t, r.told())
	})
	t.Run("extract", func(t *testing.T) {
		r := newSyncRig(deployment("web", held("web")))
		desired := Apply(r.kube.AppsV1().Deployments, func(*appsv1.Deployment, string) (*appsv1apply.DeploymentApplyConfiguration, error) {
			return nil, errBroken
		}, []*appsv1apply.DeploymentApplyConfiguration{appsv1apply.Deployment("web", "shop")})
		assert.ErrorIs(t, Sync(t.Context(), r.writer, held("web"), r.owned(t), desired), errBroken)
		assert.Empty(t, r.sent())
	})
	t.Run("cache", func(t *testing.T) {
		r := newSyncRig()
		broken := func(*fleetv1.Workload) ([]*appsv1.Deployment, error) { return nil, errBroken }
		desired := Create(r.kube.AppsV1().Deployments, []*appsv1.Deployment{{ObjectMeta: metav1.ObjectMeta{Name: "web"}}})
		assert.ErrorIs(t, Sync(t.Context(), r.writer, held("web"), broken, desired), errBroken)
		assert.Empty(t, r.sent())
	})
}
