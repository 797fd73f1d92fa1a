//doctest:module examples
package block

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	clientset "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/controllertest"
)

var New func(clientset.Interface, kubernetes.Interface, events.EventRecorder) (*fleetv1controllers.WorkloadController, error)

func test(t *testing.T, workload *fleetv1.Workload, region *fleetv1.Region, deployment *appsv1.Deployment) {
	// BLOCK
}
