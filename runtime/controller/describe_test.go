package controller

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/queue"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// longest has the function of LongestRunning.
type longest struct {
	NoMetrics
	running func() time.Duration
}

func (l *longest) LongestRunning(_ string, running func() time.Duration) { l.running = running }

func TestLongestRunning(t *testing.T) {
	metrics := &longest{}
	s := &steps{reconcile: func(_ context.Context, object *fleetv1.Workload) (Result, error) {
		if object.Name == "web" {
			time.Sleep(5 * time.Second)
		}
		time.Sleep(5 * time.Second)
		return Result{}, nil
	}}
	bubble(t, s, []Option{WithMetrics(metrics), WithName("fleet")}, func(t *testing.T, r *rig) {
		assert.Equal(t, "fleet", r.controller.Name())
		for _, want := range []time.Duration{0, 4 * time.Second, 8 * time.Second, 0} {
			assert.Equal(t, want, metrics.running())
			assert.Equal(t, want, r.controller.LongestRunning())
			idle(4 * time.Second)
		}
	}, held("web"), held("db"))
}

func TestDescribeIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		elected := make(chan struct{}) // in the bubble, which otherwise never is idle
		r := newRig(t, &steps{}, []Option{WithElected(elected), WithWorkers(3)}, held("web")).run(t)
		status := r.controller.Describe()
		assert.True(t, status.Synced)
		assert.False(t, status.Elected)
		assert.False(t, status.Running)
		close(elected)
		idle(0)
		status = r.controller.Describe()
		assert.True(t, status.Elected)
		assert.True(t, status.Running)
		assert.Equal(t, []any{"workloads.fleet.example.com", "fleet.example.com/v1", "Workload", "workloads.fleet.example.com", 3, 0},
			[]any{status.Name, status.APIVersion, status.Kind, status.Resource, status.Workers, status.Busy})
		require.NoError(t, r.end())
		assert.False(t, r.controller.Describe().Running)

		web := r.controller.DescribeObject(cache.NewObjectName("shop", "web"))
		assert.True(t, web.Cached)
		assert.Equal(t, ObjectIdle, web.State)
		assert.False(t, r.controller.DescribeObject(cache.NewObjectName("shop", "db")).Cached)
	})
}

// described is what TestDescribeObject compares of a status.
func described(s ObjectStatus) string {
	line := fmt.Sprint(s.State, " ", s.Lane, " ", s.Resource, " ", s.Event)
	if s.WaitingFor != "" || s.Failures > 0 {
		line += fmt.Sprint(" for ", s.WaitingFor, " failures ", s.Failures)
	}
	if !s.Next.IsZero() {
		line += " next " + time.Until(s.Next).Round(time.Minute).String()
	}
	return strings.Join(strings.Fields(line), " ")
}

// TestDescribeObject has one worker, and reconciles that end in all ways.
func TestDescribeObject(t *testing.T) {
	results := map[string]error{
		"waiting": errors.Join(Waiting("Secret shop/db"), Waiting("ConfigMap shop/web")), "failing": errBroken,
		"terminal": TerminalError(errors.New(strings.Repeat("é", 2000))),
	}
	var mended atomic.Bool
	s := &steps{reconcile: func(_ context.Context, object *fleetv1.Workload) (Result, error) {
		if object.Name == "slow" {
			time.Sleep(time.Minute)
			return Result{RequeueAfter: time.Hour}, nil
		}
		if mended.Load() {
			return Result{}, nil
		}
		return Result{}, results[object.Name]
	}}
	synctest.Test(t, func(t *testing.T) {
		options := []Option{WithWorkers(1), WithRateLimiter(workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](time.Hour, time.Hour))}
		r := newRig(t, s, options, held("slow"))
		r.run(t)
		describe := func(name string) string {
			return described(r.controller.DescribeObject(cache.NewObjectName("shop", name)))
		}
		assert.Equal(t, "running found", describe("slow"))
		for _, name := range []string{"waiting", "failing", "terminal"} {
			r.create(t, held(name))
		}
		q := r.controller.queue.Load()
		q.Enqueue(queue.Item{Name: cache.NewObjectName("shop", "low")}, found)
		synctest.Wait()
		assert.Equal(t, "queued urgent workloads.fleet.example.com added", describe("failing"))
		assert.Equal(t, "queued low found", describe("low"))
		status := r.controller.Describe()
		assert.Equal(t, []int{1, 3, 1}, []int{status.Busy, status.Urgent, status.Low})

		idle(time.Minute)
		assert.Equal(t, "idle next 1h0m0s", describe("slow"))
		assert.Equal(t, "waiting for Secret shop/db, ConfigMap shop/web failures 0 next 10m0s", describe("waiting"))
		assert.Equal(t, "failing for failures 1 next 1h0m0s", describe("failing"))
		assert.Equal(t, "failing for failures 1", describe("terminal"))
		assert.Equal(t, "idle", describe("low"))
		assert.Equal(t, "idle", describe("unknown"))
		status = r.controller.Describe()
		at := time.Now()
		assert.Equal(t, ObjectList{1, []ObjectSummary{{"shop/waiting", at, "Secret shop/db, ConfigMap shop/web"}}}, status.Waiting)
		assert.Equal(t, 2, status.Failing.Total)
		assert.Equal(t, ObjectSummary{"shop/failing", at, "broken"}, status.Failing.Objects[0])
		long := r.controller.DescribeObject(cache.NewObjectName("shop", "terminal")).Reconciles[0]
		assert.Equal(t, strings.Repeat("é", 512), long.Error)
		assert.Equal(t, []any{time.Minute, time.Duration(0), OutcomeGaveUp}, []any{long.Queued.Duration, long.Took.Duration, long.Outcome})

		mended.Store(true)
		idle(2 * time.Hour)
		reconciles := r.controller.DescribeObject(cache.NewObjectName("shop", "failing")).Reconciles
		assert.Equal(t, []any{"retried", OutcomeSuccess, "added", OutcomeError, "broken"},
			[]any{reconciles[0].Event, reconciles[0].Outcome, reconciles[1].Event, reconciles[1].Outcome, reconciles[1].Error})
		assert.Equal(t, 1, r.controller.Describe().Failing.Total, "the one that was dropped")
	})
}

// TestDescribeHeldBack has objects that wait for caches: for a write, and for the list of a namespace.
func TestDescribeHeldBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &steps{}
		l := newLagging(t, s, nil, held("web"))
		s.reconcile = l.onlyChild
		l.run(t)
		l.controller.Enqueue(web)
		synctest.Wait()
		const missing = "deployments.apps shop/web-100 at resource version 101"
		assert.Equal(t, []ObjectSummary{{"shop/web", time.Now(), missing}}, l.controller.Describe().HeldBack.Objects)
		status := l.controller.DescribeObject(web)
		assert.Equal(t, "heldBack requested", described(status))
		assert.Equal(t, []string{missing}, status.HeldBack)

		idle(10 * time.Second)
		l.watch.Add(l.live(t)[0].DeepCopy())
		synctest.Wait()
		status = l.controller.DescribeObject(web)
		assert.Equal(t, "idle", described(status))
		assert.Empty(t, status.HeldBack)
		assert.Equal(t, 10*time.Second, status.Reconciles[len(status.Reconciles)-2].Queued.Duration)
		assert.Zero(t, l.controller.Describe().HeldBack)
	})
}

func TestDescribeNotWatched(t *testing.T) {
	bubble(t, &steps{}, []Option{WithInformers(informer.WithNamespaces("shop"))}, func(t *testing.T, r *rig) {
		assert.True(t, r.controller.DescribeObject(cache.NewObjectName("bank", "web")).NotWatched)
		status := r.controller.DescribeObject(cache.NewObjectName("shop", "web"))
		assert.Equal(t, []bool{false, false}, []bool{status.NotWatched, status.Cached})
	})
}

// TestDescriptionsAreJSON marshals descriptions of an object with secrets: names are in lowerCamel, and there are no contents.
func TestDescriptionsAreJSON(t *testing.T) {
	object := held("web")
	object.Annotations = map[string]string{"hidden-key": "hidden-value"}
	object.Spec.Template.Image = "hidden-image"
	bubble(t, &steps{reconcile: func(context.Context, *fleetv1.Workload) (Result, error) { return Result{}, errBroken }}, nil, func(t *testing.T, r *rig) {
		text, err := json.Marshal([]any{r.controller.Describe(), r.controller.DescribeObject(web)})
		require.NoError(t, err)
		assert.NotContains(t, string(text), "hidden")
		for _, want := range []string{
			`"heldBack":{"total":0}`, `"failing":{"total":1,"objects":[{"object":"shop/web","since":"2000-01-01T00:00:00Z","reason":"broken"}]}`,
			`"informers":[{"resource":"workloads.fleet.example.com"`, `"event":"found","queued":"0s","start":"2000-01-01T00:00:00Z","took":"0s","outcome":"error"`,
		} {
			assert.Contains(t, string(text), want)
		}
		assert.Empty(t, regexp.MustCompile(`"[A-Z][A-Za-z]*":`).FindAllString(string(text), -1))
	}, object)
}
