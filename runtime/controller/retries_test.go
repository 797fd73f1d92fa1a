package controller

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// attempts is a reconciler that returns the given errors and records the times of its calls.
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
	for name := range strings.SplitSeq("abcdefghijklmnopqrst", "") {
		objects = append(objects, held(name))
	}
	bubble(t, &a.steps, []Option{WithWorkers(1)}, func(t *testing.T, _ *rig) {
		idle(time.Minute)
		require.Len(t, a.times, 40)
		distinct := map[time.Time]bool{}
		for _, at := range a.times[20:] {
			distinct[at] = true
		}
		assert.Greater(t, len(distinct), 10, "what failed together is not tried again together")
	}, objects...)
}

// TestControllerGivesUp limits the retries: what is dropped comes back after the longest backoff.
func TestControllerGivesUp(t *testing.T) {
	a := failing(again(errBroken, 8)...)
	var metrics tally
	recorder := events.NewFakeRecorder(10)
	var given []error
	options := []Option{
		WithName("weaver"), WithMetrics(&metrics), WithEventRecorder(recorder), WithMaxRetries(5),
		WithGaveUp(func(_ context.Context, name cache.ObjectName, err error) {
			assert.Equal(t, cache.NewObjectName("shop", "web"), name)
			given = append(given, err)
			panic("a mistake in the callback") //nolint:forbidigo // a callback may panic
		}),
	}
	bubble(t, &a.steps, options, func(t *testing.T, r *rig) {
		idle(time.Minute)
		assert.Len(t, r.take(), 6, "once, and five retries")
		assert.Equal(t, []error{errBroken}, given)
		for range 5 {
			assert.Equal(t, "Warning ReconcileFailed broken", <-recorder.Events)
		}
		assert.Equal(t, "Warning GaveUp broken", <-recorder.Events)
		lines := metrics.take()
		require.Len(t, lines, 8)
		assert.Equal(t, []string{"weaver gave up, terminal: false", "weaver panicked", "weaver gave_up 0s"}, lines[5:])

		idle(time.Hour)
		assert.Len(t, r.take(), 3, "it comes back, and starts over")
		back := a.times[6].Sub(a.times[5])
		assert.GreaterOrEqual(t, back, 5*time.Minute)
		assert.LessOrEqual(t, back, 5*time.Minute*3/2)
		assert.Len(t, given, 1)
	}, held("web"))
}

// TestControllerGivesNothingUp sets no option: failures are retried until they stop, here after a month.
func TestControllerGivesNothingUp(t *testing.T) {
	const outage = 30 * 24 * time.Hour
	for name, start := range map[string]func(*testing.T, *rig){
		"Reconcile":        func(t *testing.T, r *rig) { r.create(t, held("web")) },
		"Finalize":         func(t *testing.T, r *rig) { r.create(t, deleting()) },
		"ReconcileDeleted": func(_ *testing.T, r *rig) { r.controller.Enqueue(cache.NewObjectName("shop", "web")) },
	} {
		t.Run(name, func(t *testing.T) {
			var began, last, done time.Time
			longest := time.Duration(0)
			try := func() error {
				if !last.IsZero() {
					longest = max(longest, time.Since(last))
				}
				if last = time.Now(); time.Since(began) < outage {
					return errBroken
				}
				done = last
				return nil
			}
			s := &steps{
				reconcile: func(context.Context, *fleetv1.Workload) (Result, error) { return Result{}, try() },
				finalize:  func(context.Context, *fleetv1.Workload) error { return try() },
				deleted:   func(context.Context, cache.ObjectName) error { return try() },
			}
			bubble(t, s, nil, func(t *testing.T, r *rig) {
				began = time.Now()
				start(t, r)
				idle(outage + 8*time.Minute)
				assert.False(t, done.IsZero(), "it works in the end")
				assert.GreaterOrEqual(t, longest, 5*time.Minute)
				assert.LessOrEqual(t, longest, 5*time.Minute*3/2)
			})
		})
	}
}

// TestControllerOutageOfOneSecond is over within another second.
func TestControllerOutageOfOneSecond(t *testing.T) {
	var began, done time.Time
	s := &steps{reconcile: func(context.Context, *fleetv1.Workload) (Result, error) {
		if began.IsZero() {
			began = time.Now()
		}
		if time.Since(began) < time.Second {
			return Result{}, errBroken
		}
		done = time.Now()
		return Result{}, nil
	}}
	bubble(t, s, nil, func(t *testing.T, _ *rig) {
		idle(3 * time.Second)
		assert.LessOrEqual(t, done.Sub(began), 2*time.Second)
		assert.False(t, done.IsZero())
	}, held("web"))
}

func TestControllerForgetsFailures(t *testing.T) {
	a := failing(again(errBroken, 5)...)
	bubble(t, &a.steps, []Option{WithMaxRetries(5)}, func(t *testing.T, r *rig) {
		idle(time.Minute)
		assert.Len(t, r.take(), 6)
		a.errs = append(append(a.errs, nil), again(errBroken, 5)...)
		r.update(t, held("web"))
		idle(time.Minute)
		assert.Len(t, r.take(), 6, "success resets the count")
		assert.Less(t, a.times[7].Sub(a.times[6]), 10*time.Millisecond, "and the back-off")
	}, held("web"))
}

func TestControllerTerminalError(t *testing.T) {
	a := failing(TerminalError(errBroken))
	var given error
	options := []Option{WithMaxRetries(5), WithGaveUp(func(_ context.Context, _ cache.ObjectName, err error) { given = err })}
	bubble(t, &a.steps, options, func(t *testing.T, r *rig) {
		idle(24 * time.Hour)
		assert.Len(t, r.take(), 1)
		assert.ErrorIs(t, given, errBroken)
		r.update(t, held("web"))
		assert.Len(t, r.take(), 1, "until its next event")
	}, held("web"))
}

func TestControllerLockConflicts(t *testing.T) {
	conflict := apierrors.NewConflict(schema.GroupResource{Resource: "workloads"}, "web", errors.New("changed"))
	a := failing(again(conflict, 12)...)
	var metrics tally
	recorder := events.NewFakeRecorder(10)
	options := []Option{
		WithMetrics(&metrics), WithEventRecorder(recorder), WithMaxRetries(1),
		WithGaveUp(func(context.Context, cache.ObjectName, error) { assert.Fail(t, "conflicts do not count") }),
	}
	bubble(t, &a.steps, options, func(t *testing.T, r *rig) {
		idle(time.Second)
		assert.Empty(t, recorder.Events, "they are quiet")
		idle(time.Hour)
		assert.Len(t, r.take(), 13)
		require.Len(t, recorder.Events, 1, "but for every tenth in a row")
		assert.Contains(t, <-recorder.Events, "Warning Conflict Operation cannot be fulfilled on workloads")
		assert.Contains(t, metrics.take(), "workloads.fleet.example.com conflict 0s")
		assert.GreaterOrEqual(t, a.times[12].Sub(a.times[11]), 5*time.Second, "they back off")
	}, held("web"))
}

// TestControllerOtherConflicts has errors that a retry alone does not cure: all are reported.
func TestControllerOtherConflicts(t *testing.T) {
	lock := apierrors.NewConflict(schema.GroupResource{Resource: "workloads"}, "web", errors.New("changed"))
	apply := apierrors.NewApplyConflict([]metav1.StatusCause{{Type: metav1.CauseTypeFieldManagerConflict}}, "conflict with \"them\"")
	taken := TerminalError(&NameTakenError{Kind: "Deployment", Name: web})
	for name, err := range map[string]error{"apply": apply, "joined": errors.Join(lock, errBroken), "joined with a taken name": errors.Join(taken, errBroken)} {
		t.Run(name, func(t *testing.T) {
			a := failing(err, err)
			var metrics tally
			recorder := events.NewFakeRecorder(10)
			bubble(t, &a.steps, []Option{WithMetrics(&metrics), WithEventRecorder(recorder)}, func(t *testing.T, r *rig) {
				idle(time.Minute)
				assert.Len(t, r.take(), 3)
				assert.Len(t, recorder.Events, 2)
				assert.Contains(t, <-recorder.Events, "Warning ReconcileFailed ")
				assert.Equal(t, "workloads.fleet.example.com error 0s", metrics.take()[0])
			}, held("web"))
		})
	}
}

// TestControllerNamespaceIsBeingDeleted cannot create objects any longer, which is not a failure.
func TestControllerNamespaceIsBeingDeleted(t *testing.T) {
	closing := apierrors.NewForbidden(schema.GroupResource{Resource: "deployments"}, "web", errors.New("the namespace is being terminated"))
	closing.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	a := failing(fmt.Errorf("create: %w", closing))
	var metrics tally
	recorder := events.NewFakeRecorder(10)
	bubble(t, &a.steps, []Option{WithMetrics(&metrics), WithEventRecorder(recorder), WithMaxRetries(1)}, func(t *testing.T, r *rig) {
		idle(4 * time.Minute)
		assert.Len(t, r.take(), 1)
		assert.Empty(t, recorder.Events)
		assert.Equal(t, []string{"workloads.fleet.example.com requeue 0s"}, metrics.take())
		idle(4 * time.Minute)
		assert.Len(t, r.take(), 1, "nothing tells of the end of another namespace")
	}, held("web"))
}

// TestControllerRetriesKeepTheirLane has all objects of the initial list fail, which must not delay what happens now.
func TestControllerRetriesKeepTheirLane(t *testing.T) {
	var objects []*fleetv1.Workload
	for i := range 200 {
		objects = append(objects, held(fmt.Sprintf("old-%d", i)))
	}
	for name, outcome := range map[string]func() (Result, error){
		"retries":  func() (Result, error) { return Result{}, errBroken },
		"requeues": func() (Result, error) { return Result{RequeueAfter: time.Millisecond}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			var fresh time.Time
			s := &steps{reconcile: func(_ context.Context, object *fleetv1.Workload) (Result, error) {
				if object.Name == "fresh" {
					fresh = time.Now()
					return Result{}, nil
				}
				time.Sleep(100 * time.Millisecond)
				return outcome()
			}}
			bubble(t, s, []Option{WithWorkers(1)}, func(t *testing.T, r *rig) {
				idle(2 * 200 * 100 * time.Millisecond)
				created := time.Now()
				r.create(t, held("fresh"))
				idle(time.Minute)
				require.False(t, fresh.IsZero())
				assert.LessOrEqual(t, fresh.Sub(created), 200*time.Millisecond, "at most one is in progress, and one has its turn")
			}, objects...)
		})
	}
}
