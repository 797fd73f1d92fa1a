package region

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/controllertest"
)

func region(name string) *fleetv1.Region {
	return &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: name, Generation: 1}}
}

func workload(namespace, name, region string) *fleetv1.Workload {
	return &fleetv1.Workload{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Generation: 1},
		Spec:       fleetv1.WorkloadSpec{RegionName: region},
	}
}

// TestOneReconcile reconciles a region once.
func TestOneReconcile(t *testing.T) {
	for name, test := range map[string]struct {
		workloads []runtime.Object
		want      int32
	}{
		"no workloads":   {want: 0},
		"one workload":   {[]runtime.Object{workload("shop", "web", "north")}, 1},
		"all namespaces": {[]runtime.Object{workload("shop", "web", "north"), workload("bank", "web", "north")}, 2},
		"other regions":  {[]runtime.Object{workload("shop", "web", "south"), workload("shop", "db", "north")}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			client := fake.NewStrictClientset()
			env := controllertest.New(t, client)
			got := controllertest.Reconcile(env, func() (*fleetv1controllers.RegionController, error) {
				return New(client, env.Recorder)
			}, region("north"), test.workloads...)
			require.NoError(t, got.Err)
			assert.Zero(t, got.Result)
			assert.Equal(t, test.want, got.Object.Status.Workloads)
			assert.True(t, meta.IsStatusConditionTrue(got.Object.Status.Conditions, fleetv1.ConditionReady))
			assert.Equal(t, []string{"update regions/status north"}, controllertest.Lines(got.Writes))
			assert.Empty(t, got.Events)
		})
	}
}

// TestWorkloadsWakeTheirRegions runs the controller and changes workloads.
func TestWorkloadsWakeTheirRegions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewStrictClientset(region("north"), region("south"))
		ctx, cancel := context.WithCancel(t.Context())
		c, err := New(client, &events.FakeRecorder{})
		require.NoError(t, err)
		ended := make(chan error)
		go func() { ended <- c.Run(ctx) }()
		workloads := client.FleetV1().Workloads("shop")
		counts := func(north, south int32) {
			t.Helper()
			synctest.Wait()
			for name, want := range map[string]int32{"north": north, "south": south} {
				got, err := client.FleetV1().Regions().Get(ctx, name, metav1.GetOptions{})
				require.NoError(t, err)
				assert.Equal(t, want, got.Status.Workloads, name)
				assert.NotEmpty(t, got.Status.Conditions, "it was reconciled")
			}
		}
		counts(0, 0)

		web, err := workloads.Create(ctx, workload("shop", "web", "north"), metav1.CreateOptions{})
		require.NoError(t, err)
		counts(1, 0)

		_, err = workloads.Create(ctx, workload("shop", "db", "north"), metav1.CreateOptions{})
		require.NoError(t, err)
		counts(2, 0)

		web.Spec.RegionName = "south" // API servers refuse this; recreated while a watch is broken, it looks the same
		_, err = workloads.Update(ctx, web, metav1.UpdateOptions{})
		require.NoError(t, err)
		counts(1, 1)

		require.NoError(t, workloads.Delete(ctx, "web", metav1.DeleteOptions{}))
		counts(1, 0)

		_, err = workloads.Create(ctx, workload("shop", "web", "west"), metav1.CreateOptions{})
		require.NoError(t, err)
		_, err = client.FleetV1().Regions().Create(ctx, region("west"), metav1.CreateOptions{})
		require.NoError(t, err)
		counts(1, 0)
		west, err := client.FleetV1().Regions().Get(ctx, "west", metav1.GetOptions{})
		require.NoError(t, err)
		assert.Equal(t, int32(1), west.Status.Workloads, "it was named before it existed")

		cancel()
		require.NoError(t, <-ended)
	})
}
