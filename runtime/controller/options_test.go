package controller

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

func TestControllerResync(t *testing.T) {
	bubble(t, &steps{}, []Option{WithResync(time.Hour)}, func(t *testing.T, r *rig) {
		r.take()
		idle(time.Hour)
		assert.Equal(t, []string{"reconcile web"}, r.take())
	}, held("web"))
}

// TestControllerSpreadsResyncs: many objects at once would keep others waiting, and servers busy.
func TestControllerSpreadsResyncs(t *testing.T) {
	bubble(t, &steps{}, []Option{WithResync(100 * time.Minute)}, func(t *testing.T, r *rig) {
		all := r.take()
		require.Len(t, all, 300)
		var again []string
		for range 100 {
			idle(time.Minute)
			some := r.take()
			assert.Less(t, len(some), 15)
			again = append(again, some...)
		}
		assert.ElementsMatch(t, all, again)
	}, crowd("w", 300)...)
}

// TestControllerResyncsOnItsOwn shares an informer whose factory never resyncs.
func TestControllerResyncsOnItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &steps{}, nil)
		r.create(t, held("web"))
		factory := informer.NewFactory()
		var err error
		r.controller, err = newWorkloadController(r.client, r.kube, r.steps, WithName("sharing"), WithFactory(factory), WithResync(time.Hour))
		require.NoError(t, err)
		r.run(t)
		assert.Equal(t, []string{"reconcile web"}, r.take())
		idle(time.Hour)
		assert.Equal(t, []string{"reconcile web"}, r.take())
		idle(2 * time.Hour)
		assert.Len(t, r.take(), 2)
		require.NoError(t, r.end())
		factory.Shutdown()
	})
}

// TestControllerPassesOverResyncs shares an informer with somebody who wants resyncs.
func TestControllerPassesOverResyncs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &steps{}, nil)
		r.create(t, held("web"))
		factory := informer.NewFactory(informer.WithResync(time.Minute))
		others := make(chan string, 10)
		_, err := informer.For(factory, workloadSource(r.client)).AddHandler(informer.HandlerFuncs[*fleetv1.Workload]{
			Updated: func(_, _ *fleetv1.Workload) { others <- "resync" },
		})
		require.NoError(t, err)
		r.controller, err = newWorkloadController(r.client, r.kube, r.steps, WithName("sharing"), WithFactory(factory))
		require.NoError(t, err)
		r.run(t)
		idle(5 * time.Minute)
		assert.Equal(t, []string{"reconcile web"}, r.take())
		assert.NotEmpty(t, others)
		require.NoError(t, r.end())
		factory.Shutdown()
	})
}

func TestControllerUnchangedVersion(t *testing.T) {
	object := held("web")
	object.ResourceVersion = "7"
	bubble(t, &steps{}, nil, func(t *testing.T, r *rig) {
		r.take()
		r.update(t, object)
		assert.Empty(t, r.take(), "nothing has happened")
		changed := object.DeepCopy()
		changed.ResourceVersion = "8"
		r.update(t, changed)
		assert.Equal(t, []string{"reconcile web"}, r.take())
	}, object)
}

func TestControllerGenerationFilter(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*fleetv1.Workload)
		want   []string
	}{
		"status":     {func(object *fleetv1.Workload) { object.Status.Replicas = 3 }, nil},
		"labels":     {func(object *fleetv1.Workload) { object.Labels = map[string]string{"a": "b"} }, nil},
		"generation": {func(object *fleetv1.Workload) { object.Generation++ }, []string{"reconcile web"}},
		"finalizers": {func(object *fleetv1.Workload) { object.Finalizers = append(object.Finalizers, "example.com/other") }, []string{"reconcile web"}},
		"replaced":   {func(object *fleetv1.Workload) { object.UID = "another" }, []string{"reconcile web"}},
		"deletion":   {func(object *fleetv1.Workload) { object.DeletionTimestamp = &metav1.Time{Time: time.Now()} }, []string{"finalize web"}},
	} {
		t.Run(name, func(t *testing.T) {
			object := held("web")
			object.Generation = 1
			bubble(t, &steps{}, []Option{WithGenerationFilter()}, func(t *testing.T, r *rig) {
				r.take()
				changed := object.DeepCopy()
				test.change(changed)
				r.update(t, changed)
				assert.Equal(t, test.want, r.take())
			}, object)
		})
	}
}

// crowd returns many workloads.
func crowd(prefix string, n int) []*fleetv1.Workload {
	var all []*fleetv1.Workload
	for i := range n {
		all = append(all, held(fmt.Sprintf("%s-%03d", prefix, i)))
	}
	return all
}

// TestControllerLanes holds the only worker until all is queued, and looks at the order that follows.
func TestControllerLanes(t *testing.T) {
	gate := make(chan struct{})
	s := &steps{reconcile: func(context.Context, *fleetv1.Workload) (Result, error) {
		<-gate
		return Result{}, nil
	}}
	synctest.Test(t, func(t *testing.T) {
		gate = make(chan struct{})
		r := newRig(t, s, []Option{WithWorkers(1)}, crowd("old", 20)...).run(t)
		for _, object := range crowd("new", 20) {
			r.create(t, object)
		}
		underWay := r.take()
		require.Len(t, underWay, 1)
		promoted := held("old-019")
		if underWay[0] == "reconcile old-019" {
			promoted = held("old-018")
		}
		promoted.Spec.Paused = true
		r.update(t, promoted)
		synctest.Wait()
		close(gate)
		order := r.take()
		require.Len(t, order, 39)
		rank := map[string]int{}
		for i, line := range order {
			rank[strings.TrimPrefix(line, "reconcile ")] = i
		}
		require.Len(t, rank, 39, "each of them once")
		assert.Equal(t, 21, rank["new-019"], "what is new comes before the initial list, of which every eighth has its turn")
		assert.Equal(t, 22, rank[promoted.Name], "what has changed is new")
		for i, line := range order {
			old := i == 7 || i == 15 || i == 22 || i > 22
			assert.Equal(t, old, strings.HasPrefix(line, "reconcile old-"), "%d: %s", i, line)
		}
	})
}

// TestControllerKeepsUrgency changes an object while it is reconciled, and then resyncs.
func TestControllerKeepsUrgency(t *testing.T) {
	gate := make(chan struct{})
	s := &steps{reconcile: func(context.Context, *fleetv1.Workload) (Result, error) {
		<-gate
		return Result{}, nil
	}}
	synctest.Test(t, func(t *testing.T) {
		gate = make(chan struct{})
		options := []Option{WithWorkers(1), WithResync(time.Hour)}
		r := newRig(t, s, options, crowd("w", 3)...).run(t)
		underWay := r.take()
		require.Len(t, underWay, 1)
		r.update(t, held(strings.TrimPrefix(underWay[0], "reconcile ")))
		idle(time.Hour)
		close(gate)
		rest := r.take()
		require.Len(t, rest, 3, "each of the others once")
		assert.Equal(t, underWay[0], rest[0])
	})
}

func TestControllerWorkers(t *testing.T) {
	var now, most atomic.Int32
	s := &steps{reconcile: func(context.Context, *fleetv1.Workload) (Result, error) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(time.Minute)
		now.Add(-1)
		return Result{}, nil
	}}
	bubble(t, s, []Option{WithWorkers(4)}, func(t *testing.T, r *rig) {
		idle(time.Hour)
		assert.Len(t, r.take(), 20)
		assert.EqualValues(t, 4, most.Load())
		for range 10 {
			r.controller.Enqueue(cache.NewObjectName("shop", "w-000"))
			idle(time.Second)
		}
		assert.EqualValues(t, 1, now.Load(), "never the same object twice at a time")
	}, crowd("w", 20)...)
}

func TestControllerNamespacesAndSelectors(t *testing.T) {
	selected := map[string]string{"team": "a"}
	options := []Option{WithInformers(informer.WithNamespaces("shop", "blog")), WithReconciled(
		informer.WithLabels(labels.SelectorFromSet(selected)),
		informer.WithFields(fields.OneTermNotEqualSelector("metadata.name", "secret")))}
	objects := []*fleetv1.Workload{
		workload("shop", "web", selected), workload("blog", "db", selected), workload("bank", "vault", selected), workload("shop", "other", nil),
	}
	for _, object := range objects {
		object.Finalizers = []string{fleetv1.WorkloadFinalizer}
	}
	bubble(t, &steps{}, options, func(t *testing.T, r *rig) {
		assert.ElementsMatch(t, []string{"reconcile web", "reconcile db"}, r.take())
		lists := map[string][]clienttesting.ListRestrictions{}
		for _, action := range append(r.client.Actions(), r.kube.Actions()...) {
			if list, ok := action.(clienttesting.ListAction); ok {
				key := list.GetResource().Resource + " " + list.GetNamespace()
				lists[key] = append(lists[key], list.GetListRestrictions())
			}
		}
		for _, namespace := range []string{"shop", "blog"} {
			assert.Equal(t, "team=a", lists["workloads "+namespace][0].Labels.String())
			assert.Equal(t, "metadata.name!=secret", lists["workloads "+namespace][0].Fields.String())
			for _, owned := range []string{"deployments ", "workloadrevisions "} {
				require.Len(t, lists[owned+namespace], 2)
				assert.Equal(t, "fleet.example.com/owner-kind=Workload", lists[owned+namespace][0].Labels.String(), "the cache")
				assert.Equal(t, "fleet.example.com/owner-kind!=Workload", lists[owned+namespace][1].Labels.String(), "looked through once")
			}
		}
		assert.Len(t, lists, 6)
	}, objects...)
}

// TestControllersShareFactories runs two controllers of one kind, which own the same kinds, on one set of caches.
func TestControllersShareFactories(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &steps{}, nil, held("web"))
		factory := informer.NewFactory()
		r.client.ClearActions()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 2)
		both := []*steps{{}, {}}
		for i, s := range both {
			controller, err := newWorkloadController(r.client, r.kube, s, WithName(strconv.Itoa(i)), WithFactory(factory))
			require.NoError(t, err)
			go func() { done <- controller.Run(ctx) }()
		}
		synctest.Wait()
		require.NoError(t, ignoreResult(r.kube.AppsV1().Deployments("shop").Create(t.Context(), deployment("web-1", held("web")), metav1.CreateOptions{})))
		for _, s := range both {
			assert.Equal(t, []string{"reconcile web", "reconcile web"}, s.take())
		}
		assert.Len(t, r.client.Actions(), 6, "a list and a watch for each of two kinds, and each looks for what has no label")
		cancel()
		assert.NoError(t, <-done)
		assert.NoError(t, <-done)
		factory.Shutdown()
	})
}

func TestControllerQueueOfOnesOwn(t *testing.T) {
	var named string
	own := WithQueue(func(limiter workqueue.TypedRateLimiter[cache.ObjectName], config workqueue.TypedQueueConfig[cache.ObjectName]) workqueue.TypedRateLimitingInterface[cache.ObjectName] {
		named = config.Name
		assert.NotNil(t, config.Queue)
		return workqueue.NewTypedRateLimitingQueue(limiter)
	})
	bubble(t, &steps{}, []Option{own}, func(t *testing.T, r *rig) {
		assert.Equal(t, []string{"reconcile web"}, r.take())
		assert.Equal(t, "workloads.fleet.example.com", named)
	}, held("web"))
}

// adds is a provider of metrics that counts what is added to queues, by their names.
type adds struct {
	workqueue.MetricsProvider
	names map[string]*counter
}

type counter struct{ n atomic.Int32 }

func (c *counter) Inc()            { c.n.Add(1) }
func (c *counter) Dec()            {}
func (c *counter) Set(float64)     {}
func (c *counter) Observe(float64) {}

func (a *adds) NewAddsMetric(name string) workqueue.CounterMetric {
	a.names[name] = &counter{}
	return a.names[name]
}

func (a *adds) NewDepthMetric(string) workqueue.GaugeMetric            { return &counter{} }
func (a *adds) NewLatencyMetric(string) workqueue.HistogramMetric      { return &counter{} }
func (a *adds) NewWorkDurationMetric(string) workqueue.HistogramMetric { return &counter{} }
func (a *adds) NewUnfinishedWorkSecondsMetric(string) workqueue.SettableGaugeMetric {
	return &counter{}
}
func (a *adds) NewLongestRunningProcessorSecondsMetric(string) workqueue.SettableGaugeMetric {
	return &counter{}
}
func (a *adds) NewRetriesMetric(string) workqueue.CounterMetric { return &counter{} }

func TestControllerQueueMetrics(t *testing.T) {
	provider := &adds{names: map[string]*counter{}}
	bubble(t, &steps{}, []Option{WithQueueMetrics(provider)}, func(t *testing.T, r *rig) {
		r.take()
		assert.EqualValues(t, 3, provider.names["workloads.fleet.example.com"].n.Load())
	}, crowd("w", 3)...)
}

func TestControllerClock(t *testing.T) {
	clock := clocktesting.NewFakeClock(time.Now())
	s := &steps{reconcile: func(context.Context, *fleetv1.Workload) (Result, error) {
		return Result{RequeueAfter: time.Hour}, nil
	}}
	bubble(t, s, []Option{WithClock(clock)}, func(t *testing.T, r *rig) {
		idle(2 * time.Hour)
		assert.Len(t, r.take(), 1, "by this clock, no time has passed")
		clock.Step(2 * time.Hour)
		assert.Len(t, r.take(), 1)
	}, held("web"))
}
