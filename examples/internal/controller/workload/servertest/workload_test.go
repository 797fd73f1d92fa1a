// Package servertest runs the controller for workloads against an API server. Each case of TestReconcile corresponds to the case
// with the same name in ../reconciler_test.go, which uses fake clientsets. It is a separate module, so that the controller's
// module does not depend on the libraries of the API server.
package servertest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	reconciler "github.com/informer-gen-lite/informer-gen-lite/examples/internal/controller/workload"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

var server *apiservertest.Server

func TestMain(m *testing.M) {
	apiservertest.Main(m, &server, apiservertest.Options{
		CRDPaths:     []string{"../../../../config/crd"},
		AnyNamespace: true, // fleet-system need not exist
	})
}

// sample returns a workload as users write it.
func sample() *fleetv1.Workload {
	return &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: fleetv1.WorkloadSpec{
		Replicas: ptr.To[int32](3), RegionName: "north", Template: fleetv1.WorkloadTemplate{Image: "web:1"},
	}}
}

// world is a controller running against an API server.
type world struct {
	client    *versioned.Clientset
	kube      *kubernetes.Clientset
	namespace string
}

// newWorld runs the controller until the test ends.
func newWorld(t *testing.T) *world {
	t.Helper()
	config := server.Config()
	w := &world{versioned.NewForConfigOrDie(config), kubernetes.NewForConfigOrDie(config), server.Namespace(t)}
	c, err := reconciler.New(w.client, w.kube, &events.FakeRecorder{}, controller.WithInformers(informer.WithNamespaces(w.namespace, "fleet-system")))
	require.NoError(t, err)
	done := make(chan error)
	go func() { done <- c.Run(t.Context()) }()
	t.Cleanup(func() { assert.NoError(t, <-done) })
	return w
}

// TestReconcile waits until the controller has reconciled a workload. It then changes something, waits again, and checks the
// result.
func TestReconcile(t *testing.T) {
	addRegion(t, "north")
	tests := map[string]struct {
		change func(*testing.T, *world)
		done   func(*fleetv1.Workload) bool
		check  func(*testing.T, *world, *fleetv1.Workload)
	}{
		"template changes": {
			change: func(t *testing.T, w *world) {
				w.edit(t, func(workload *fleetv1.Workload) { workload.Spec.Template.Image = "web:2" })
			},
			done: func(workload *fleetv1.Workload) bool { return workload.Status.ObservedGeneration == 2 },
			check: func(t *testing.T, w *world, workload *fleetv1.Workload) {
				assert.Equal(t, int64(2), workload.Status.CurrentRevision)
				assert.Equal(t, []string{"web-1 web:1", "web-2 web:2"}, w.revisions(t))
				assert.Equal(t, "web:2", w.deployment(t).Spec.Template.Spec.Containers[0].Image)
				assert.Equal(t, "2", w.deployment(t).Labels[fleetv1.RevisionLabel])
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			workload, err := w.client.FleetV1().Workloads(w.namespace).Create(t.Context(), sample(), metav1.CreateOptions{})
			require.NoError(t, err)
			w.wait(t, workload, func(workload *fleetv1.Workload) bool { return workload.Status.ObservedGeneration == 1 })
			test.change(t, w)
			test.check(t, w, w.wait(t, workload, test.done))
		})
	}
}

func addRegion(t *testing.T, name string) {
	t.Helper()
	region := &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: name}}
	region.Spec = fleetv1.RegionSpec{Endpoint: "https://" + name + ".example.com", Country: "SE"}
	_, err := versioned.NewForConfigOrDie(server.Config()).FleetV1().Regions().Create(t.Context(), region, metav1.CreateOptions{})
	require.NoError(t, err)
}

// wait returns the workload as soon as the condition holds for a version after the given one.
func (w *world) wait(t *testing.T, workload *fleetv1.Workload, done func(*fleetv1.Workload) bool) *fleetv1.Workload {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	watcher, err := w.client.FleetV1().Workloads(w.namespace).Watch(ctx, metav1.SingleObject(workload.ObjectMeta))
	require.NoError(t, err)
	defer watcher.Stop()
	latest := workload
	for event := range watcher.ResultChan() {
		if latest = event.Object.(*fleetv1.Workload); done(latest) {
			return latest
		}
	}
	require.FailNow(t, "the condition did not hold in time", "%+v", latest)
	return nil
}

// edit changes the workload.
func (w *world) edit(t *testing.T, change func(*fleetv1.Workload)) {
	t.Helper()
	workload, err := w.client.FleetV1().Workloads(w.namespace).Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	change(workload)
	_, err = w.client.FleetV1().Workloads(w.namespace).Update(t.Context(), workload, metav1.UpdateOptions{})
	require.NoError(t, err)
}

func (w *world) deployment(t *testing.T) *appsv1.Deployment {
	t.Helper()
	deployment, err := w.kube.AppsV1().Deployments(w.namespace).Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	return deployment
}

// revisions returns names and images of all revisions.
func (w *world) revisions(t *testing.T) []string {
	t.Helper()
	list, err := w.client.FleetV1().WorkloadRevisions(w.namespace).List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	var all []string
	for _, revision := range list.Items {
		all = append(all, revision.Name+" "+revision.Template.Image)
	}
	return all
}
