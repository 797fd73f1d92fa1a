package controller

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Errors that informers report are only logged in these tests: the other handler delays them by a global account of time,
// which does not go with the clocks of several bubbles.
func init() {
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1] //nolint:reassign // it is meant to be changed
}

// workloadController is wired like a generated controller.
type workloadController struct {
	*Controller[*fleetv1.Workload]
	deployments *Owned[*appsv1.Deployment]
	revisions   *Owned[*fleetv1.WorkloadRevision]
}

var workloadKind = fleetv1.SchemeGroupVersion.WithKind("Workload")

func workloadSource(client versioned.Interface) informer.Source[*fleetv1.Workload] {
	return informer.Namespaced(client, fleetv1.SchemeGroupVersion.WithResource("workloads"), client.FleetV1().Workloads)
}

func deploymentSource(kube kubernetes.Interface) informer.Source[*appsv1.Deployment] {
	return informer.Namespaced(kube, appsv1.SchemeGroupVersion.WithResource("deployments"), kube.AppsV1().Deployments)
}

func newWorkloadController(
	client versioned.Interface, kube kubernetes.Interface, s Reconciler[*fleetv1.Workload], options ...Option,
) (c *workloadController, err error) {
	c = &workloadController{}
	c.Controller, err = New(workloadSource(client), s,
		append([]Option{WithFinalizer(fleetv1.WorkloadFinalizer)}, options...)...)
	if err != nil {
		return nil, err
	}
	if c.deployments, err = Own(c.Controller, deploymentSource(kube)); err != nil {
		return nil, err
	}
	c.revisions, err = Own(c.Controller, informer.Namespaced(
		client, fleetv1.SchemeGroupVersion.WithResource("workloadrevisions"), client.FleetV1().WorkloadRevisions))
	return c, err
}

// recorder notes calls. It is for tests in a synctest bubble.
type recorder struct {
	lock  sync.Mutex
	lines []string
}

func (r *recorder) note(format string, args ...any) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

// take returns the notes since the last call, once all goroutines of the bubble are idle.
func (r *recorder) take() []string {
	synctest.Wait()
	r.lock.Lock()
	defer r.lock.Unlock()
	taken := r.lines
	r.lines = nil
	return taken
}

// workload returns a small, complete workload.
func workload(namespace, name string, labels map[string]string) *fleetv1.Workload {
	return &fleetv1.Workload{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels},
		Spec: fleetv1.WorkloadSpec{
			RegionName: "north",
			Template:   fleetv1.WorkloadTemplate{Image: "registry.example.com/" + name + ":1"},
		},
	}
}

// ignoreResult keeps the error of a call.
func ignoreResult[T any](_ T, err error) error { return err }

// steps is a reconciler of workloads that notes its calls. Functions that are set provide the results.
type steps struct {
	recorder
	reconcile func(context.Context, *fleetv1.Workload) (Result, error)
	deleted   func(context.Context, cache.ObjectName) error
	finalize  func(context.Context, *fleetv1.Workload) error
}

func (s *steps) Reconcile(ctx context.Context, object *fleetv1.Workload) (Result, error) {
	s.note("reconcile %s", object.Name)
	if s.reconcile == nil {
		return Result{}, nil
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

// held returns a workload that has the finalizer already.
func held(name string) *fleetv1.Workload {
	object := workload("shop", name, nil)
	object.UID = types.UID("uid-of-" + name)
	object.Finalizers = []string{fleetv1.WorkloadFinalizer}
	return object
}

// deleting returns a workload, web, that is being deleted.
func deleting() *fleetv1.Workload {
	object := held("web")
	object.DeletionTimestamp = &metav1.Time{Time: time.Now()}
	return object
}

// deployment returns a deployment whose controller is the workload.
func deployment(name string, owner *fleetv1.Workload) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{
		Namespace: owner.Namespace, Name: name, Labels: map[string]string{"fleet.example.com/owner-kind": "Workload"},
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(owner, workloadKind)},
	}}
}

// rig is a controller in a synctest bubble, with its fake clients.
type rig struct {
	*steps
	client     *fake.Clientset
	kube       *kubefake.Clientset
	controller *workloadController
	// context is that of Run, by default the test's.
	context context.Context
	// stop ends the context of Run; done receives its result.
	stop context.CancelFunc
	done chan error
}

// newRig returns a rig whose controller does not run yet.
func newRig(t *testing.T, s *steps, options []Option, objects ...*fleetv1.Workload) *rig {
	t.Helper()
	r := &rig{steps: s, client: fake.NewSimpleClientset(), kube: kubefake.NewSimpleClientset(), context: t.Context(), done: make(chan error, 1)}
	for _, object := range objects {
		require.NoError(t, r.client.Tracker().Add(object))
	}
	var err error
	r.controller, err = newWorkloadController(r.client, r.kube, s, options...)
	require.NoError(t, err)
	return r
}

// run starts the controller and returns when it is idle.
func (r *rig) run(t *testing.T) *rig {
	t.Helper()
	ctx, cancel := context.WithCancel(r.context)
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

// idle advances the time of the bubble and returns when all its goroutines are idle.
func idle(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// end stops the controller and returns what Run returns.
func (r *rig) end() error {
	r.stop()
	return <-r.done
}

// bubble runs a test of a running controller in a synctest bubble, with initial objects.
func bubble(t *testing.T, s *steps, options []Option, test func(*testing.T, *rig), objects ...*fleetv1.Workload) {
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

// tally collects the metrics of a controller.
type tally struct {
	NoMetrics
	lock  sync.Mutex
	lines []string
}

func (m *tally) Reconciled(controller string, outcome Outcome, took time.Duration) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.lines = append(m.lines, fmt.Sprintf("%s %s %v", controller, outcome, took))
}

func (m *tally) GaveUp(controller string, terminal bool) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.lines = append(m.lines, fmt.Sprintf("%s gave up, terminal: %t", controller, terminal))
}

func (m *tally) Panicked(controller string) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.lines = append(m.lines, controller+" panicked")
}

func (m *tally) HeldBack(controller string, waited time.Duration, stale bool) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.lines = append(m.lines, fmt.Sprintf("%s held back %v, stale: %t", controller, waited, stale))
}

func (m *tally) take() []string {
	synctest.Wait()
	m.lock.Lock()
	defer m.lock.Unlock()
	taken := m.lines
	m.lines = nil
	return taken
}

// ownedDeployments is what a generated controller has for Sync.
func (r *rig) ownedDeployments(owner *fleetv1.Workload) ([]*appsv1.Deployment, error) {
	return r.controller.deployments.By(owner)
}
