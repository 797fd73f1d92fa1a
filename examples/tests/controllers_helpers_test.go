package tests

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
)

// Errors that informers report are only logged in these tests: the other handler delays them by a global account of time,
// which does not go with the clocks of several bubbles.
func init() { utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1] }

// steps is a reconciler of workloads that notes what it is called for. Its functions, where they are set, say what
// comes of it.
type steps struct {
	recorder
	reconcile func(context.Context, *fleetv1.Workload) (controllers.Result, error)
	deleted   func(context.Context, cache.ObjectName) error
	finalize  func(context.Context, *fleetv1.Workload) error
}

func (s *steps) Reconcile(ctx context.Context, object *fleetv1.Workload) (controllers.Result, error) {
	s.note("reconcile %s", object.Name)
	if s.reconcile == nil {
		return controllers.Result{}, nil
	}
	return s.reconcile(ctx, object)
}

func (s *steps) ReconcileDeleted(ctx context.Context, name cache.ObjectName) error {
	s.note("deleted %s", name)
	if s.deleted == nil {
		return nil
	}
	return s.deleted(ctx, name)
}

func (s *steps) Finalize(ctx context.Context, object *fleetv1.Workload) error {
	s.note("finalize %s", object.Name)
	if s.finalize == nil {
		return nil
	}
	return s.finalize(ctx, object)
}

// held returns a workload as it is once the controller has seen it: with its finalizer.
func held(name string) *fleetv1.Workload {
	object := workload("shop", name, nil)
	object.UID = types.UID("uid-of-" + name)
	object.Finalizers = []string{fleetv1.WorkloadFinalizer}
	return object
}

// deleting returns a workload that is about to be deleted.
func deleting(name string) *fleetv1.Workload {
	object := held(name)
	object.DeletionTimestamp = &metav1.Time{Time: time.Now()}
	return object
}

// deployment returns one that has the workload as its controller.
func deployment(name string, owner *fleetv1.Workload) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{
		Namespace: owner.Namespace, Name: name,
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(owner, fleetv1.SchemeGroupVersion.WithKind("Workload"))},
	}}
}

// rig is a controller at work in a synctest bubble.
type rig struct {
	*steps
	client     *fake.Clientset
	kube       *kubefake.Clientset
	controller *fleetv1controllers.WorkloadController
	// stop ends the context of Run, done has its result.
	stop context.CancelFunc
	done chan error
}

// newRig makes a controller that does not run yet.
func newRig(t *testing.T, s *steps, options []controllers.Option, objects ...*fleetv1.Workload) *rig {
	t.Helper()
	r := &rig{steps: s, client: fake.NewSimpleClientset(), kube: kubefake.NewSimpleClientset(), done: make(chan error, 1)}
	for _, object := range objects {
		require.NoError(t, r.client.Tracker().Add(object))
	}
	var err error
	r.controller, err = fleetv1controllers.NewWorkloadController(r.client, r.kube, s, options...)
	require.NoError(t, err)
	return r
}

// run starts the controller, and returns when it has come to rest.
func (r *rig) run(t *testing.T) *rig {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r.stop = cancel
	over := make(chan struct{})
	go func() {
		defer close(over)
		r.done <- r.controller.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-over
	})
	synctest.Wait()
	return r
}

// idle lets time go by in a bubble, and returns when everything has come to rest.
func idle(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// end stops the controller and returns what Run returns.
func (r *rig) end() error {
	r.stop()
	return <-r.done
}

// bubble runs a test of a controller in a synctest bubble, with the objects that there are when it starts.
func bubble(t *testing.T, s *steps, options []controllers.Option, test func(*testing.T, *rig), objects ...*fleetv1.Workload) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, newRig(t, s, options, objects...).run(t)) })
}

func (r *rig) create(t *testing.T, object *fleetv1.Workload) {
	t.Helper()
	require.NoError(t, ignoreResult(r.client.FleetV1().Workloads(object.Namespace).Create(t.Context(), object, metav1.CreateOptions{})))
}

func (r *rig) update(t *testing.T, object *fleetv1.Workload) {
	t.Helper()
	require.NoError(t, ignoreResult(r.client.FleetV1().Workloads(object.Namespace).Update(t.Context(), object, metav1.UpdateOptions{})))
}

func (r *rig) delete(t *testing.T, object *fleetv1.Workload) {
	t.Helper()
	require.NoError(t, r.client.FleetV1().Workloads(object.Namespace).Delete(t.Context(), object.Name, metav1.DeleteOptions{}))
}

// tally notes the metrics of a controller.
type tally struct {
	lock  sync.Mutex
	lines []string
}

func (m *tally) Reconciled(controller string, outcome controllers.Outcome, took time.Duration) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.lines = append(m.lines, fmt.Sprintf("%s %s %v", controller, outcome, took))
}

func (m *tally) GaveUp(controller string) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.lines = append(m.lines, controller+" gave up")
}

func (m *tally) take() []string {
	synctest.Wait()
	m.lock.Lock()
	defer m.lock.Unlock()
	taken := m.lines
	m.lines = nil
	return taken
}
