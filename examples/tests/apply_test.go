package tests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	typedfleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1"
)

// twoManagers returns a client for the namespace of a workload with fields applied by "web" and by "scaler".
func twoManagers(t *testing.T) typedfleetv1.WorkloadInterface {
	t.Helper()
	workloads := fake.NewStrictClientset().FleetV1().Workloads("shop")
	for _, half := range []struct {
		manager string
		spec    *fleetac.WorkloadSpecApplyConfiguration
	}{
		{"web", fleetac.WorkloadSpec().WithRegionName("north").WithPaused(true)},
		{"scaler", fleetac.WorkloadSpec().WithReplicas(3)},
	} {
		_, err := workloads.Apply(t.Context(), appliedWorkload(half.spec), by(half.manager))
		require.NoError(t, err)
	}
	return workloads
}

func TestApplyByTwoManagers(t *testing.T) {
	got, err := twoManagers(t).Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "north", got.Spec.RegionName)
	assert.EqualValues(t, 3, *got.Spec.Replicas)
	assert.ElementsMatch(t, []owner{
		applier("web", "spec.paused", "spec.regionName"),
		applier("scaler", "spec.replicas"),
	}, ownersOf(t, got))
}

func TestApplyConflict(t *testing.T) {
	workloads := twoManagers(t)
	before, err := workloads.Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)

	wanted := appliedWorkload(fleetac.WorkloadSpec().WithReplicas(5).WithRegionName("south").WithPaused(true))
	_, err = workloads.Apply(t.Context(), wanted, by("other"))
	require.True(t, apierrors.IsConflict(err), "got %v", err)
	var status apierrors.APIStatus
	require.ErrorAs(t, err, &status)
	require.NotNil(t, status.Status().Details)
	causes := map[string]string{}
	for _, cause := range status.Status().Details.Causes {
		assert.Equal(t, metav1.CauseTypeFieldManagerConflict, cause.Type)
		causes[cause.Field] = cause.Message
	}
	require.Len(t, causes, 2, "what is the same as before is no conflict")
	assert.Contains(t, causes[".spec.replicas"], `conflict with "scaler"`)
	assert.Contains(t, causes[".spec.regionName"], `conflict with "web"`)

	after, err := workloads.Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, before, after, "what conflicts changes nothing")
}

func TestApplyWithForceTakesOver(t *testing.T) {
	workloads := twoManagers(t)
	wanted := appliedWorkload(fleetac.WorkloadSpec().WithReplicas(5).WithPaused(true))
	got, err := workloads.Apply(t.Context(), wanted, forced("other"))
	require.NoError(t, err)
	assert.EqualValues(t, 5, *got.Spec.Replicas)
	assert.ElementsMatch(t, []owner{
		applier("web", "spec.paused", "spec.regionName"),
		applier("other", "spec.paused", "spec.replicas"),
	}, ownersOf(t, got), "what both want is owned by both; who owns nothing any more is gone")
}

func TestApplyWithoutAFieldRemovesIt(t *testing.T) {
	workloads := twoManagers(t)
	_, err := workloads.Apply(t.Context(), appliedWorkload(fleetac.WorkloadSpec().WithPaused(true)), by("other"))
	require.NoError(t, err)

	got, err := workloads.Apply(t.Context(), fleetac.Workload("web", "shop"), by("web"))
	require.NoError(t, err)
	assert.Empty(t, got.Spec.RegionName, "nobody else wants it")
	assert.True(t, got.Spec.Paused, "the other manager wants it")
	assert.EqualValues(t, 3, *got.Spec.Replicas, "it never was this manager's")
	assert.ElementsMatch(t, []owner{
		applier("scaler", "spec.replicas"),
		applier("other", "spec.paused"),
	}, ownersOf(t, got))
}

func TestApplyAndOtherWrites(t *testing.T) {
	workloads := twoManagers(t)
	web, err := workloads.Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	five := int32(5)
	web.Spec.Replicas = &five
	web, err = workloads.Update(t.Context(), web, metav1.UpdateOptions{FieldManager: "editor"})
	require.NoError(t, err)
	assert.ElementsMatch(t, []owner{
		applier("web", "spec.paused", "spec.regionName"),
		// A Go object also has the fields that are not optional.
		updater("editor", "spec.replicas", "spec.template.image", "spec.template.resources", "spec.update"),
	}, ownersOf(t, web), "an update takes what it changes, without asking")

	patched, err := workloads.Patch(t.Context(), "web", types.MergePatchType, []byte(`{"spec":{"paused":false,"config":{"a":"b"}}}`),
		metav1.PatchOptions{FieldManager: "patcher"})
	require.NoError(t, err)
	web, err = workloads.Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, ownersOf(t, web), ownersOf(t, patched), "the answer is what is stored")
	assert.ElementsMatch(t, []owner{
		applier("web", "spec.regionName"),
		updater("editor", "spec.replicas", "spec.template.image", "spec.template.resources", "spec.update"),
		updater("patcher", "spec.config.a", "spec.paused"),
	}, ownersOf(t, web))

	_, err = workloads.Apply(t.Context(), appliedWorkload(fleetac.WorkloadSpec().WithReplicas(3)), by("scaler"))
	require.True(t, apierrors.IsConflict(err), "got %v", err)
	assert.ErrorContains(t, err, `conflict with "editor"`)
	web, err = workloads.Apply(t.Context(), appliedWorkload(fleetac.WorkloadSpec().WithReplicas(5)), by("scaler"))
	require.NoError(t, err, "the same value is no conflict")
	assert.Contains(t, ownersOf(t, web), applier("scaler", "spec.replicas"))
}

func TestApplyAfterCreate(t *testing.T) {
	workloads := fake.NewClientset().FleetV1().Workloads("shop")
	created, err := workloads.Create(t.Context(), workload("shop", "web", nil), metav1.CreateOptions{FieldManager: "maker"})
	require.NoError(t, err)
	assert.Equal(t, []owner{updater("maker", "spec.regionName", "spec.template.image")}, ownersOf(t, created))

	_, err = workloads.Apply(t.Context(), appliedWorkload(fleetac.WorkloadSpec().WithRegionName("south")), by("mover"))
	require.True(t, apierrors.IsConflict(err), "got %v", err)
	moved, err := workloads.Apply(t.Context(), appliedWorkload(fleetac.WorkloadSpec().WithRegionName("south")), forced("mover"))
	require.NoError(t, err)
	assert.Equal(t, "south", moved.Spec.RegionName)
	assert.ElementsMatch(t, []owner{
		updater("maker", "spec.template.image"),
		applier("mover", "spec.regionName"),
	}, ownersOf(t, moved))
}

func TestApplyCreatesMissingObjects(t *testing.T) {
	client := fake.NewClientset()
	workloads := client.FleetV1().Workloads("shop")
	watcher, err := workloads.Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	defer watcher.Stop()

	labels := map[string]string{"tier": "front"}
	made, err := workloads.Apply(t.Context(), fleetac.Workload("web", "shop").WithLabels(labels).WithFinalizers(fleetv1.WorkloadFinalizer), by("web"))
	require.NoError(t, err)
	assert.Equal(t, labels, made.Labels)
	assert.Equal(t, []string{fleetv1.WorkloadFinalizer}, made.Finalizers)
	assert.Equal(t, []owner{applier("web", `metadata.finalizers[="`+fleetv1.WorkloadFinalizer+`"]`, "metadata.labels.tier")}, ownersOf(t, made))
	event := next(t, watcher.ResultChan())
	assert.EqualValues(t, "ADDED", event.Type)

	workloads = fake.NewStrictClientset().FleetV1().Workloads("shop")
	_, err = workloads.ApplyStatus(t.Context(), fleetac.Workload("db", "shop").WithStatus(fleetac.WorkloadStatus().WithReplicas(1)), by("fleet"))
	assert.True(t, apierrors.IsNotFound(err), "got %v", err)
	_, err = workloads.Get(t.Context(), "db", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "got %v", err)
}

func TestApplyNeedsAName(t *testing.T) {
	workloads := fake.NewClientset().FleetV1().Workloads("shop")
	_, err := workloads.Apply(t.Context(), &fleetac.WorkloadApplyConfiguration{}, by("web"))
	assert.Error(t, err)
	_, err = workloads.Apply(t.Context(), nil, by("web"))
	assert.Error(t, err)
}

// TestApplyWithoutFieldManagement shows the behavior of the other constructor: it merges, and fields have no owners.
func TestApplyWithoutFieldManagement(t *testing.T) {
	client := fake.NewSimpleClientset(workload("shop", "web", nil))
	wanted := appliedWorkload(fleetac.WorkloadSpec().WithRegionName("south"))
	for _, manager := range []string{"one", "two"} {
		got, err := client.FleetV1().Workloads("shop").Apply(t.Context(), wanted, by(manager))
		require.NoError(t, err)
		assert.Equal(t, "south", got.Spec.RegionName)
		assert.Empty(t, got.ManagedFields)
	}
}

// TestApplyThatChangesNothing checks that such an apply causes no event, so a controller that applies after each event becomes
// idle.
func TestApplyThatChangesNothing(t *testing.T) {
	workloads := twoManagers(t)
	before, err := workloads.Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	list, err := workloads.List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	watcher, err := workloads.Watch(t.Context(), metav1.ListOptions{ResourceVersion: list.ResourceVersion})
	require.NoError(t, err)
	defer watcher.Stop()

	after, err := workloads.Apply(t.Context(), appliedWorkload(fleetac.WorkloadSpec().WithReplicas(3)), by("scaler"))
	require.NoError(t, err)
	assert.Equal(t, before, after)
	_, err = workloads.Apply(t.Context(), appliedWorkload(fleetac.WorkloadSpec().WithReplicas(4)), by("scaler"))
	require.NoError(t, err)
	changed, ok := next(t, watcher.ResultChan()).Object.(*fleetv1.Workload)
	require.True(t, ok)
	assert.EqualValues(t, 4, *changed.Spec.Replicas, "the first event is that of the change")
}
