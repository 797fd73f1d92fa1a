// Package workloads exports the controller of workloads to programs outside of the examples, which cannot import its internal
// package: tests that run it in their own process.
package workloads

import (
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/events"

	clientset "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/internal/controller/workload"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// NewController returns a controller for workloads, which does nothing before Run. Options are added to the required ones.
func NewController(client clientset.Interface, kube kubernetes.Interface, recorder events.EventRecorder, options ...controller.Option) (*fleetv1controllers.WorkloadController, error) {
	return workload.New(client, kube, recorder, options...)
}
