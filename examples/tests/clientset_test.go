package tests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	fakediscovery "k8s.io/client-go/discovery/fake"
	clienttesting "k8s.io/client-go/testing"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	reviewv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/review/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

// Code under test takes the interface, so the fake must implement it.
var _ versioned.Interface = (*fake.Clientset)(nil)

func TestFakeNamespacedLifecycle(t *testing.T) {
	client := fake.NewSimpleClientset()
	workloads := client.FleetV1().Workloads("shop")

	created, err := workloads.Create(t.Context(), workload("shop", "web", map[string]string{"tier": "front"}), metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "north", created.Spec.RegionName)
	_, err = workloads.Create(t.Context(), workload("shop", "db", nil), metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = workloads.Create(t.Context(), workload("shop", "db", nil), metav1.CreateOptions{})
	assert.True(t, apierrors.IsAlreadyExists(err), "got %v", err)

	got, err := workloads.Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, created, got)

	list, err := workloads.List(t.Context(), metav1.ListOptions{LabelSelector: "tier=front"})
	require.NoError(t, err)
	assert.Equal(t, []fleetv1.Workload{*created}, list.Items)

	got.Spec.Paused = true
	updated, err := workloads.Update(t.Context(), got, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.True(t, updated.Spec.Paused)

	updated.Status.ReadyReplicas = 3
	updated, err = workloads.UpdateStatus(t.Context(), updated, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 3, updated.Status.ReadyReplicas)

	patch := []byte(`{"spec":{"paused":null},"metadata":{"labels":{"tier":"back"}}}`)
	patched, err := workloads.Patch(t.Context(), "web", types.MergePatchType, patch, metav1.PatchOptions{})
	require.NoError(t, err)
	assert.False(t, patched.Spec.Paused)
	assert.Equal(t, "back", patched.Labels["tier"])
	assert.EqualValues(t, 3, patched.Status.ReadyReplicas, "a patch leaves the rest alone")

	require.NoError(t, workloads.Delete(t.Context(), "web", metav1.DeleteOptions{}))
	_, err = workloads.Get(t.Context(), "web", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "got %v", err)

	const resource = "workloads.fleet.example.com/v1"
	assert.Equal(t, []sent{
		{"create", resource, "", "shop", "web"},
		{"create", resource, "", "shop", "db"},
		{"create", resource, "", "shop", "db"},
		{"get", resource, "", "shop", "web"},
		{"list", resource, "", "shop", ""},
		{"update", resource, "", "shop", "web"},
		{"update", resource, "status", "shop", "web"},
		{"patch", resource, "", "shop", "web"},
		{"delete", resource, "", "shop", "web"},
		{"get", resource, "", "shop", "web"},
	}, sentBy(client))
}

func TestFakeClusterScopedLifecycle(t *testing.T) {
	client := fake.NewSimpleClientset(region("south"))
	regions := client.FleetV1().Regions()

	north, err := regions.Create(t.Context(), region("north"), metav1.CreateOptions{})
	require.NoError(t, err)
	north.Status.Phase = fleetv1.RegionOpen
	_, err = regions.UpdateStatus(t.Context(), north, metav1.UpdateOptions{})
	require.NoError(t, err)

	list, err := regions.List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	phases := map[string]fleetv1.RegionPhase{}
	for _, item := range list.Items {
		phases[item.Name] = item.Status.Phase
	}
	assert.Equal(t, map[string]fleetv1.RegionPhase{"north": fleetv1.RegionOpen, "south": ""}, phases)

	require.NoError(t, regions.Delete(t.Context(), "south", metav1.DeleteOptions{}))

	const resource = "regions.fleet.example.com/v1"
	assert.Equal(t, []sent{
		{"create", resource, "", "", "north"},
		{"update", resource, "status", "", "north"},
		{"list", resource, "", "", ""},
		{"delete", resource, "", "", "south"},
	}, sentBy(client))
}

func TestFakeDeleteCollection(t *testing.T) {
	client := fake.NewSimpleClientset()
	policy := metav1.DeletePropagationForeground
	err := client.FleetV1().Heartbeats("agents").DeleteCollection(t.Context(),
		metav1.DeleteOptions{PropagationPolicy: &policy}, metav1.ListOptions{LabelSelector: "stale=true"})
	require.NoError(t, err)

	require.Len(t, client.Actions(), 1)
	action, ok := client.Actions()[0].(clienttesting.DeleteCollectionActionImpl)
	require.True(t, ok, "got %T", client.Actions()[0])
	assert.Equal(t, []sent{{"delete-collection", "heartbeats.fleet.example.com/v1", "", "agents", ""}}, sentBy(client))
	assert.Equal(t, "stale=true", action.GetListRestrictions().Labels.String())
	assert.Equal(t, &policy, action.DeleteOptions.PropagationPolicy)
}

func TestFakeWatch(t *testing.T) {
	client := fake.NewSimpleClientset()
	workloads := client.FleetV1().Workloads("shop")
	watcher, err := workloads.Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	defer watcher.Stop()

	web := workload("shop", "web", nil)
	_, err = workloads.Create(t.Context(), web, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = client.FleetV1().Workloads("elsewhere").Create(t.Context(), workload("elsewhere", "web", nil), metav1.CreateOptions{})
	require.NoError(t, err)
	web.Spec.Paused = true
	_, err = workloads.Update(t.Context(), web, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.NoError(t, workloads.Delete(t.Context(), "web", metav1.DeleteOptions{}))

	for _, want := range []watch.EventType{watch.Added, watch.Modified, watch.Deleted} {
		event := next(t, watcher.ResultChan())
		assert.Equal(t, want, event.Type)
		object, ok := event.Object.(*fleetv1.Workload)
		require.True(t, ok, "got %T", event.Object)
		assert.Equal(t, "shop", object.Namespace)
		assert.Equal(t, want != watch.Added, object.Spec.Paused)
	}
	assert.Empty(t, watcher.ResultChan(), "the other namespace is none of this watch's business")
}

func TestFakeUsesOneResourceNameThroughout(t *testing.T) {
	client := fake.NewSimpleClientset()
	require.NoError(t, ignoreResult(client.FleetV1().Chassises().Create(t.Context(), chassis("c1"), metav1.CreateOptions{})))
	require.NoError(t, ignoreResult(client.FleetV1().Chassises().Get(t.Context(), "c1", metav1.GetOptions{})))
	require.NoError(t, ignoreResult(client.FleetV1beta1().PlacementPolicies("shop").Create(t.Context(),
		&fleetv1beta1.PlacementPolicy{ObjectMeta: metav1.ObjectMeta{Name: "eu", Namespace: "shop"}}, metav1.CreateOptions{})))
	require.NoError(t, ignoreResult(client.FleetV1beta1().Gateways("shop").Create(t.Context(),
		&fleetv1beta1.Gateway{ObjectMeta: metav1.ObjectMeta{Name: "gw", Namespace: "shop"}}, metav1.CreateOptions{})))
	require.NoError(t, ignoreResult(client.FleetV1beta1().Gateways("shop").Get(t.Context(), "gw", metav1.GetOptions{})))

	assert.Equal(t, []sent{
		{"create", "chassis.fleet.example.com/v1", "", "", "c1"},
		{"get", "chassis.fleet.example.com/v1", "", "", "c1"},
		{"create", "placementpolicies.fleet.example.com/v1beta1", "", "shop", "eu"},
		{"create", "gateways.fleet.example.com/v1beta1", "", "shop", "gw"},
		{"get", "gateways.fleet.example.com/v1beta1", "", "shop", "gw"},
	}, sentBy(client))

	_, err := client.FleetV1().Chassises().Get(t.Context(), "c2", metav1.GetOptions{})
	assert.EqualError(t, err, `chassis.fleet.example.com "c2" not found`)
}

func TestFakeKeepsVersionsApart(t *testing.T) {
	client := fake.NewSimpleClientset(
		workload("shop", "new", nil),
		&fleetv1beta1.Workload{ObjectMeta: metav1.ObjectMeta{Name: "old", Namespace: "shop"}},
	)
	stable, err := client.FleetV1().Workloads("shop").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, stable.Items, 1)
	assert.Equal(t, "new", stable.Items[0].Name)

	beta, err := client.FleetV1beta1().Workloads("shop").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, beta.Items, 1)
	assert.Equal(t, "old", beta.Items[0].Name)
}

func TestFakeReactorAnswersInPlaceOfTheTracker(t *testing.T) {
	client := fake.NewSimpleClientset()
	client.PrependReactor("create", "placementreviews", answer(&reviewv1.PlacementReview{
		Status: reviewv1.PlacementReviewStatus{RegionNames: []string{"south"}},
	}))
	review, err := client.FleetReviewV1().PlacementReviews("shop").Create(t.Context(),
		&reviewv1.PlacementReview{Spec: reviewv1.PlacementReviewSpec{Replicas: 2}}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"south"}, review.Status.RegionNames)
	assert.Equal(t, []sent{{"create", "placementreviews.fleet.review.example.com/v1", "", "shop", ""}}, sentBy(client))
}

func TestFakeClientsetExtras(t *testing.T) {
	client := fake.NewSimpleClientset(region("north"))

	discovery, ok := client.Discovery().(*fakediscovery.FakeDiscovery)
	require.True(t, ok, "got %T", client.Discovery())
	assert.Same(t, &client.Fake, discovery.Fake, "discovery shares reactors and records")

	object, err := client.Tracker().Get(fleetv1.SchemeGroupVersion.WithResource("regions"), "", "north")
	require.NoError(t, err)
	assert.Equal(t, region("north"), object)

	assert.True(t, client.IsWatchListSemanticsUnSupported(), "the tracker cannot stream its initial state")
	assert.Nil(t, client.FleetV1().RESTClient(), "there is nothing to talk to")
	assert.Panics(t, func() { fake.NewSimpleClientset(&metav1.Status{}) }, "an object without a resource")
}

func TestFakeDeletesSelectedObjects(t *testing.T) {
	stale, fresh, elsewhere := workload("shop", "stale", nil), workload("shop", "fresh", nil), workload("yard", "stale", nil)
	stale.Labels, elsewhere.Labels = map[string]string{"stale": "true"}, map[string]string{"stale": "true"}
	client := fake.NewSimpleClientset(stale, fresh, elsewhere)
	require.NoError(t, client.FleetV1().Workloads("shop").DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "stale=true"}))

	left, err := client.FleetV1().Workloads("").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	var names []string
	for _, w := range left.Items {
		names = append(names, w.Namespace+"/"+w.Name)
	}
	assert.Equal(t, []string{"shop/fresh", "yard/stale"}, names)
}

func TestFakeGeneratesNames(t *testing.T) {
	for name, client := range map[string]*fake.Clientset{"simple": fake.NewSimpleClientset(), "managed": fake.NewClientset()} {
		t.Run(name, func(t *testing.T) {
			nameless := workload("shop", "", nil)
			nameless.GenerateName = "web-"
			workloads := client.FleetV1().Workloads("shop")
			for _, want := range []string{"web-00001", "web-00002"} {
				created, err := workloads.Create(t.Context(), nameless, metav1.CreateOptions{})
				require.NoError(t, err)
				assert.Equal(t, want, created.Name)
				_, err = workloads.Get(t.Context(), want, metav1.GetOptions{})
				require.NoError(t, err)
			}
			assert.Empty(t, nameless.Name, "what was sent belongs to who sent it")
		})
	}
}
