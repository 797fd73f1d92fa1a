package controller

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

const paused = "example.com/paused"

// pausing runs a test of a controller with WithPause on strict fakes, with a workload web that has the finalizer.
func pausing(t *testing.T, s *steps, options []Option, test func(*testing.T, *pauseRig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		events := events.NewFakeRecorder(100)
		options := append([]Option{WithPause(paused), WithEventRecorder(events)}, options...)
		r := &pauseRig{strictRig(t, s, held("web")), events}
		var err error
		r.controller, err = newWorkloadController(r.client, r.kube, s, options...)
		require.NoError(t, err)
		r.run(t)
		test(t, r)
	})
}

type pauseRig struct {
	*rig
	events *events.FakeRecorder
}

// annotate sets the annotation of the workload web, or removes it.
func (r *rig) annotate(t *testing.T, value any) {
	t.Helper()
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]any{paused: value}}})
	require.NoError(t, err)
	_, err = r.client.FleetV1().Workloads("shop").Patch(t.Context(), "web", types.MergePatchType, patch, metav1.PatchOptions{})
	require.NoError(t, err)
	synctest.Wait()
}

// get returns the workload web of the server.
func (r *rig) get(t *testing.T) *fleetv1.Workload {
	t.Helper()
	object, err := r.client.FleetV1().Workloads("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	return object
}

// statusUpdates returns the number of requests for the status.
func (r *rig) statusUpdates() (n int) {
	for _, action := range r.client.Actions() {
		if action.GetVerb() == "update" && action.GetSubresource() == "status" {
			n++
		}
	}
	return n
}

// told returns the events that were recorded.
func (r *pauseRig) told() (all []string) {
	synctest.Wait()
	for len(r.events.Events) > 0 {
		all = append(all, <-r.events.Events)
	}
	return all
}

var (
	toldPaused  = []string{"Normal Paused Reconciliation is paused by the annotation example.com/paused"}
	toldResumed = []string{"Normal Resumed Reconciliation goes on"}
)

func TestPause(t *testing.T) {
	for name, options := range map[string][]Option{
		"default options": nil, "generation filter": {WithGenerationFilter()}, "by the manager": {WithDefaultPause("example.com/other")},
	} {
		t.Run(name, func(t *testing.T) {
			s := &steps{}
			pausing(t, s, options, func(t *testing.T, r *pauseRig) {
				r.take()
				s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
					before := object.DeepCopy()
					ready(object, nil)
					return Result{}, ignoreResult(UpdateStatus(ctx, r.client.FleetV1().Workloads("shop"), before, object))
				}
				r.update(t, changed(r.get(t)))
				assert.Equal(t, []string{"reconcile web"}, r.take())
				for _, value := range []string{"true", "", "yes"} {
					r.annotate(t, value)
					assert.Empty(t, r.take())
					assert.Equal(t, toldPaused, r.told())
					object := r.get(t)
					require.Len(t, object.Status.Conditions, 2, "others keep theirs")
					condition := meta.FindStatusCondition(object.Status.Conditions, "Paused")
					assert.Equal(t, &metav1.Condition{
						Type: "Paused", Status: metav1.ConditionTrue, Reason: "PausedByAnnotation",
						Message: "The annotation example.com/paused pauses reconciliation.", ObservedGeneration: object.Generation,
						LastTransitionTime: condition.LastTransitionTime,
					}, condition)
					assert.WithinDuration(t, time.Now(), condition.LastTransitionTime.Time, time.Second)
					assert.Contains(t, managers(object), "workloads.fleet.example.com-pause")

					before := r.statusUpdates()
					r.update(t, changed(object))
					assert.Empty(t, r.take())
					object = r.get(t)
					assert.Equal(t, object.Generation, meta.FindStatusCondition(object.Status.Conditions, "Paused").ObservedGeneration)
					assert.Equal(t, before+1, r.statusUpdates())
					assert.Empty(t, r.told())

					r.annotate(t, map[string]any{"true": nil, "": "false", "yes": nil}[value])
					assert.Equal(t, []string{"reconcile web"}, r.take())
					assert.Equal(t, toldResumed, r.told())
					assert.Nil(t, meta.FindStatusCondition(r.get(t).Status.Conditions, "Paused"))
					assert.NotNil(t, meta.FindStatusCondition(r.get(t).Status.Conditions, "Ready"))
					idle(time.Hour)
					assert.Empty(t, r.take(), "own writes wake nobody")
				}
			})
		})
	}
}

// changed returns an object with another spec.
func changed(object *fleetv1.Workload) *fleetv1.Workload {
	object.Spec.Template.Image += "+"
	return object
}

// managers returns the names of the field managers of an object.
func managers(object metav1.Object) (names []string) {
	for _, entry := range object.GetManagedFields() {
		names = append(names, entry.Manager)
	}
	return names
}

func TestPauseIgnoresFalse(t *testing.T) {
	pausing(t, &steps{}, []Option{WithGenerationFilter()}, func(t *testing.T, r *pauseRig) {
		r.take()
		r.annotate(t, "false")
		assert.Empty(t, r.take())
		assert.Empty(t, r.told())
		assert.Zero(t, r.statusUpdates())
	})
}

// TestPauseDropsTimers pauses an object that waits for a timer or for a retry.
func TestPauseDropsTimers(t *testing.T) {
	for name, err := range map[string]error{"timer": nil, "retry": errBroken, "waiting": Waiting("a miracle")} {
		t.Run(name, func(t *testing.T) {
			s, failing := &steps{}, true
			s.reconcile = func(context.Context, *fleetv1.Workload) (Result, error) {
				if failing {
					return Result{RequeueAfter: time.Minute}, err
				}
				return Result{}, nil
			}
			pausing(t, s, nil, func(t *testing.T, r *pauseRig) {
				idle(time.Hour)
				r.take()
				r.annotate(t, "true")
				assert.Zero(t, r.controller.DescribeObject(cache.NewObjectName("shop", "web")).Next)
				idle(24 * time.Hour)
				assert.Empty(t, r.take())
				status := r.controller.DescribeObject(cache.NewObjectName("shop", "web"))
				assert.Equal(t, ObjectPaused, status.State)
				assert.Equal(t, paused, status.PausedBy)
				assert.Zero(t, status.Failures)
				assert.Zero(t, status.Next)
				assert.Equal(t, OutcomePaused, status.Reconciles[0].Outcome)
				require.Greater(t, len(status.Reconciles), 1)
				assert.NotEqual(t, OutcomePaused, status.Reconciles[1].Outcome, "the reconciles before the pause stay")
				failing = false
				r.annotate(t, nil)
				assert.Equal(t, []string{"reconcile web"}, r.take())
				idle(24 * time.Hour)
				assert.Empty(t, r.take())
			})
		})
	}
}

// TestPauseAndDeletion deletes a paused object.
func TestPauseAndDeletion(t *testing.T) {
	t.Run("goes on", func(t *testing.T) {
		pausing(t, &steps{}, nil, func(t *testing.T, r *pauseRig) {
			r.annotate(t, "true")
			r.take()
			r.told()
			before := r.statusUpdates()
			r.delete(t, held("web"))
			assert.Equal(t, []string{"finalize web", "deleted shop/web"}, r.take())
			assert.Empty(t, r.told())
			assert.Equal(t, before, r.statusUpdates())
			assert.Zero(t, r.controller.Describe().Paused.Total)
		})
	})
	t.Run("is paused", func(t *testing.T) {
		pausing(t, &steps{}, []Option{WithPause(paused, PauseDeletion())}, func(t *testing.T, r *pauseRig) {
			r.annotate(t, "true")
			r.take()
			r.delete(t, held("web"))
			idle(time.Hour)
			assert.Empty(t, r.take())
			r.annotate(t, nil)
			assert.Equal(t, []string{"finalize web", "deleted shop/web"}, r.take())
		})
	})
	t.Run("never reconciled", func(t *testing.T) {
		pausing(t, &steps{}, nil, func(t *testing.T, r *pauseRig) {
			r.take()
			object := workload("shop", "new", nil)
			object.Annotations = map[string]string{paused: ""}
			r.create(t, object)
			assert.Empty(t, r.take())
			created, err := r.client.FleetV1().Workloads("shop").Get(t.Context(), "new", metav1.GetOptions{})
			require.NoError(t, err)
			assert.Empty(t, created.Finalizers)
			r.delete(t, object)
			assert.Equal(t, []string{"deleted shop/new"}, r.take())
		})
	})
}

func TestPauseOptions(t *testing.T) {
	for name, test := range map[string]struct {
		options []Option
		want    string
	}{
		"none":           {nil, ""},
		"own":            {[]Option{WithPause("a")}, "a"},
		"default":        {[]Option{WithDefaultPause("b")}, "b"},
		"own first":      {[]Option{WithPause("a"), WithDefaultPause("b")}, "a"},
		"own last":       {[]Option{WithDefaultPause("b"), WithPause("a")}, "a"},
		"exempt":         {[]Option{WithPause(""), WithDefaultPause("b")}, ""},
		"exempt, last":   {[]Option{WithDefaultPause("b"), WithPause("")}, ""},
		"last of own":    {[]Option{WithPause("a"), WithPause("c")}, "c"},
		"first default":  {[]Option{WithDefaultPause("b"), WithDefaultPause("c")}, "b"},
		"upper case key": {[]Option{WithPause("example.com/Paused")}, "example.com/Paused"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := newWorkloadController(newRig(t, &steps{}, nil).client, kubefake.NewSimpleClientset(), &steps{}, test.options...)
			require.NoError(t, err)
			assert.Equal(t, test.want, c.gate.Rule.Annotation)
		})
	}
	_, err := newWorkloadController(newRig(t, &steps{}, nil).client, kubefake.NewSimpleClientset(), &steps{}, WithPause("paused/a/b"))
	assert.ErrorContains(t, err, `controller workloads.fleet.example.com: WithPause: invalid annotation "paused/a/b": `)
}
