package webhooks

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/conversiontest"
)

// TestNothingIsLost converts random workloads to the other version and back.
func TestNothingIsLost(t *testing.T) {
	scheme := runtime.NewScheme()
	require.NoError(t, scheme.AddConversionFunc((*fleetv1.Workload)(nil), (*fleetv1beta1.Workload)(nil),
		func(from, to any, _ conversion.Scope) error {
			return toV1beta1(context.Background(), from.(*fleetv1.Workload), to.(*fleetv1beta1.Workload))
		}))
	require.NoError(t, scheme.AddConversionFunc((*fleetv1beta1.Workload)(nil), (*fleetv1.Workload)(nil),
		func(from, to any, _ conversion.Scope) error {
			return fromV1beta1(context.Background(), from.(*fleetv1beta1.Workload), to.(*fleetv1.Workload))
		}))
	conversiontest.RoundTrip[fleetv1.Workload, fleetv1beta1.Workload](t, conversiontest.WithScheme(scheme))
}
