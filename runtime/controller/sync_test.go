package controller

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/events"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
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

func TestSyncDeletesWithPreconditions(t *testing.T) {
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
	assert.EqualError(t, err, "shop/web has no UID and cannot own objects; in tests, set one")
	assert.Empty(t, r.kube.Actions())
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
		desired := Create(r.kube.AppsV1().Deployments, []*appsv1.Deployment{{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}}})
		assert.ErrorIs(t, Sync(t.Context(), r.writer, held("web"), r.owned(t), desired), errBroken)
		assert.Empty(t, r.told())
	})
	t.Run("exists and is gone", func(t *testing.T) {
		r := newSyncRig()
		exists := apierrors.NewAlreadyExists(appsv1.Resource("deployments"), "web")
		r.kube.PrependReactor("create", "deployments", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, exists })
		assert.ErrorIs(t, Sync(t.Context(), r.writer, held("web"), r.owned(t), desiredWebs(r)["create"]), exists, "it must be tried again")
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
		desired := Create(r.kube.AppsV1().Deployments, []*appsv1.Deployment{{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}}})
		assert.ErrorIs(t, Sync(t.Context(), r.writer, held("web"), broken, desired), errBroken)
		assert.Empty(t, r.sent())
	})
}
