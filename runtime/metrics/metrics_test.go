package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/metrics"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// controllerName is the value of the labels controller and name.
const controllerName = "pods"

type reconcileFunc func(context.Context, *corev1.Pod) (controller.Result, error)

func (f reconcileFunc) Reconcile(ctx context.Context, pod *corev1.Pod) (controller.Result, error) {
	return f(ctx, pod)
}

func (reconcileFunc) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

func succeed(context.Context, *corev1.Pod) (controller.Result, error) {
	return controller.Result{}, nil
}

var podResource = corev1.SchemeGroupVersion.WithResource("pods")

// runController runs a controller on a fake clientset with these pods until it is idle.
func runController(t *testing.T, reconcile reconcileFunc, names []string, options ...controller.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		kube := kubefake.NewClientset()
		for _, name := range names {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
			require.NoError(t, kube.Tracker().Create(podResource, pod, "shop"))
		}
		c, err := controller.New(informer.Namespaced(kube, podResource, kube.CoreV1().Pods), reconcile, options...)
		require.NoError(t, err)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Run(ctx) }()
		synctest.Wait()
		stop()
		assert.NoError(t, <-done)
	})
}

// values returns the values of all series of the registry without buckets.
func values(t *testing.T, m *metrics.Metrics) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	for _, one := range scrape(t, promhttp.HandlerFor(m.Registry(), promhttp.HandlerOpts{})) {
		if !strings.HasSuffix(one.name, "_bucket") {
			all[one.String()] = one.value
		}
	}
	return all
}

// ready returns metrics whose controller has not reconciled anything yet.
func ready() *metrics.Metrics {
	m := metrics.New()
	m.Ready(controllerName, 2)
	return m
}

// untouched returns the values of all series before the first reconcile.
func untouched(workers int) map[string]float64 {
	all := map[string]float64{}
	for _, result := range []string{"success", "requeue_after", "requeue", "error"} {
		all[`controller_runtime_reconcile_total{controller="`+controllerName+`",result="`+result+`"}`] = 0
	}
	for _, outcome := range []string{"success", "requeue", "waiting", "paused", "conflict", "error", "gave_up", "canceled"} {
		for _, suffix := range []string{"sum", "count"} {
			all[`controller_reconcile_duration_seconds_`+suffix+`{controller="`+controllerName+`",outcome="`+outcome+`"}`] = 0
		}
	}
	for _, name := range []string{
		"controller_runtime_reconcile_errors_total", "controller_runtime_terminal_reconcile_errors_total",
		"controller_runtime_reconcile_panics_total", "controller_runtime_active_workers",
		"controller_runtime_reconcile_time_seconds_sum", "controller_runtime_reconcile_time_seconds_count",
		"controller_gave_up_total", "controller_stale_reconciles_total",
		"controller_held_back_seconds_sum", "controller_held_back_seconds_count",
	} {
		all[of(name)] = 0
	}
	all[of("controller_runtime_max_concurrent_reconciles")] = float64(workers)
	return all
}

// of returns the series of the controller that has no other label.
func of(name string) string { return name + `{controller="` + controllerName + `"}` }

// TestReady runs a controller without objects.
func TestReady(t *testing.T) {
	m := metrics.New()
	runController(t, succeed, nil, controller.WithMetrics(m), controller.WithWorkers(3))
	got := values(t, m)
	delete(got, of("controller_longest_running_reconcile_seconds")) // of every controller that says so
	delete(got, of("controller_paused_objects"))
	delete(got, of("controller_missing_definition_fields"))
	assert.Equal(t, untouched(3), got)
}

// TestControllers checks that controllers can share metrics.
func TestControllers(t *testing.T) {
	m := metrics.New()
	runController(t, succeed, []string{"web", "db"}, controller.WithMetrics(m))
	runController(t, func(context.Context, *corev1.Pod) (controller.Result, error) {
		return controller.Result{}, controller.TerminalError(errors.New("no image"))
	}, []string{"web"}, controller.WithMetrics(m), controller.WithName("images"))

	got := values(t, m)
	assert.InDelta(t, 2, got[`controller_runtime_reconcile_total{controller="pods",result="success"}`], 0)
	assert.InDelta(t, 0, got[`controller_gave_up_total{controller="pods"}`], 0)
	assert.InDelta(t, 0, got[`controller_runtime_reconcile_total{controller="images",result="success"}`], 0)
	assert.InDelta(t, 1, got[`controller_gave_up_total{controller="images"}`], 0)
}

func TestReconciled(t *testing.T) {
	tests := map[controller.Outcome]struct {
		result string
		errors float64
	}{
		controller.OutcomeSuccess:  {result: "success"},
		controller.OutcomeRequeue:  {result: "requeue_after"},
		controller.OutcomeWaiting:  {result: "requeue_after"},
		controller.OutcomePaused:   {result: "success"},
		controller.OutcomeConflict: {result: "requeue"},
		controller.OutcomeError:    {result: "error", errors: 1},
		controller.OutcomeGaveUp:   {result: "error", errors: 1},
		controller.OutcomeCanceled: {result: "error", errors: 1},
	}
	for outcome, test := range tests {
		t.Run(string(outcome), func(t *testing.T) {
			m := ready()
			m.Reconciling(controllerName)
			want := untouched(2)
			want[of("controller_runtime_active_workers")] = 1
			assert.Equal(t, want, values(t, m))

			m.Reconciled(controllerName, outcome, 1500*time.Millisecond)
			want = untouched(2)
			want[`controller_runtime_reconcile_total{controller="`+controllerName+`",result="`+test.result+`"}`] = 1
			want[of("controller_runtime_reconcile_errors_total")] = test.errors
			want[of("controller_runtime_reconcile_time_seconds_count")] = 1
			want[of("controller_runtime_reconcile_time_seconds_sum")] = 1.5
			want[`controller_reconcile_duration_seconds_count{controller="`+controllerName+`",outcome="`+string(outcome)+`"}`] = 1
			want[`controller_reconcile_duration_seconds_sum{controller="`+controllerName+`",outcome="`+string(outcome)+`"}`] = 1.5
			assert.Equal(t, want, values(t, m))
		})
	}
}

func TestOtherMetrics(t *testing.T) {
	tests := map[string]struct {
		report func(controller.Metrics)
		want   map[string]float64
	}{
		"panic": {
			report: func(m controller.Metrics) { m.Panicked(controllerName) },
			want:   map[string]float64{"controller_runtime_reconcile_panics_total": 1},
		},
		"last retry": {
			report: func(m controller.Metrics) { m.GaveUp(controllerName, false) },
			want:   map[string]float64{"controller_gave_up_total": 1},
		},
		"terminal error": {
			report: func(m controller.Metrics) { m.GaveUp(controllerName, true) },
			want:   map[string]float64{"controller_gave_up_total": 1, "controller_runtime_terminal_reconcile_errors_total": 1},
		},
		"held back": {
			report: func(m controller.Metrics) { m.HeldBack(controllerName, 2*time.Second, false) },
			want:   map[string]float64{"controller_held_back_seconds_count": 1, "controller_held_back_seconds_sum": 2},
		},
		"held back in vain": {
			report: func(m controller.Metrics) { m.HeldBack(controllerName, time.Minute, true) },
			want: map[string]float64{
				"controller_held_back_seconds_count": 1, "controller_held_back_seconds_sum": 60, "controller_stale_reconciles_total": 1,
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := ready()
			test.report(m)
			want := untouched(2)
			for name, value := range test.want {
				want[of(name)] = value
			}
			assert.Equal(t, want, values(t, m))
		})
	}
}

// TestLongestRunning checks that the gauge is computed at each scrape, and that of a restarted controller is its successor's.
func TestLongestRunning(t *testing.T) {
	const gauge = `controller_longest_running_reconcile_seconds`
	m := metrics.New()
	assert.Empty(t, values(t, m))

	longest := 1500 * time.Millisecond
	m.LongestRunning(controllerName, func() time.Duration { return longest })
	m.LongestRunning("nodes", func() time.Duration { return 0 })
	assert.Equal(t, map[string]float64{of(gauge): 1.5, gauge + `{controller="nodes"}`: 0}, values(t, m))

	longest = time.Hour
	assert.InDelta(t, 3600, values(t, m)[of(gauge)], 0)

	m.LongestRunning(controllerName, func() time.Duration { return time.Second })
	assert.InDelta(t, 1, values(t, m)[of(gauge)], 0)
}

// TestMissingFields checks that the gauge is computed at each scrape.
func TestMissingFields(t *testing.T) {
	m, missing := metrics.New(), 2
	m.MissingFields(controllerName, func() int { return missing })
	assert.Equal(t, map[string]float64{of("controller_missing_definition_fields"): 2}, values(t, m))
	missing = 0
	assert.Equal(t, map[string]float64{of("controller_missing_definition_fields"): 0}, values(t, m))
}

// TestShardsIgnored checks that the gauge is computed at each scrape, once for each resource.
func TestShardsIgnored(t *testing.T) {
	m := metrics.New()
	described := informer.Description{
		{Resource: "pods", Shards: "0-9"}, {Resource: "pods", Shards: "0-9", Metadata: true, ShardsIgnored: true},
		{Resource: "nodes", Shards: "0-9"}, {Resource: "secrets"},
	}
	m.Informers(func() informer.Description { return described })
	gauge := func(resource string) string { return fmt.Sprintf("informer_shards_ignored{resource=%q}", resource) }
	assert.Equal(t, map[string]float64{gauge("pods"): 1, gauge("nodes"): 0}, values(t, m))
	described[1].ShardsIgnored = false
	assert.Equal(t, map[string]float64{gauge("pods"): 0, gauge("nodes"): 0}, values(t, m))
}

// TestBuckets checks that the gauges are computed at each scrape.
func TestBuckets(t *testing.T) {
	m, open := metrics.New(), 85
	m.Buckets(controllerName, func() (int, int) { return open, 256 - open })
	assert.Equal(t, map[string]float64{of("controller_buckets"): 85, of("controller_moving_buckets"): 171}, values(t, m))
	open = 256
	assert.Equal(t, map[string]float64{of("controller_buckets"): 256, of("controller_moving_buckets"): 0}, values(t, m))
}

// TestPaused checks that the gauge is computed at each scrape.
func TestPaused(t *testing.T) {
	m, paused := metrics.New(), 3
	m.Paused(controllerName, func() int { return paused })
	assert.Equal(t, map[string]float64{of("controller_paused_objects"): 3}, values(t, m))
	paused = 0
	assert.Equal(t, map[string]float64{of("controller_paused_objects"): 0}, values(t, m))
}

// TestServed checks that one page has the metrics of controllers, those of users, and those of client-go and the Go runtime.
func TestServed(t *testing.T) {
	m := ready()
	robots := prometheus.NewGauge(prometheus.GaugeOpts{Name: "robots", Help: "Robots that answer."})
	m.Registry().MustRegister(robots)
	robots.Set(7)
	served := map[string]float64{}
	for _, one := range scrape(t, m) {
		served[one.name] = one.value
	}
	assert.InDelta(t, 7, served["robots"], 0)
	for _, name := range []string{"controller_gave_up_total", "go_goroutines", "process_start_time_seconds"} {
		assert.Contains(t, served, name)
	}
}

// TestCollectedTwice checks that the response to a scrape names a metric that another registry has, too.
func TestCollectedTwice(t *testing.T) {
	m := metrics.New()
	m.Registry().MustRegister(collectors.NewGoCollector())
	response := httptest.NewRecorder()
	m.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	assert.Equal(t, http.StatusInternalServerError, response.Code)
	assert.Contains(t, response.Body.String(), "go_goroutines")
}

// TestScrapedWhileReported runs into the race detector if a method and a scrape access something without a lock.
func TestScrapedWhileReported(t *testing.T) {
	m := ready()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 100 {
			m.LongestRunning(controllerName, func() time.Duration { return time.Second })
			m.Reconciling(controllerName)
			m.Reconciled(controllerName, controller.OutcomeSuccess, time.Millisecond)
		}
	}()
	for range 10 {
		values(t, m)
	}
	<-done
	assert.InDelta(t, 100, values(t, m)[`controller_runtime_reconcile_total{controller="pods",result="success"}`], 0)
}
