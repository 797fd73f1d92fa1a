//doctest:module examples
package block

import (
	"context"

	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	"k8s.io/client-go/kubernetes"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

type reconciler struct {
	kube       kubernetes.Interface
	writer     controller.Writer
	controller *fleetv1controllers.WorkloadController
}

func desiredDeployments(*fleetv1.Workload) []*appsv1apply.DeploymentApplyConfiguration { return nil }

func (r *reconciler) sync(ctx context.Context, workload *fleetv1.Workload) error {
	// BLOCK
	return err
}
