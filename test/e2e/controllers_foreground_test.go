package e2e

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// mirror is a reconciler without a finalizer that maintains a deployment for each workload, and a status.
type mirror struct {
	client versioned.Interface
	kube   kubernetes.Interface
	owned  *controller.Owned[*appsv1.Deployment]
}

func (m *mirror) Reconcile(ctx context.Context, workload *fleetv1.Workload) (controller.Result, error) {
	child := stranger(cache.MetaObjectToName(workload))
	writer := controller.Writer{Owner: fleetv1controllers.WorkloadKind, FieldManager: "mirror"}
	err := controller.Sync(ctx, writer, workload, m.owned.By, controller.Create(m.kube.AppsV1().Deployments, []*appsv1.Deployment{child}))
	if err != nil {
		return controller.Result{}, err
	}
	before := workload.DeepCopy()
	workload.Status.Replicas++ // each reconcile writes
	_, err = fleetv1controllers.UpdateWorkloadStatus(ctx, m.client, before, workload)
	if controller.IsNotFound(err) {
		err = nil
	}
	return controller.Result{}, err
}

func (m *mirror) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// TestControllersLetForegroundDeletionEnd deletes workloads in the foreground: the garbage collector deletes their deployments first,
// and the controller must not create them again.
func TestControllersLetForegroundDeletionEnd(t *testing.T) {
	t.Parallel()
	c := start(t, apiservertest.Options{})
	client, kube := clientsOf(t, c.Config())
	reconciler := &mirror{client: client, kube: kube}
	running, err := controller.New(externalversions.FleetV1WorkloadSource(client), reconciler)
	require.NoError(t, err)
	reconciler.owned, err = controller.Own(running,
		informer.Namespaced(kube, appsv1.SchemeGroupVersion.WithResource("deployments"), kube.AppsV1().Deployments))
	require.NoError(t, err)
	background(t, running.Run)

	const count = 20
	deployments := kube.AppsV1().Deployments(namespace)
	events, err := deployments.Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	defer events.Stop()
	workloads := c.client.FleetV1().Workloads(namespace)
	for n := range count {
		name := cache.NewObjectName(namespace, "mirrored-"+strconv.Itoa(n))
		_, err := workloads.Create(t.Context(), wish{image: "image:1", tier: "tier-1", replicas: 1}.object(name), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	eventually(t, func() bool {
		list, err := deployments.List(t.Context(), metav1.ListOptions{})
		return err == nil && len(list.Items) == count
	}, "each workload has a deployment")
	require.NoError(t, workloads.DeleteCollection(t.Context(),
		metav1.DeleteOptions{PropagationPolicy: ptr.To(metav1.DeletePropagationForeground)}, metav1.ListOptions{}))
	eventually(t, func() bool {
		list, err := workloads.List(t.Context(), metav1.ListOptions{})
		return err == nil && len(list.Items) == 0
	}, "the workloads are gone")

	added := 0
	for gone := 0; gone < count; {
		switch event := <-events.ResultChan(); event.Type {
		case watch.Added:
			added++
		case watch.Deleted:
			gone++
		case watch.Modified, watch.Bookmark, watch.Error:
		}
	}
	list, err := deployments.List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	assert.Empty(t, list.Items, "none came again")
	assert.Equal(t, count, added)
}
