package v1beta1

import (
	"context"

	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
)

// EvacuationExpansion has the methods of EvacuationInterface that are written by hand.
type EvacuationExpansion interface {
	// Evacuate posts the evacuation to the workload of its name.
	Evacuate(ctx context.Context, evacuation *fleetv1beta1.Evacuation) error
}

// Evacuate implements EvacuationExpansion. No tag can describe this request: it goes to a subresource of another kind.
func (c *evacuations) Evacuate(ctx context.Context, evacuation *fleetv1beta1.Evacuation) error {
	return c.GetClient().Post().
		Namespace(c.GetNamespace()).
		Resource("workloads").
		Name(evacuation.Name).
		SubResource("evacuation").
		Body(evacuation).
		Do(ctx).
		Error()
}
