package controllers

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// attempts is a reconciler that fails as it is told, and notes when it was called.
type attempts struct {
	steps
	times []time.Time
	// errs are the results of the first calls; all later ones go well.
	errs []error
}

func failing(errs ...error) *attempts {
	a := &attempts{errs: errs}
	a.reconcile = func(context.Context, *fleetv1.Workload) (Result, error) {
		a.times = append(a.times, time.Now())
		if n := len(a.times); n <= len(a.errs) {
			return Result{}, a.errs[n-1]
		}
		return Result{}, nil
	}
	return a
}

// again repeats an error.
func again(err error, n int) []error {
	errs := make([]error, n)
	for i := range errs {
		errs[i] = err
	}
	return errs
}

var errBroken = errors.New("broken")

func TestControllerBacksOff(t *testing.T) {
	a := failing(again(errBroken, 4)...)
	var metrics tally
	bubble(t, &a.steps, []Option{WithMetrics(&metrics)}, func(t *testing.T, r *rig) {
		idle(time.Hour)
		assert.Len(t, r.take(), 5)
		wait := 5 * time.Millisecond
		for i := 1; i < len(a.times); i++ {
			took := a.times[i].Sub(a.times[i-1])
			assert.GreaterOrEqual(t, took, wait)
			assert.LessOrEqual(t, took, wait*3/2, "the jitter is half of it")
			wait *= 2
		}
		assert.Equal(t, append(strings.Split(strings.Repeat("workloads.fleet.example.com error 0s,", 4), ",")[:4],
			"workloads.fleet.example.com success 0s"), metrics.take())
	}, held("web"))
}

func TestControllerSpreadsRetries(t *testing.T) {
	a := failing(again(errBroken, 20)...)
	objects := []*fleetv1.Workload{}
	for _, name := range strings.Split("abcdefghijklmnopqrst", "") {
		objects = append(objects, held(name))
	}
	bubble(t, &a.steps, []Option{WithWorkers(1)}, func(t *testing.T, r *rig) {
		idle(time.Minute)
		require.Len(t, a.times, 40)
		distinct := map[time.Time]bool{}
		for _, at := range a.times[20:] {
			distinct[at] = true
		}
		assert.Greater(t, len(distinct), 10, "what failed together is not tried again together")
	}, objects...)
}

func TestControllerGivesUp(t *testing.T) {
	a := failing(again(errBroken, 6)...)
	var metrics tally
	recorder := events.NewFakeRecorder(1)
	var given []error
	options := []Option{
		WithName("weaver"), WithMetrics(&metrics), WithEventRecorder(recorder),
		WithGaveUp(func(_ context.Context, name cache.ObjectName, err error) {
			assert.Equal(t, cache.NewObjectName("shop", "web"), name)
			given = append(given, err)
			panic("a mistake in the callback")
		}),
	}
	bubble(t, &a.steps, options, func(t *testing.T, r *rig) {
		idle(time.Hour)
		assert.Len(t, r.take(), 6, "once, and five retries")
		assert.Equal(t, []error{errBroken}, given)
		assert.Equal(t, "Warning GaveUp broken", <-recorder.Events)
		lines := metrics.take()
		require.Len(t, lines, 7)
		assert.Equal(t, []string{"weaver gave up", "weaver gave_up 0s"}, lines[5:])

		a.errs = again(errBroken, 8)
		r.update(t, held("web"))
		idle(time.Hour)
		assert.Len(t, r.take(), 3, "when something happens, it begins anew")
		assert.Len(t, given, 1)
	}, held("web"))
}

func TestControllerNeverGivesUp(t *testing.T) {
	a := failing(again(errBroken, 30)...)
	bubble(t, &a.steps, []Option{WithMaxRetries(0)}, func(t *testing.T, r *rig) {
		idle(24 * time.Hour)
		assert.Len(t, r.take(), 31)
		longest := a.times[30].Sub(a.times[29])
		assert.GreaterOrEqual(t, longest, 5*time.Minute)
		assert.LessOrEqual(t, longest, 5*time.Minute*3/2)
	}, held("web"))
}

func TestControllerForgetsFailures(t *testing.T) {
	a := failing(again(errBroken, 5)...)
	bubble(t, &a.steps, nil, func(t *testing.T, r *rig) {
		idle(time.Hour)
		assert.Len(t, r.take(), 6)
		a.errs = append(append(a.errs, nil), again(errBroken, 5)...)
		r.update(t, held("web"))
		idle(time.Hour)
		assert.Len(t, r.take(), 6, "success resets the count")
		assert.Less(t, a.times[7].Sub(a.times[6]), 10*time.Millisecond, "and the back-off")
	}, held("web"))
}

func TestControllerTerminalError(t *testing.T) {
	a := failing(TerminalError(errBroken))
	var given error
	gaveUp := WithGaveUp(func(_ context.Context, _ cache.ObjectName, err error) { given = err })
	bubble(t, &a.steps, []Option{gaveUp}, func(t *testing.T, r *rig) {
		idle(time.Hour)
		assert.Len(t, r.take(), 1)
		assert.ErrorIs(t, given, errBroken)
	}, held("web"))
	assert.NoError(t, TerminalError(nil))
}

func TestControllerConflictsAreQuiet(t *testing.T) {
	conflict := apierrors.NewConflict(schema.GroupResource{Resource: "workloads"}, "web", errors.New("changed"))
	a := failing(again(conflict, 12)...)
	var metrics tally
	recorder := events.NewFakeRecorder(1)
	options := []Option{
		WithMetrics(&metrics), WithEventRecorder(recorder), WithMaxRetries(1),
		WithGaveUp(func(context.Context, cache.ObjectName, error) { assert.Fail(t, "conflicts do not count") }),
	}
	bubble(t, &a.steps, options, func(t *testing.T, r *rig) {
		idle(time.Hour)
		assert.Len(t, r.take(), 13)
		assert.Empty(t, recorder.Events)
		assert.Contains(t, metrics.take(), "workloads.fleet.example.com conflict 0s")
		assert.GreaterOrEqual(t, a.times[12].Sub(a.times[11]), 5*time.Second, "they back off")
	}, held("web"))
}

func TestControllerPanicIsAnError(t *testing.T) {
	calls := 0
	s := &steps{reconcile: func(_ context.Context, object *fleetv1.Workload) (Result, error) {
		if calls++; object.Name == "web" && calls < 3 {
			panic("a mistake")
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
