package controller

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// TestPauseAndRestart pauses and resumes an object while no controller runs.
func TestPauseAndRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &steps{}
		r := strictRig(t, s, held("web"))
		recorder := events.NewFakeRecorder(100)
		restart := func(options ...Option) *pauseRig {
			var err error
			r.controller, err = newWorkloadController(r.client, r.kube, s, append(options, WithEventRecorder(recorder))...)
			require.NoError(t, err)
			return &pauseRig{r.run(t), recorder}
		}
		r.annotate(t, "true")
		first := restart(WithPause(paused))
		assert.Empty(t, r.take())
		assert.Equal(t, toldPaused, first.told())
		require.NoError(t, r.end())

		before := r.statusUpdates()
		second := restart(WithPause(paused))
		assert.Empty(t, r.take())
		assert.Empty(t, second.told(), "the condition says it already")
		assert.Equal(t, before, r.statusUpdates())
		require.NoError(t, r.end())

		r.annotate(t, nil)
		third := restart(WithName("renamed"), WithPause("example.com/another"))
		assert.Equal(t, []string{"reconcile web"}, r.take())
		assert.Equal(t, toldResumed, third.told())
		assert.Empty(t, r.get(t).Status.Conditions, "also with another name and another annotation")
		require.NoError(t, r.end())
	})
}

// TestPauseOfStrangers has a condition Paused that somebody else has written.
func TestPauseOfStrangers(t *testing.T) {
	pausing(t, &steps{}, nil, func(t *testing.T, r *pauseRig) {
		r.take()
		object := r.get(t)
		theirs := metav1.Condition{Type: "Paused", Status: metav1.ConditionTrue, Reason: "Maintenance", LastTransitionTime: metav1.Now()}
		object.Status.Conditions = []metav1.Condition{theirs}
		require.NoError(t, ignoreResult(r.client.FleetV1().Workloads("shop").UpdateStatus(t.Context(), object, metav1.UpdateOptions{})))
		assert.Equal(t, []string{"reconcile web"}, r.take())
		before := r.statusUpdates()
		r.annotate(t, "true")
		r.annotate(t, nil)
		assert.Equal(t, []string{"reconcile web"}, r.take())
		assert.Equal(t, before, r.statusUpdates())
		assert.Equal(t, "Maintenance", r.get(t).Status.Conditions[0].Reason)
	})
}

// TestPauseWithTwoControllers has two controllers of a kind, with different annotations on one object.
func TestPauseWithTwoControllers(t *testing.T) {
	pausing(t, &steps{}, []Option{WithPause("example.com/another")}, func(t *testing.T, r *pauseRig) {
		s := &steps{}
		second := &rig{steps: s, client: r.client, kube: r.kube, context: t.Context(), done: make(chan error, 1)}
		var err error
		second.controller, err = newWorkloadController(r.client, r.kube, s, WithName("second"), WithPause(paused))
		require.NoError(t, err)
		second.run(t)
		r.take()
		s.take()
		r.annotate(t, "true")
		idle(time.Hour)
		assert.NotEmpty(t, r.take(), "the first one goes on")
		assert.Empty(t, s.take())
		assert.Equal(t, 1, r.statusUpdates())
		assert.True(t, meta.IsStatusConditionTrue(r.get(t).Status.Conditions, "Paused"))
		r.annotate(t, nil)
		idle(time.Hour)
		assert.NotEmpty(t, s.take())
		assert.LessOrEqual(t, r.statusUpdates(), 3, "both may take it away")
		assert.Empty(t, r.get(t).Status.Conditions)
	})
}

// TestPauseWithoutStatus has an API server that refuses writes of the status, or fails at first.
func TestPauseWithoutStatus(t *testing.T) {
	resource := fleetv1.SchemeGroupVersion.WithResource("workloads").GroupResource()
	for name, test := range map[string]struct {
		err    error
		shown  bool
		writes int
	}{
		"forbidden":      {apierrors.NewForbidden(resource, "web", nil), false, 1},
		"no subresource": {apierrors.NewNotFound(resource, "web"), false, 1},
		"invalid":        {apierrors.NewInvalid(workloadKind.GroupKind(), "web", nil), false, 1},
		"conflict":       {apierrors.NewConflict(resource, "web", errBroken), true, 3},
		"unavailable":    {apierrors.NewServiceUnavailable("restarting"), true, 3},
	} {
		t.Run(name, func(t *testing.T) {
			pausing(t, &steps{}, nil, func(t *testing.T, r *pauseRig) {
				r.take()
				failures := 0
				r.client.PrependReactor("update", "workloads", func(action clienttesting.Action) (bool, runtime.Object, error) {
					fails := action.GetSubresource() == "status" && (!test.shown || failures < 2)
					if fails {
						failures++
					}
					return fails, nil, test.err
				})
				r.annotate(t, "true")
				idle(time.Hour)
				assert.Empty(t, r.take())
				assert.Contains(t, r.told(), toldPaused[0])
				assert.Equal(t, test.shown, meta.IsStatusConditionTrue(r.get(t).Status.Conditions, "Paused"))
				r.controller.Enqueue(cache.NewObjectName("shop", "web"))
				idle(time.Hour)
				assert.Equal(t, test.writes, r.statusUpdates())
				assert.Equal(t, 1, r.controller.Describe().Paused.Total)
				r.annotate(t, nil)
				assert.Equal(t, []string{"reconcile web"}, r.take())
				assert.Equal(t, toldResumed, r.told())
			})
		})
	}
}

// TestPauseKeepsTheStatus has a cache without a part of the status, an API server that does not let the controller read objects, and an API
// server that is ahead of the cache.
func TestPauseKeepsTheStatus(t *testing.T) {
	dropping := WithReconciled(informer.WithTransform(func(object any) (any, error) {
		object.(*fleetv1.Workload).Status.Selector = ""
		return object, nil
	}))
	for name, test := range map[string]struct {
		options []Option
		get     func(*fleetv1.Workload) (runtime.Object, error)
		shown   bool
	}{
		"transform": {[]Option{dropping}, nil, true},
		"forbidden": {nil, func(*fleetv1.Workload) (runtime.Object, error) {
			return nil, apierrors.NewForbidden(fleetv1.SchemeGroupVersion.WithResource("workloads").GroupResource(), "web", nil)
		}, true},
		"resumed": {nil, func(live *fleetv1.Workload) (runtime.Object, error) {
			live.Annotations = nil
			return live, nil
		}, false},
		"replaced": {nil, func(live *fleetv1.Workload) (runtime.Object, error) {
			live.UID = "another"
			return live, nil
		}, false},
		"gone": {nil, func(*fleetv1.Workload) (runtime.Object, error) {
			return nil, apierrors.NewNotFound(fleetv1.SchemeGroupVersion.WithResource("workloads").GroupResource(), "web")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			pausing(t, &steps{}, test.options, func(t *testing.T, r *pauseRig) {
				r.take()
				object := r.get(t)
				object.Status.Selector = "app=web"
				require.NoError(t, ignoreResult(r.client.FleetV1().Workloads("shop").UpdateStatus(t.Context(), object, metav1.UpdateOptions{})))
				object, hidden := r.get(t), test.get != nil
				r.client.PrependReactor("get", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) {
					if !hidden {
						return false, nil, nil
					}
					live, err := test.get(object.DeepCopy())
					return true, live, err
				})
				r.annotate(t, "true")
				hidden = false
				assert.Equal(t, toldPaused, r.told())
				object = r.get(t)
				assert.Equal(t, "app=web", object.Status.Selector)
				assert.Equal(t, test.shown, meta.IsStatusConditionTrue(object.Status.Conditions, "Paused"))
			})
		})
	}
}

// podSteps is a reconciler of Pods, which have no conditions of the usual form.
type podSteps struct{ recorder }

func (s *podSteps) Reconcile(_ context.Context, pod *corev1.Pod) (Result, error) {
	s.note("reconcile %s", pod.Name)
	return Result{}, nil
}

func (s *podSteps) ReconcileDeleted(_ context.Context, name cache.ObjectName) error {
	s.note("deleted %s", name)
	return nil
}

// gauge keeps the function of Paused.
type gauge struct {
	tally
	paused func() int
}

func (g *gauge) Paused(_ string, paused func() int) { g.paused = paused }

func TestPauseWithoutConditions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", Annotations: map[string]string{paused: ""}}}
		kube, s, recorder, g := kubefake.NewSimpleClientset(pod), &podSteps{}, events.NewFakeRecorder(10), &gauge{}
		c, err := New(informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods), s,
			WithPause(paused), WithEventRecorder(recorder), WithMetrics(g))
		require.NoError(t, err)
		r := &pauseRig{&rig{}, recorder}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- c.Run(ctx) }()
		assert.Empty(t, s.take())
		assert.Equal(t, toldPaused, r.told())
		assert.Equal(t, 1, g.paused())
		assert.Equal(t, []string{"pods paused 0s"}, g.take())
		assert.Equal(t, []ObjectSummary{{"shop/web", time.Now(), paused}}, c.Describe().Paused.Objects)
		c.Enqueue(cache.MetaObjectToName(pod))
		assert.Empty(t, s.take())
		assert.Empty(t, r.told())

		pod = pod.DeepCopy()
		pod.Annotations = nil
		require.NoError(t, ignoreResult(kube.CoreV1().Pods("shop").Update(t.Context(), pod, metav1.UpdateOptions{})))
		assert.Equal(t, []string{"reconcile web"}, s.take())
		assert.Equal(t, toldResumed, r.told())
		assert.Zero(t, g.paused())
		cancel()
		require.NoError(t, <-done)
		for _, action := range kube.Actions() {
			assert.Contains(t, []string{"list", "watch", "update"}, action.GetVerb())
		}
	})
}

// pausable gives a controller that does not run yet WithPause.
func pausable(f *family) *family {
	WithPause(paused)(f.controller.settings)
	f.controller.gate = f.controller.newGate()
	return f
}

// annotated returns a workload that has the finalizer, and is paused.
func annotated(name string) *fleetv1.Workload {
	object := held(name)
	object.Annotations = map[string]string{paused: "true"}
	return object
}

// TestPausedOwner has a paused owner whose children lack the label, and go missing. It still counts as their owner.
func TestPausedOwner(t *testing.T) {
	resume := func(t *testing.T, f *family) {
		t.Helper()
		idle(time.Hour)
		assert.Len(t, f.unlabeled(t), 3, "nothing of a paused owner is labeled")
		f.server.Delete("shop", f.unlabeled(t)[0])
		idle(time.Hour)
		assert.NotContains(t, f.take(), "reconcile web")
		assert.Len(t, f.all(t), 5)
		require.Len(t, f.unlabeled(t), 2)

		created := f.created
		f.update(t, held("web"))
		idle(time.Minute)
		assert.Contains(t, f.take(), "reconcile web")
		assert.Empty(t, f.unlabeled(t), "all are found and labeled")
		assert.Len(t, f.all(t), 6)
		assert.Equal(t, created+1, f.created)
		assert.Zero(t, f.deleted)
	}
	t.Run("of an earlier version", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			server := informertest.NewServer()
			f := newFamily(t, server, false, 3, held("web"), held("db")).run(t)
			idle(time.Minute)
			require.NoError(t, f.end())
			require.Len(t, f.unlabeled(t), 6)
			resume(t, pausable(newFamily(t, server, true, 3, annotated("web"), held("db"))).run(t))
		})
	})
	t.Run("losing the label", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			server := informertest.NewServer()
			f := pausable(newFamily(t, server, true, 3, held("web"), held("db"))).run(t)
			idle(time.Minute)
			require.Empty(t, f.unlabeled(t))
			f.update(t, annotated("web"))
			f.take()
			for _, child := range f.all(t) {
				if child.OwnerReferences[0].Name == "web" {
					require.NoError(t, server.Relabel("shop", child.Name, "plain"))
				}
			}
			resume(t, f)
		})
	})
}
