package tests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
)

// This file needs no other file of the package, and no run-time library: test/build copies it, to test what is generated for older
// releases of client-go.

// fakes calls a test for both fakes that need no run-time library.
func fakes(t *testing.T, test func(*testing.T, *fake.Clientset)) {
	t.Helper()
	t.Run("NewSimpleClientset", func(t *testing.T) { test(t, fake.NewSimpleClientset()) })
	t.Run("NewClientset", func(t *testing.T) { test(t, fake.NewClientset()) })
}

func TestPlainFakeGeneratesNames(t *testing.T) {
	fakes(t, func(t *testing.T, client *fake.Clientset) {
		sent := &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{GenerateName: "web-"}}
		for _, name := range []string{"web-00001", "web-00002"} {
			made, err := client.FleetV1().Workloads("shop").Create(t.Context(), sent, metav1.CreateOptions{})
			require.NoError(t, err)
			assert.Equal(t, name, made.Name)
		}
		assert.Empty(t, sent.Name, "the caller's object stays unchanged")
	})
}

func TestPlainFakeDeletesCollections(t *testing.T) {
	fakes(t, func(t *testing.T, client *fake.Clientset) {
		for name, team := range map[string]string{"a": "red", "b": "blue", "c": "red"} {
			for _, namespace := range []string{"shop", "blog"} {
				object := &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"team": team}}}
				require.NoError(t, client.Tracker().Add(object))
			}
		}
		workloads := client.FleetV1().Workloads("shop")
		red := metav1.ListOptions{LabelSelector: "team=red"}
		require.NoError(t, workloads.DeleteCollection(t.Context(), metav1.DeleteOptions{}, red))
		left, err := client.FleetV1().Workloads("").List(t.Context(), metav1.ListOptions{})
		require.NoError(t, err)
		assert.Len(t, left.Items, 4)
		require.NoError(t, workloads.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
		left, err = workloads.List(t.Context(), metav1.ListOptions{})
		require.NoError(t, err)
		assert.Empty(t, left.Items)
	})
}

func TestPlainFakeScales(t *testing.T) {
	fakes(t, func(t *testing.T, client *fake.Clientset) {
		workloads := client.FleetV1().Workloads("shop")
		scale := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Spec: autoscalingv1.ScaleSpec{Replicas: 3}}
		_, err := workloads.UpdateScale(t.Context(), "web", scale, metav1.UpdateOptions{})
		assert.True(t, apierrors.IsNotFound(err), "%v", err)
		require.NoError(t, client.Tracker().Add(&fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}))
		scaled, err := workloads.UpdateScale(t.Context(), "web", scale, metav1.UpdateOptions{})
		require.NoError(t, err)
		assert.EqualValues(t, 3, scaled.Spec.Replicas)
		_, err = workloads.Get(t.Context(), "web", metav1.GetOptions{})
		assert.NoError(t, err, "the scale does not replace the workload")
	})
}

// TestPlainFakeHasIrregularPlurals uses a kind whose resource client-go guesses wrong.
func TestPlainFakeHasIrregularPlurals(t *testing.T) {
	fakes(t, func(t *testing.T, client *fake.Clientset) {
		chassis := client.FleetV1().Chassises()
		_, err := chassis.Get(t.Context(), "one", metav1.GetOptions{})
		assert.EqualError(t, err, `chassis.fleet.example.com "one" not found`)
		w, err := chassis.Watch(t.Context(), metav1.ListOptions{})
		require.NoError(t, err)
		defer w.Stop()
		one := &fleetv1.Chassis{ObjectMeta: metav1.ObjectMeta{Name: "one", Labels: map[string]string{"rack": "a"}}}
		require.NoError(t, client.Tracker().Add(one))
		two := &fleetv1.Chassis{ObjectMeta: metav1.ObjectMeta{Name: "two"}}
		_, err = chassis.Create(t.Context(), two, metav1.CreateOptions{})
		require.NoError(t, err)
		assert.Equal(t, "one", (<-w.ResultChan()).Object.(*fleetv1.Chassis).Name)
		assert.Equal(t, "two", (<-w.ResultChan()).Object.(*fleetv1.Chassis).Name)
		_, err = chassis.Create(t.Context(), two, metav1.CreateOptions{})
		assert.EqualError(t, err, `chassis.fleet.example.com "two" already exists`)
		one.Labels["rack"] = "b"
		_, err = chassis.Update(t.Context(), one, metav1.UpdateOptions{})
		require.NoError(t, err)
		list, err := chassis.List(t.Context(), metav1.ListOptions{LabelSelector: "rack=b"})
		require.NoError(t, err)
		assert.Len(t, list.Items, 1)
		require.NoError(t, chassis.Delete(t.Context(), "two", metav1.DeleteOptions{}))
		require.NoError(t, chassis.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
		list, err = chassis.List(t.Context(), metav1.ListOptions{})
		require.NoError(t, err)
		assert.Empty(t, list.Items)
	})
}

// TestPlainFakeApplies applies by the schema of the types: an entry of a map belongs to whoever applied it.
func TestPlainFakeApplies(t *testing.T) {
	client := fake.NewClientset()
	workloads := client.FleetV1().Workloads("shop")
	apply := func(manager, key string) (*fleetv1.Workload, error) {
		spec := fleetac.WorkloadSpec().WithConfig(map[string]string{key: manager})
		return workloads.Apply(t.Context(), fleetac.Workload("web", "shop").WithSpec(spec), metav1.ApplyOptions{FieldManager: manager})
	}
	_, err := apply("one", "a")
	require.NoError(t, err)
	web, err := apply("two", "b")
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"a": "one", "b": "two"}, web.Spec.Config)
	_, err = apply("two", "a")
	assert.True(t, apierrors.IsConflict(err), "%v", err)
	_, err = client.FleetV1().Chassises().Apply(t.Context(), fleetac.Chassis("one"), metav1.ApplyOptions{FieldManager: "us"})
	require.NoError(t, err)
	_, err = client.FleetV1().Chassises().Get(t.Context(), "one", metav1.GetOptions{})
	assert.NoError(t, err, "also with an irregular plural")
}

// TestPlainFakeFeedsInformers lists and looks up an object through an informer of a drop-in factory.
func TestPlainFakeFeedsInformers(t *testing.T) {
	client := fake.NewClientset(&fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}})
	factory := informers.NewSharedInformerFactory(client, 0)
	workloads := factory.Fleet().V1().Workloads()
	informer := workloads.Informer()
	stop := make(chan struct{})
	defer factory.Shutdown()
	defer close(stop)
	factory.Start(stop)
	require.True(t, cache.WaitForCacheSync(stop, informer.HasSynced))
	web, err := workloads.Lister().Workloads("shop").Get("web")
	require.NoError(t, err)
	assert.Equal(t, "web", web.Name)
	_, err = workloads.Lister().Workloads("shop").Get("db")
	assert.EqualError(t, err, `workload.fleet.example.com "db" not found`)
}
