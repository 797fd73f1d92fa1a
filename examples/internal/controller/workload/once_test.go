package workload

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/controllertest"
)

// TestOneReconcile checks the writes of one reconcile and their order.
func TestOneReconcile(t *testing.T) {
	paused, elsewhere := sample(), sample()
	paused.Spec.Paused = true
	elsewhere.Spec.RegionName = "south"
	for name, test := range map[string]struct {
		workload       *fleetv1.Workload
		writes, events []string
		waiting        string
	}{
		"new": {
			workload: sample(),
			writes: []string{
				"patch workloads shop/web",
				"apply configmaps fleet-system/shop.web",
				"create workloadrevisions shop/web-1",
				"apply configmaps shop/web-config",
				"apply deployments shop/web",
				"update workloads/status shop/web",
			},
			events: []string{
				"Normal Created Created WorkloadRevision shop/web-1",
				"Normal Created Created ConfigMap shop/web-config",
				"Normal Created Created Deployment shop/web",
				"Normal Recorded The region has a record of it",
			},
		},
		"paused": {
			workload: paused,
			writes:   []string{"patch workloads shop/web", "update workloads/status shop/web"},
		},
		"no such region": {
			workload: elsewhere,
			writes:   []string{"patch workloads shop/web", "update workloads/status shop/web"},
			waiting:  "waiting for Region south",
		},
	} {
		t.Run(name, func(t *testing.T) {
			north := &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}
			client, kube := fake.NewStrictClientset(), kubefake.NewClientset()
			env := controllertest.New(t, client, kube)
			got := controllertest.Reconcile(env, func() (*fleetv1controllers.WorkloadController, error) {
				return New(client, kube, env.Recorder)
			}, test.workload, north)
			if test.waiting == "" {
				require.NoError(t, got.Err)
			} else {
				require.EqualError(t, got.Err, test.waiting)
				assert.Equal(t, controller.ReasonWaiting, controller.ReasonOf(got.Err))
			}
			assert.Equal(t, test.writes, controllertest.Lines(got.Writes))
			assert.Equal(t, test.events, controllertest.Lines(got.Events))
			assert.Zero(t, got.Result)
		})
	}
}
