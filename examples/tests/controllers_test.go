package tests

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Package controller is tested in its own module. These tests cover its connection to generated kinds.

// steps is a reconciler of workloads that records its calls.
type steps struct{ recorder }

func (s *steps) Reconcile(_ context.Context, object *fleetv1.Workload) (controller.Result, error) {
	s.note("reconcile %s %v", object.Name, object.Finalizers)
	return controller.Result{}, nil
}

func (s *steps) ReconcileDeleted(_ context.Context, name cache.ObjectName) error {
	s.note("deleted %s", name)
	return nil
}

func (s *steps) Finalize(_ context.Context, object *fleetv1.Workload) error {
	s.note("finalize %s", object.Name)
	return nil
}

// held returns a workload with a UID and the finalizer of its controller.
func held(name string) *fleetv1.Workload {
	object := workload("shop", name, nil)
	object.UID = "uid-of-web"
	object.Finalizers = []string{fleetv1.WorkloadFinalizer}
	return object
}

// controlledBy returns the metadata of an object whose controller is the workload.
func controlledBy(owner *fleetv1.Workload, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: owner.Namespace, Name: name,
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(owner, fleetv1controllers.WorkloadKind)},
	}
}

// startController runs a controller in a bubble, and returns a function that stops it.
func startController(t *testing.T, run func(context.Context) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	synctest.Wait()
	return func() {
		cancel()
		assert.NoError(t, <-done)
	}
}

func TestControllerWiring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fresh := held("web")
		fresh.Finalizers = nil
		client, kube, s := fake.NewSimpleClientset(fresh), kubefake.NewClientset(), &steps{}
		c, err := fleetv1controllers.NewWorkloadController(client, kube, s, controller.WithInformers(informer.WithNamespaces("shop")))
		require.NoError(t, err)
		defer startController(t, c.Run)()
		assert.Equal(t, "reconcile web [fleet.example.com/workload-cleanup]", s.take()[0], "the finalizer comes first")
		for _, action := range append(client.Actions(), kube.Actions()...) {
			if action.GetResource().Resource != "regions" { // which have no namespace
				assert.Equal(t, "shop", action.GetNamespace(), "%v", action)
			}
		}

		deployment := &appsv1.Deployment{ObjectMeta: controlledBy(fresh, "web-1")}
		require.NoError(t, ignoreResult(kube.AppsV1().Deployments("shop").Create(t.Context(), deployment, metav1.CreateOptions{})))
		assert.Len(t, s.take(), 1)
		configMap := &corev1.ConfigMap{ObjectMeta: controlledBy(fresh, "web-config")}
		require.NoError(t, ignoreResult(kube.CoreV1().ConfigMaps("shop").Create(t.Context(), configMap, metav1.CreateOptions{})))
		assert.Len(t, s.take(), 1)
		revision := &fleetv1.WorkloadRevision{ObjectMeta: controlledBy(fresh, "web-1")}
		require.NoError(t, ignoreResult(client.FleetV1().WorkloadRevisions("shop").Create(t.Context(), revision, metav1.CreateOptions{})))
		assert.Len(t, s.take(), 1)
		deployments, err := c.OwnedDeployments(fresh)
		require.NoError(t, err)
		assert.Len(t, deployments, 1)
		configMaps, err := c.OwnedConfigMaps(fresh)
		require.NoError(t, err)
		assert.Len(t, configMaps, 1)
		revisions, err := c.OwnedWorkloadRevisions(fresh)
		require.NoError(t, err)
		assert.Equal(t, []*fleetv1.WorkloadRevision{revision}, revisions)

		leaving := held("web")
		leaving.DeletionTimestamp = &metav1.Time{Time: time.Now()}
		require.NoError(t, ignoreResult(client.FleetV1().Workloads("shop").Update(t.Context(), leaving, metav1.UpdateOptions{})))
		assert.Equal(t, []string{"finalize web"}, s.take())
		left, err := client.FleetV1().Workloads("shop").Get(t.Context(), "web", metav1.GetOptions{})
		require.NoError(t, err)
		assert.Empty(t, left.Finalizers)
	})
}

// TestControllersShareFactories runs two controllers of one kind on the caches of a generated factory.
func TestControllersShareFactories(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, kube := fake.NewSimpleClientset(held("web")), kubefake.NewClientset()
		factory, err := informers.New(client)
		require.NoError(t, err)
		defer factory.Shutdown()
		both := map[string]*steps{"one": {}, "another": {}}
		for name, s := range both {
			c, err := fleetv1controllers.NewWorkloadController(client, kube, s, controller.WithFactory(factory.Factory), controller.WithName(name))
			require.NoError(t, err)
			defer startController(t, c.Run)()
		}
		for _, s := range both {
			assert.Len(t, s.take(), 1)
		}
		assert.Len(t, client.Actions(), 6, "a list and a watch for each of three kinds")
		// Each controller also looks once for what it owns and has no label: deployments and config maps.
		assert.Len(t, kube.Actions(), 8+4, "a list and a watch for each of deployments, config maps, and the metadata of config maps and secrets")
		assert.Contains(t, factory.Fleet().V1().Workloads().Informer().GetStore().ListKeys(), "shop/web")
	})
}

func TestControllerOfClusterScopedKind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, seen := fake.NewSimpleClientset(), &regionSteps{}
		c, err := fleetv1controllers.NewRegionController(client, seen, controller.WithInformers(informer.WithNamespaces("shop")))
		require.NoError(t, err)
		defer startController(t, c.Run)()
		require.NoError(t, ignoreResult(client.FleetV1().Regions().Create(t.Context(), region("north"), metav1.CreateOptions{})))
		synctest.Wait()
		require.NoError(t, client.FleetV1().Regions().Delete(t.Context(), "north", metav1.DeleteOptions{}))
		assert.Equal(t, []string{"reconcile north", "deleted north"}, seen.take())
	})
}

type regionSteps struct{ recorder }

func (s *regionSteps) Reconcile(_ context.Context, object *fleetv1.Region) (controller.Result, error) {
	s.note("reconcile %s", object.Name)
	return controller.Result{}, nil
}

func (s *regionSteps) ReconcileDeleted(_ context.Context, name cache.ObjectName) error {
	s.note("deleted %s", name)
	return nil
}
