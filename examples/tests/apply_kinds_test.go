package tests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration"
	edgeac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/edge/v1alpha1"
	fleetac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	fleetbetaac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1beta1"
	clientscheme "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/scheme"
)

// TestForKind looks up apply configurations by kind.
func TestForKind(t *testing.T) {
	for kind, want := range map[schema.GroupVersionKind]any{
		fleetV1.WithKind("Workload"):         &fleetac.WorkloadApplyConfiguration{},
		fleetV1.WithKind("WorkloadTemplate"): &fleetac.WorkloadTemplateApplyConfiguration{},
		fleetV1.WithKind("Chassis"):          &fleetac.ChassisApplyConfiguration{},
		fleetV1beta1.WithKind("Workload"):    &fleetbetaac.WorkloadApplyConfiguration{},
		edgeV1alpha1.WithKind("Relay"):       &edgeac.RelayApplyConfiguration{},
	} {
		assert.IsType(t, want, applyconfiguration.ForKind(kind), kind)
	}
	assert.Nil(t, applyconfiguration.ForKind(fleetV1.WithKind("Alarm")), "it is read only")
	assert.Nil(t, applyconfiguration.ForKind(fleetV1.WithKind("Nothing")))
}

// TestTypeConverterKnowsEveryAppliedKind converts registered objects to typed values and back.
func TestTypeConverterKnowsEveryAppliedKind(t *testing.T) {
	converter := applyconfiguration.NewTypeConverter(clientscheme.Scheme)
	converted := 0
	for kind, object := range registered {
		if applyconfiguration.ForKind(kind) == nil {
			continue
		}
		converted++
		object := object.DeepCopyObject()
		object.GetObjectKind().SetGroupVersionKind(kind)
		typed, err := converter.ObjectToTyped(object)
		require.NoError(t, err, kind)
		back, err := converter.TypedToObject(typed)
		require.NoError(t, err, kind)
		assert.Equal(t, kind, back.GetObjectKind().GroupVersionKind())
	}
	assert.Equal(t, 12, converted)
	_, err := applyconfiguration.NewTypeConverter(scheme.Scheme).ObjectToTyped(workload("shop", "web", nil))
	assert.Error(t, err, "an object that does not say of which kind it is")
}
