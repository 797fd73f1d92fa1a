package controller

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

func TestControllerTellsPanicHandlers(t *testing.T) {
	var told []any
	handlers := utilruntime.PanicHandlers
	defer func() { utilruntime.PanicHandlers = handlers }()
	utilruntime.PanicHandlers = append(slices.Clip(handlers), func(_ context.Context, reason any) { told = append(told, reason) })
	s := &steps{reconcile: func(context.Context, *fleetv1.Workload) (Result, error) {
		if len(told) < 2 {
			panic("a mistake") //nolint:forbidigo // a reconciler may panic
		}
		return Result{}, nil
	}}
	var metrics tally
	bubble(t, s, []Option{WithMetrics(&metrics)}, func(t *testing.T, _ *rig) {
		idle(time.Minute)
		assert.Equal(t, []any{"a mistake", "a mistake"}, told)
		name := "workloads.fleet.example.com"
		assert.Equal(t, []string{name + " panicked", name + " error 0s", name + " panicked", name + " error 0s", name + " success 0s"}, metrics.take())
	}, held("web"))
}

// TestControllerTracer passes the context of the tracer to the reconciler, and tells it what came of the reconcile.
func TestControllerTracer(t *testing.T) {
	type spanKey struct{}
	var ids []string
	s := &steps{}
	s.reconcile = func(ctx context.Context, _ *fleetv1.Workload) (Result, error) {
		s.note("in %v", ctx.Value(spanKey{}))
		if len(ids) == 1 {
			return Result{}, errBroken
		}
		return Result{}, nil
	}
	tracer := WithTracer(func(ctx context.Context, a Attempt) (context.Context, func(Outcome, error)) {
		ids = append(ids, a.ID)
		s.note("start %s %s", a.Controller, a.Object)
		return context.WithValue(ctx, spanKey{}, len(ids)), func(outcome Outcome, err error) { s.note("end %s %v", outcome, err) }
	})
	bubble(t, s, []Option{tracer}, func(t *testing.T, r *rig) {
		idle(time.Minute)
		start := "start workloads.fleet.example.com shop/web"
		assert.Equal(t, []string{start, "reconcile web", "in 1", "end error broken", start, "reconcile web", "in 2", "end success <nil>"}, r.take())
		require.Len(t, ids, 2)
		assert.NotEqual(t, ids[0], ids[1])
	}, held("web"))
}

func TestControllerPanicIsAnError(t *testing.T) {
	calls := 0
	s := &steps{reconcile: func(_ context.Context, object *fleetv1.Workload) (Result, error) {
		if calls++; object.Name == "web" && calls < 3 {
			panic("a mistake") //nolint:forbidigo // a reconciler may panic
		}
		return Result{}, nil
	}}
	bubble(t, s, []Option{WithWorkers(1)}, func(t *testing.T, r *rig) {
		idle(time.Hour)
		r.create(t, held("db"))
		assert.Equal(t, []string{"reconcile web", "reconcile web", "reconcile web", "reconcile db"}, r.take(), "the worker goes on")
	}, held("web"))
}

func TestControllerItemTimeout(t *testing.T) {
	s := &steps{}
	s.reconcile = func(ctx context.Context, _ *fleetv1.Workload) (Result, error) {
		<-ctx.Done()
		return Result{}, ctx.Err()
	}
	var given error
	options := []Option{
		WithItemTimeout(time.Minute), WithMaxRetries(1),
		WithGaveUp(func(_ context.Context, _ cache.ObjectName, err error) { given = err }),
	}
	bubble(t, s, options, func(t *testing.T, r *rig) {
		idle(3 * time.Minute)
		assert.Len(t, r.take(), 2)
		assert.ErrorIs(t, given, context.DeadlineExceeded)
	}, held("web"))
}

func TestControllerRequeues(t *testing.T) {
	var metrics tally
	rounds := 0
	s := &steps{reconcile: func(context.Context, *fleetv1.Workload) (Result, error) {
		if rounds++; rounds == 3 {
			return Result{}, nil
		}
		return Result{RequeueAfter: time.Hour}, nil
	}}
	bubble(t, s, []Option{WithMetrics(&metrics)}, func(t *testing.T, r *rig) {
		idle(59 * time.Minute)
		assert.Len(t, r.take(), 1)
		idle(24 * time.Hour)
		assert.Len(t, r.take(), 2)
		assert.Equal(t, []string{
			"workloads.fleet.example.com requeue 0s", "workloads.fleet.example.com requeue 0s", "workloads.fleet.example.com success 0s",
		}, metrics.take())
	}, held("web"))
}

func TestControllerRetriesDeletions(t *testing.T) {
	s := &steps{}
	tries := 0
	s.deleted = func(context.Context, cache.ObjectName) error {
		if tries++; tries == 1 {
			return errBroken
		}
		return nil
	}
	bubble(t, s, nil, func(t *testing.T, r *rig) {
		r.take()
		r.delete(t, held("web"))
		idle(time.Minute)
		assert.Equal(t, []string{"deleted shop/web", "deleted shop/web"}, r.take())
	}, held("web"))
}

func TestControllerRateLimiter(t *testing.T) {
	a := failing(errBroken)
	slow := workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](time.Hour, time.Hour)
	bubble(t, &a.steps, []Option{WithRateLimiter(slow)}, func(t *testing.T, r *rig) {
		idle(59 * time.Minute)
		assert.Len(t, r.take(), 1)
		idle(2 * time.Minute)
		synctest.Wait()
		require.Len(t, a.times, 2)
		assert.Equal(t, time.Hour, a.times[1].Sub(a.times[0]))
	}, held("web"))
}
