package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/workloads"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// clientsOf returns clients with separate connections, which the server attributes to a controller.
func clientsOf(t *testing.T, config *rest.Config) (versioned.Interface, kubernetes.Interface) {
	t.Helper()
	config.UserAgent = controllerAgent
	httpClient, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	t.Cleanup(httpClient.CloseIdleConnections)
	client, err := versioned.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	kube, err := kubernetes.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	return client, kube
}

// TestControllersAdoptNothing creates a handwritten deployment with the name that a workload needs. It survives the workload and
// garbage collection; the next workload gets the name when the deployment is gone.
func TestControllersAdoptNothing(t *testing.T) {
	t.Parallel()
	c := start(t, apiservertest.Options{})
	world := startWorld(t, c)
	name := cache.NewObjectName(namespace, "legacy")
	theirs := newStrangers(world.kube)
	require.NoError(t, theirs.come(t.Context(), name))

	client, kube := clientsOf(t, c.Config())
	recorder := events.NewFakeRecorder(100)
	running, err := workloads.NewController(client, kube, recorder)
	require.NoError(t, err)
	background(t, running.Run)
	workloads := c.client.FleetV1().Workloads(namespace)
	wanted := wish{image: "image:1", tier: "tier-1", replicas: 1}
	ready := func() metav1.Condition {
		object, err := workloads.Get(t.Context(), name.Name, metav1.GetOptions{})
		require.NoError(t, err)
		condition := meta.FindStatusCondition(object.Status.Conditions, fleetv1.ConditionReady)
		if condition == nil {
			return metav1.Condition{}
		}
		return *condition
	}
	for _, round := range []string{"first", "second"} {
		_, err = workloads.Create(t.Context(), wanted.object(name), metav1.CreateOptions{})
		require.NoError(t, err)
		eventually(t, func() bool { return ready().Reason == controller.ReasonNameTaken }, "the %s workload says why it is not ready", round)
		assert.Equal(t, "Deployment "+name.String()+" exists and has no controller", ready().Message)
		theirs.check(t)
		if round == "first" {
			require.NoError(t, workloads.Delete(t.Context(), name.Name, metav1.DeleteOptions{}))
			eventually(t, func() bool {
				_, err := workloads.Get(t.Context(), name.Name, metav1.GetOptions{})
				return controller.IsNotFound(err)
			}, "it is gone")
			// Objects owned by the workload are collected. The deployment is not.
			eventually(t, func() bool {
				revisions, err := c.client.FleetV1().WorkloadRevisions(namespace).List(t.Context(), metav1.ListOptions{})
				return err == nil && len(revisions.Items) == 0
			}, "its revisions are collected")
			theirs.check(t)
		}
	}
	var told []string
	for len(recorder.Events) > 0 {
		told = append(told, <-recorder.Events)
	}
	taken := func(event string) bool {
		return strings.HasPrefix(event, "Warning NameTaken Deployment "+name.String())
	}
	assert.True(t, slices.ContainsFunc(told, taken), "%q", told)

	theirs.leave(t)
	world.settles(t, map[cache.ObjectName]wish{name: wanted})
}

// brood is a reconciler that maintains exactly one revision for each workload, with a generated name.
type brood struct {
	client     versioned.Interface
	controller *fleetv1controllers.WorkloadController
}

func (b *brood) Reconcile(ctx context.Context, workload *fleetv1.Workload) (controller.Result, error) {
	owned, err := b.controller.OwnedWorkloadRevisions(workload)
	if err != nil || len(owned) > 0 {
		return controller.Result{}, err
	}
	child, err := b.client.FleetV1().WorkloadRevisions(workload.Namespace).Create(ctx, &fleetv1.WorkloadRevision{
		ObjectMeta: metav1.ObjectMeta{
			GenerateName:    workload.Name + "-",
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(workload, fleetv1controllers.WorkloadKind)},
		},
		Revision: 1,
		Template: workload.Spec.Template,
	}, metav1.CreateOptions{})
	if err == nil {
		controller.Wrote(ctx, child)
	}
	return controller.Result{}, err
}

func (b *brood) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }
func (b *brood) Finalize(context.Context, *fleetv1.Workload) error        { return nil }

// TestControllersReadTheirOwnWrites changes workloads repeatedly while all watches of the controller lag. In the end, each has
// one child, although no fixed name prevents the controller from creating more.
func TestControllersReadTheirOwnWrites(t *testing.T) {
	t.Parallel()
	c := start(t, apiservertest.Options{})
	c.Faults.Add(faults.Rule{Verbs: []string{"watch"}, Match: fromController, Do: faults.Lag(watchLag)})
	client, kube := clientsOf(t, c.Config())
	reconciler := &brood{client: client}
	var err error
	reconciler.controller, err = fleetv1controllers.NewWorkloadController(client, kube, reconciler)
	require.NoError(t, err)
	background(t, reconciler.controller.Run)

	const objects, changes = 50, 10
	workloads := c.client.FleetV1().Workloads(namespace)
	for i := range objects {
		_, err := workloads.Create(t.Context(), workload(fmt.Sprint("w", i)), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	pace := time.NewTicker(watchLag / changes)
	defer pace.Stop()
	for range 2 * changes {
		<-pace.C
		for i := range objects {
			reconciler.controller.Enqueue(cache.NewObjectName(namespace, fmt.Sprint("w", i)))
		}
	}
	count := func() map[string]int {
		revisions, err := c.client.FleetV1().WorkloadRevisions(namespace).List(t.Context(), metav1.ListOptions{})
		require.NoError(t, err)
		counts := map[string]int{}
		for _, revision := range revisions.Items {
			counts[metav1.GetControllerOf(&revision).Name]++
		}
		return counts
	}
	eventually(t, func() bool { return len(count()) == objects }, "all have a child")
	for name, children := range count() {
		assert.Equal(t, 1, children, name)
	}
}
