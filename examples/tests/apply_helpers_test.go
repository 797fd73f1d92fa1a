package tests

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	edgeac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/edge/v1alpha1"
	fleetac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
)

// by returns the options to apply as a field manager.
func by(manager string) metav1.ApplyOptions { return metav1.ApplyOptions{FieldManager: manager} }

// forced returns the options to apply as a field manager and take over the fields of others.
func forced(manager string) metav1.ApplyOptions {
	return metav1.ApplyOptions{FieldManager: manager, Force: true}
}

// owner is one entry in the managed fields of an object.
type owner struct {
	Manager, Subresource string
	Operation            metav1.ManagedFieldsOperationType
	// Fields are the sorted paths of the fields with a value.
	Fields string
}

// applier returns a manager that has applied fields of the resource itself.
func applier(manager string, fields ...string) owner {
	return owner{manager, "", metav1.ManagedFieldsOperationApply, strings.Join(fields, " ")}
}

// updater returns a manager that has written fields of the resource itself, other than by applying.
func updater(manager string, fields ...string) owner {
	return owner{manager, "", metav1.ManagedFieldsOperationUpdate, strings.Join(fields, " ")}
}

// through returns the owner when it writes to a subresource.
func (o owner) through(subresource string) owner {
	o.Subresource = subresource
	return o
}

// ownersOf returns the owners of fields of an object.
func ownersOf(t *testing.T, object metav1.Object) []owner {
	t.Helper()
	var owners []owner
	for _, entry := range object.GetManagedFields() {
		var set fieldpath.Set
		require.NoError(t, set.FromJSON(strings.NewReader(entry.FieldsV1.GetRawString())))
		var fields []string
		set.Leaves().Iterate(func(path fieldpath.Path) { fields = append(fields, strings.TrimPrefix(path.String(), ".")) })
		slices.Sort(fields)
		owners = append(owners, owner{entry.Manager, entry.Subresource, entry.Operation, strings.Join(fields, " ")})
	}
	return owners
}

// appliedWorkload returns an apply configuration of the workload shop/web with the spec.
func appliedWorkload(spec *fleetac.WorkloadSpecApplyConfiguration) *fleetac.WorkloadApplyConfiguration {
	return fleetac.Workload("web", "shop").WithSpec(spec)
}

// appliedRelay returns an apply configuration of the relay shop/oslo with the spec.
func appliedRelay(spec *edgeac.RelaySpecApplyConfiguration) *edgeac.RelayApplyConfiguration {
	return edgeac.Relay("oslo", "shop").WithSpec(spec)
}

// appliedChassis returns an apply configuration of a chassis with its rack.
func appliedChassis(name, rack string) *fleetac.ChassisApplyConfiguration {
	return fleetac.Chassis(name).WithSpec(fleetac.ChassisSpec().WithRack(rack))
}
