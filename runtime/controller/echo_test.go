package controller

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	kubefake "k8s.io/client-go/kubernetes/fake"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration"
	fleetv1apply "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/scheme"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// strictRig is a rig whose objects have resource versions.
func strictRig(t *testing.T, s *steps, objects ...*fleetv1.Workload) *rig {
	t.Helper()
	client, kube, server := fake.NewClientset(), kubefake.NewClientset(), strictfake.NewServer()
	require.NoError(t, server.Serve(client, scheme.Scheme, applyconfiguration.NewTypeConverter(scheme.Scheme)))
	for _, object := range objects {
		require.NoError(t, server.Add(object))
	}
	c, err := newWorkloadController(client, kube, s)
	require.NoError(t, err)
	return &rig{steps: s, client: client, kube: kube, controller: c, context: t.Context(), done: make(chan error, 1)}
}

// ready sets the condition Ready from an error.
func ready(object *fleetv1.Workload, err error) {
	condition := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Reconciled"}
	if err != nil {
		condition = metav1.Condition{Type: "Ready", Status: metav1.ConditionFalse, Reason: ReasonOf(err), Message: err.Error()}
	}
	SetCondition(object, &object.Status.Conditions, condition)
}

// TestVaryingErrorsBackOff has errors with a port in the condition: each is a new status, whose event must not end the backoff.
func TestVaryingErrorsBackOff(t *testing.T) {
	options := metav1.ApplyOptions{FieldManager: "us", Force: true}
	for name, write := range map[string]func(context.Context, *rig, *fleetv1.Workload, error) error{
		"update": func(ctx context.Context, r *rig, object *fleetv1.Workload, err error) error {
			before := object.DeepCopy()
			ready(object, err)
			return ignoreResult(UpdateStatus(ctx, r.client.FleetV1().Workloads("shop"), before, object))
		},
		"apply": func(ctx context.Context, r *rig, object *fleetv1.Workload, err error) error {
			status := fleetv1apply.Workload(object.Name, object.Namespace).WithStatus(fleetv1apply.WorkloadStatus().WithSelector(err.Error()))
			apply := StatusOf(r.client.FleetV1().Workloads("shop"), fleetv1apply.ExtractWorkloadStatus)
			return ignoreResult(apply.Apply(ctx, object, status, options))
		},
	} {
		for _, terminal := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " terminal ", terminal), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &steps{}
					var calls atomic.Int64
					r := strictRig(t, s, held("web"), workload("shop", "db", nil))
					s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
						call := int(calls.Add(1))
						if call > 1000 {
							return Result{}, nil // otherwise, a bubble would never end
						}
						err := errors.New("read tcp 10.1.2.3:" + strconv.Itoa(40_000+call) + ": connection reset by peer")
						if terminal {
							err = TerminalError(err)
						}
						return Result{}, errors.Join(err, write(ctx, r, object, err))
					}
					r.run(t)
					time.Sleep(5 * time.Second)
					reconciled := len(s.take())
					if terminal {
						assert.Equal(t, 2, reconciled, "once for each object")
					} else {
						assert.LessOrEqual(t, reconciled, 2*11, "5 ms · 2¹⁰ > 5 s")
						assert.Greater(t, reconciled, 2*5)
					}
					require.NoError(t, ignoreResult(r.client.FleetV1().Workloads("shop").Patch(t.Context(), "web",
						types.MergePatchType, []byte(`{"spec":{"paused":true}}`), metav1.PatchOptions{})))
					assert.Contains(t, s.take(), "reconcile web", "a change of somebody else")
				})
			})
		}
	}
}

// TestControllerStatusWithoutAVersion writes a status unconditionally: the event may have a change of somebody else.
func TestControllerStatusWithoutAVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &steps{}
		r := strictRig(t, s, held("web"))
		s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
			patch := []byte(`{"status":{"replicas":3}}`)
			written, err := r.client.FleetV1().Workloads("shop").Patch(ctx, object.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
			return Result{}, Record(ctx, object, written, err)
		}
		r.run(t)
		assert.Equal(t, []string{"reconcile web", "reconcile web"}, s.take())
	})
}

// TestFinalizerAndStatusCauseNoReconcile reconciles a new object once, although it gets the finalizer and a status.
func TestFinalizerAndStatusCauseNoReconcile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &steps{}
		r := strictRig(t, s, workload("shop", "web", nil))
		s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
			before := object.DeepCopy()
			object.Status.Replicas = 3
			return Result{}, ignoreResult(UpdateStatus(ctx, r.client.FleetV1().Workloads("shop"), before, object))
		}
		r.run(t)
		assert.Equal(t, []string{"reconcile web"}, s.take())
		assert.Zero(t, r.controller.writes.Echoes.Len(), "both events have come")
		r.delete(t, workload("shop", "web", nil))
		assert.Equal(t, []string{"finalize web", "deleted shop/web"}, s.take())
		assert.Zero(t, r.controller.writes.Echoes.Len())
	})
}
