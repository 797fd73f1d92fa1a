//doctest:module examples
package block

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
)

var (
	toV1beta1   func(context.Context, *fleetv1.Workload, *fleetv1beta1.Workload) error
	fromV1beta1 func(context.Context, *fleetv1beta1.Workload, *fleetv1.Workload) error
)

// BLOCK
