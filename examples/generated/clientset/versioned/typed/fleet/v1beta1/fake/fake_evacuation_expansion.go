package fake

import (
	"context"

	"k8s.io/client-go/testing"

	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
)

// Evacuate records the action that the real client would send, and lets reactors answer it.
func (c *fakeEvacuations) Evacuate(_ context.Context, evacuation *fleetv1beta1.Evacuation) error {
	workloads := fleetv1beta1.SchemeGroupVersion.WithResource("workloads")
	action := testing.NewCreateSubresourceAction(workloads, evacuation.Name, "evacuation", c.Namespace(), evacuation)
	_, err := c.Fake.Invokes(action, &fleetv1beta1.Evacuation{})
	return err
}
