package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	reconciler "github.com/informer-gen-lite/informer-gen-lite/examples/internal/controller/workload"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// TestServerLimits checks that clients cannot block the server: all limits are set, and a client that does not finish its header
// is disconnected.
func TestServerLimits(t *testing.T) {
	server := newServer(fixed{synced: true})
	for name, limit := range map[string]time.Duration{
		"header": server.ReadHeaderTimeout, "read": server.ReadTimeout, "write": server.WriteTimeout, "idle": server.IdleTimeout,
	} {
		assert.Positive(t, limit, name)
	}
	assert.Positive(t, server.MaxHeaderBytes)

	server.ReadHeaderTimeout = time.Millisecond
	listener, err := net.Listen("tcp", "localhost:0")
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	client, err := net.Dial("tcp", listener.Addr().String())
	require.NoError(t, err)
	defer func() { _ = client.Close() }()
	require.NoError(t, client.SetDeadline(time.Now().Add(time.Minute)))
	_, _ = io.WriteString(client, "GET /metrics HTTP/1.1\r\nHost: ") // fails if the server has closed the connection already
	_, err = io.ReadAll(client)
	assert.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the server closes the connection")
	require.NoError(t, server.Close())
	assert.ErrorIs(t, <-done, http.ErrServerClosed)
}

// fixed is a controller in one state.
type fixed struct {
	synced   bool
	unserved []string
}

func (f fixed) HasSynced() bool    { return f.synced }
func (f fixed) Unserved() []string { return f.unserved }

func TestReadiness(t *testing.T) {
	for want, of := range map[string]fixed{
		"503 informers have not synced\n":      {},
		"200 ":                                 {synced: true},
		"200 waits for gateways.example.com\n": {synced: true, unserved: []string{"gateways.example.com"}},
	} {
		got := httptest.NewRecorder()
		newHandler(of).ServeHTTP(got, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		assert.Equal(t, want, fmt.Sprintf("%d %s", got.Code, got.Body))
	}
}

func TestServerIsLocalByDefault(t *testing.T) {
	o, err := parseOptions(nil)
	require.NoError(t, err)
	host, _, err := net.SplitHostPort(o.address)
	require.NoError(t, err)
	assert.Equal(t, "localhost", host)
}

// controllerName is the value of the labels controller and name.
const controllerName = "workloads.fleet.example.com"

// series is one time series of /metrics.
type series struct {
	name   string
	labels map[string]string
	value  float64
}

// String returns the series as PromQL selects it, with sorted labels.
func (s series) String() string {
	var labels []string
	for _, label := range slices.Sorted(maps.Keys(s.labels)) {
		labels = append(labels, label+"="+strconv.Quote(s.labels[label]))
	}
	return s.name + "{" + strings.Join(labels, ",") + "}"
}

var (
	seriesLine = regexp.MustCompile(`^([a-zA-Z_:][\w:]*)(?:{(.*)})? (\S+)$`)
	labelPair  = regexp.MustCompile(`(\w+)=("(?:[^"\\]|\\.)*")`)
)

// scrape returns the series that a handler serves at /metrics.
func scrape(t *testing.T, handler http.Handler) []series {
	t.Helper()
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, response.Code, response.Body)
	var all []series
	for line := range strings.Lines(response.Body.String()) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		parts := seriesLine.FindStringSubmatch(strings.TrimSpace(line))
		require.NotNil(t, parts, line)
		one := series{name: parts[1], labels: map[string]string{}}
		for _, pair := range labelPair.FindAllStringSubmatch(parts[2], -1) {
			one.labels[pair[1]] = unquote(t, pair[2])
		}
		var err error
		one.value, err = strconv.ParseFloat(parts[3], 64)
		require.NoError(t, err, line)
		all = append(all, one)
	}
	return all
}

func unquote(t *testing.T, quoted string) string {
	t.Helper()
	text, err := strconv.Unquote(quoted)
	require.NoError(t, err, quoted)
	return text
}

// values returns the values of all series without buckets.
func values(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	for _, one := range scrape(t, promhttp.HandlerFor(registry, promhttp.HandlerOpts{})) {
		if !strings.HasSuffix(one.name, "_bucket") {
			all[one.String()] = one.value
		}
	}
	return all
}

// untouched returns the values of all series before the first reconcile.
func untouched(workers int) map[string]float64 {
	all := map[string]float64{}
	for _, result := range []string{"success", "requeue_after", "requeue", "error"} {
		all[`controller_runtime_reconcile_total{controller="`+controllerName+`",result="`+result+`"}`] = 0
	}
	for _, outcome := range []string{"success", "requeue", "waiting", "conflict", "error", "gave_up", "cancelled"} {
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

// runController runs the controller on fake clientsets until it is idle.
func runController(t *testing.T, metrics controller.Metrics, workers int, objects ...runtime.Object) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c, err := reconciler.New(fake.NewStrictClientset(objects...), kubefake.NewClientset(), events.NewFakeRecorder(100),
			controller.WithMetrics(metrics), controller.WithWorkers(workers))
		require.NoError(t, err)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Run(ctx) }()
		synctest.Wait()
		stop()
		assert.NoError(t, <-done)
	})
}

// TestReady runs the controller without objects.
func TestReady(t *testing.T) {
	registry := prometheus.NewRegistry()
	runController(t, newReconcileMetrics(registry), 3)
	assert.Equal(t, untouched(3), values(t, registry))
}

func TestReconciled(t *testing.T) {
	tests := map[controller.Outcome]struct {
		result string
		errors float64
	}{
		controller.OutcomeSuccess:   {result: "success"},
		controller.OutcomeRequeue:   {result: "requeue_after"},
		controller.OutcomeWaiting:   {result: "requeue_after"},
		controller.OutcomeConflict:  {result: "requeue"},
		controller.OutcomeError:     {result: "error", errors: 1},
		controller.OutcomeGaveUp:    {result: "error", errors: 1},
		controller.OutcomeCancelled: {result: "error", errors: 1},
	}
	assert.Len(t, results, len(tests))
	for outcome, test := range tests {
		t.Run(string(outcome), func(t *testing.T) {
			registry := prometheus.NewRegistry()
			metrics := newReconcileMetrics(registry)
			metrics.Ready(controllerName, 2)
			metrics.Reconciling(controllerName)
			want := untouched(2)
			want[of("controller_runtime_active_workers")] = 1
			assert.Equal(t, want, values(t, registry))

			metrics.Reconciled(controllerName, outcome, 1500*time.Millisecond)
			want = untouched(2)
			want[`controller_runtime_reconcile_total{controller="`+controllerName+`",result="`+test.result+`"}`] = 1
			want[of("controller_runtime_reconcile_errors_total")] = test.errors
			want[of("controller_runtime_reconcile_time_seconds_count")] = 1
			want[of("controller_runtime_reconcile_time_seconds_sum")] = 1.5
			want[`controller_reconcile_duration_seconds_count{controller="`+controllerName+`",outcome="`+string(outcome)+`"}`] = 1
			want[`controller_reconcile_duration_seconds_sum{controller="`+controllerName+`",outcome="`+string(outcome)+`"}`] = 1.5
			assert.Equal(t, want, values(t, registry))
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
			registry := prometheus.NewRegistry()
			metrics := newReconcileMetrics(registry)
			metrics.Ready(controllerName, 2)
			test.report(metrics)
			want := untouched(2)
			for name, value := range test.want {
				want[of(name)] = value
			}
			assert.Equal(t, want, values(t, registry))
		})
	}
}
