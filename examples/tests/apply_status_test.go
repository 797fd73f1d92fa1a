package tests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	typedfleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1"
)

// appliedStatus returns an apply configuration of the workload shop/web with the status.
func appliedStatus(status *fleetac.WorkloadStatusApplyConfiguration) *fleetac.WorkloadApplyConfiguration {
	return fleetac.Workload("web", "shop").WithStatus(status)
}

// fleetWorkload returns a workload with spec and status applied by one manager.
func fleetWorkload(t *testing.T) (typedfleetv1.WorkloadInterface, *fleetv1.Workload) {
	t.Helper()
	workloads := fake.NewStrictClientset().FleetV1().Workloads("shop")
	spec := fleetac.WorkloadSpec().WithRegionName("north").WithReplicas(3).
		WithTemplate(fleetac.WorkloadTemplate().WithImage("web:1").WithArgs("-v", "2"))
	_, err := workloads.Apply(t.Context(), appliedWorkload(spec).WithLabels(map[string]string{"tier": "front"}), by("fleet"))
	require.NoError(t, err)
	status := fleetac.WorkloadStatus().WithReplicas(3).WithReadyReplicas(2).
		WithConditions(metav1ac.Condition().WithType("Ready").WithStatus(metav1.ConditionFalse).WithReason("Starting"))
	applied, err := workloads.ApplyStatus(t.Context(), appliedStatus(status), by("fleet"))
	require.NoError(t, err)
	return workloads, applied
}

var (
	fleetSpecOwner = applier("fleet", "metadata.labels.tier", "spec.regionName", "spec.replicas", "spec.template.args", "spec.template.image")
	fleetStatus    = applier("fleet", `status.conditions[type="Ready"].reason`, `status.conditions[type="Ready"].status`,
		`status.conditions[type="Ready"].type`, "status.readyReplicas", "status.replicas").through("status")
)

func TestApplyStatus(t *testing.T) {
	workloads, web := fleetWorkload(t)
	assert.Equal(t, "north", web.Spec.RegionName, "the spec stays, though the same manager did not speak of it again")
	assert.Equal(t, []string{"-v", "2"}, web.Spec.Template.Args)
	assert.Equal(t, map[string]string{"tier": "front"}, web.Labels)
	assert.EqualValues(t, 2, web.Status.ReadyReplicas)
	assert.ElementsMatch(t, []owner{fleetSpecOwner, fleetStatus}, ownersOf(t, web))

	web, err := workloads.Apply(t.Context(), appliedWorkload(fleetac.WorkloadSpec().WithRegionName("north")), by("fleet"))
	require.NoError(t, err)
	assert.Nil(t, web.Spec.Replicas, "the manager has taken back what it had applied to the spec")
	assert.EqualValues(t, 3, web.Status.Replicas, "but the status is another matter")
	assert.Len(t, web.Status.Conditions, 1)
	assert.ElementsMatch(t, []owner{applier("fleet", "spec.regionName"), fleetStatus}, ownersOf(t, web))

	web, err = workloads.ApplyStatus(t.Context(), appliedStatus(fleetac.WorkloadStatus().WithReplicas(3)), by("fleet"))
	require.NoError(t, err)
	assert.Zero(t, web.Status.ReadyReplicas)
	assert.Empty(t, web.Status.Conditions)
	assert.Equal(t, "north", web.Spec.RegionName)
}

func TestUpdateStatusNextToApply(t *testing.T) {
	workloads, web := fleetWorkload(t)
	web.Status.ReadyReplicas = 3
	web, err := workloads.UpdateStatus(t.Context(), web, metav1.UpdateOptions{FieldManager: "agent"})
	require.NoError(t, err)
	assert.ElementsMatch(t, []owner{
		fleetSpecOwner,
		applier("fleet", `status.conditions[type="Ready"].reason`, `status.conditions[type="Ready"].status`,
			`status.conditions[type="Ready"].type`, "status.replicas").through("status"),
		// A status that is sent as a Go object has the fields of the condition that fleet did not apply.
		updater("agent", `status.conditions[type="Ready"].lastTransitionTime`, `status.conditions[type="Ready"].message`,
			"status.readyReplicas").through("status"),
	}, ownersOf(t, web))
}

// TestExtractAndApplyAgain changes one field that a manager has applied, in the recommended way.
func TestExtractAndApplyAgain(t *testing.T) {
	workloads, web := fleetWorkload(t)
	_, err := workloads.Apply(t.Context(), appliedWorkload(fleetac.WorkloadSpec().WithConfig(map[string]string{"a": "b"})), by("other"))
	require.NoError(t, err)

	extracted, err := fleetac.ExtractWorkload(web, "fleet")
	require.NoError(t, err)
	spec := fleetac.WorkloadSpec().WithRegionName("north").WithReplicas(3).
		WithTemplate(fleetac.WorkloadTemplate().WithImage("web:1").WithArgs("-v", "2"))
	assert.Equal(t, appliedWorkload(spec).WithLabels(map[string]string{"tier": "front"}), extracted, "no status, nothing of others")
	again, err := workloads.Apply(t.Context(), extracted, by("fleet"))
	require.NoError(t, err)
	assert.Equal(t, web.Spec.Template, again.Spec.Template)

	extracted.Spec.WithReplicas(4)
	after, err := workloads.Apply(t.Context(), extracted, by("fleet"))
	require.NoError(t, err)
	again.Spec.Replicas = after.Spec.Replicas
	assert.EqualValues(t, 4, *after.Spec.Replicas)
	assert.Equal(t, again.Spec, after.Spec, "one field has changed")
	assert.Equal(t, again.Status, after.Status)
	assert.Equal(t, again.Labels, after.Labels)
	assert.ElementsMatch(t, []owner{fleetSpecOwner, fleetStatus, applier("other", "spec.config.a")}, ownersOf(t, after))
}

func TestExtractStatusAndApplyAgain(t *testing.T) {
	workloads, web := fleetWorkload(t)
	extracted, err := fleetac.ExtractWorkloadStatus(web, "fleet")
	require.NoError(t, err)
	assert.Nil(t, extracted.Spec)
	assert.Empty(t, extracted.Labels)
	require.NotNil(t, extracted.Status)
	require.Len(t, extracted.Status.Conditions, 1)

	extracted.Status.WithReadyReplicas(3)
	extracted.Status.Conditions[0].WithStatus(metav1.ConditionTrue)
	after, err := workloads.ApplyStatus(t.Context(), extracted, by("fleet"))
	require.NoError(t, err)
	assert.EqualValues(t, 3, after.Status.Replicas, "it was in what was extracted")
	assert.EqualValues(t, 3, after.Status.ReadyReplicas)
	assert.Equal(t, []metav1.Condition{{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Starting"}}, after.Status.Conditions)
	assert.Equal(t, web.Spec, after.Spec)
	assert.ElementsMatch(t, []owner{fleetSpecOwner, fleetStatus}, ownersOf(t, after))
}

func TestExtractOfUnknownManager(t *testing.T) {
	_, web := fleetWorkload(t)
	nothing, err := fleetac.ExtractWorkload(web, "stranger")
	require.NoError(t, err)
	assert.Equal(t, fleetac.Workload("web", "shop"), nothing)

	elsewhere, err := fleetac.ExtractWorkloadFrom(web, "fleet", "scale")
	require.NoError(t, err)
	assert.Equal(t, fleetac.Workload("web", "shop"), elsewhere)
}

// TestApplyToASubresourceOfATag applies through a method that a marker adds to the client. NewClientset does not track managers
// separately for each subresource.
func TestApplyToASubresourceOfATag(t *testing.T) {
	regions := fake.NewClientset().FleetV1().Regions()
	spec := fleetac.RegionSpec().WithCountry("NO").WithEndpoint("https://north.example.com")
	_, err := regions.Apply(t.Context(), fleetac.Region("north").WithSpec(spec), by("fleet"))
	require.NoError(t, err)

	for _, department := range []string{"billing", "audit"} {
		holds := fleetac.Region("north").WithSpec(fleetac.RegionSpec().WithHolds(department))
		_, err = regions.ApplyHolds(t.Context(), "north", holds, by(department))
		require.NoError(t, err)
	}
	north, err := regions.Get(t.Context(), "north", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "NO", north.Spec.Country)
	assert.Equal(t, []string{"billing", "audit"}, north.Spec.Holds)
	assert.ElementsMatch(t, []owner{
		applier("fleet", "spec.country", "spec.endpoint"),
		applier("billing", `spec.holds[="billing"]`),
		applier("audit", `spec.holds[="audit"]`),
	}, ownersOf(t, north))

	// A server records the subresource.
	for i := range north.ManagedFields {
		north.ManagedFields[i].Subresource = "holds"
	}
	extracted, err := fleetac.ExtractRegionHolds(north, "audit")
	require.NoError(t, err)
	assert.Equal(t, fleetac.Region("north").WithSpec(fleetac.RegionSpec().WithHolds("audit")), extracted)
}
