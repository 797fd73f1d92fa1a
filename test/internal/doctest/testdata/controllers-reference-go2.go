//doctest:module examples
package block

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
)

type reconciler struct {
	controller *fleetv1controllers.WorkloadController
}

func use(*corev1.Secret, []*fleetv1.Workload) {}

func (r *reconciler) look(ctx context.Context, workload *fleetv1.Workload, region *fleetv1.Region) error {
	// BLOCK
	use(secret, workloads)
	return err
}
