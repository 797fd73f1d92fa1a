package metrics

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"k8s.io/component-base/metrics/legacyregistry"
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // registers the metrics of queues, informers, REST clients and leader election

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// Metrics receives the metrics of any number of controllers and serves them. Pass it to controller.WithMetrics, or once to the
// manager of all controllers. Its methods may be called concurrently.
type Metrics struct {
	controller.NoMetrics

	registry *prometheus.Registry
	handler  http.Handler

	total, errors, terminal, panics *prometheus.CounterVec
	seconds                         *prometheus.HistogramVec
	active, workers                 *prometheus.GaugeVec

	duration, heldBack       *prometheus.HistogramVec
	gaveUp, stale            *prometheus.CounterVec
	running, paused, missing *sampled
	buckets, moving          *sampled
	shards                   *shards
}

var (
	_ controller.Metrics = &Metrics{}
	_ http.Handler       = &Metrics{}
)

// sharedBuckets are controller-runtime's buckets, in seconds. Alerts refer to their upper bounds.
var sharedBuckets = []float64{
	0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3,
	3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
}

// New returns metrics with a registry of their own.
func New() *Metrics {
	registry := prometheus.NewRegistry()
	with := promauto.With(registry)
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return with.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, append([]string{"controller"}, labels...))
	}
	gauge := func(name, help string) *prometheus.GaugeVec {
		return with.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, []string{"controller"})
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return with.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, append([]string{"controller"}, labels...))
	}
	fine := prometheus.ExponentialBuckets(0.001, 2, 18) // 1 ms to 131 s
	running := newSampled("controller_longest_running_reconcile_seconds",
		"How long the longest of the reconciles in flight has been running; 0 if no reconcile is in flight.")
	paused := newSampled("controller_paused_objects", "Objects that an annotation pauses.")
	missing, shards, buckets, moving := newMissing(), newShards(), newBuckets(), newMoving()
	registry.MustRegister(running, paused, missing, shards, buckets, moving)
	all := prometheus.Gatherers{registry, legacyregistry.DefaultGatherer} // legacyregistry includes the metrics of the Go runtime
	return &Metrics{
		registry: registry,
		handler:  promhttp.HandlerFor(all, promhttp.HandlerOpts{}),

		total: counter("controller_runtime_reconcile_total",
			"Reconciles by result: success, requeue_after, requeue (conflicts), or error.", "result"),
		errors:   counter("controller_runtime_reconcile_errors_total", "Reconciles that failed, not counting conflicts."),
		terminal: counter("controller_runtime_terminal_reconcile_errors_total", "Reconciles that failed with a terminal error."),
		panics:   counter("controller_runtime_reconcile_panics_total", "Reconciles, and functions for watched objects, that panicked."),
		seconds:  histogram("controller_runtime_reconcile_time_seconds", "Duration of reconciles.", sharedBuckets),
		active:   gauge("controller_runtime_active_workers", "Workers that are reconciling."),
		workers:  gauge("controller_runtime_max_concurrent_reconciles", "Workers in total."),

		duration: histogram("controller_reconcile_duration_seconds", "Duration of reconciles by outcome.", fine, "outcome"),
		gaveUp:   counter("controller_gave_up_total", "Objects that were dropped after a terminal error or the last retry."),
		heldBack: histogram("controller_held_back_seconds",
			"How long objects waited until the caches had the writes of their last reconcile.", fine),
		stale: counter("controller_stale_reconciles_total",
			"Reconciles on caches without the writes of the last reconcile, after the consistency timeout."),
		running: running, paused: paused, missing: missing, shards: shards, buckets: buckets, moving: moving,
	}
}

// Registry returns the registry of the metrics of controllers. Register your own metrics here to serve them at the same path.
// The Go and process collectors are served already; if they are registered again, every scrape fails.
func (m *Metrics) Registry() *prometheus.Registry { return m.registry }

// ServeHTTP serves the metrics of the registry, of client-go and of the Go runtime, in Prometheus' text format or another format that
// the request accepts. The path of the request does not matter.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.handler.ServeHTTP(w, r) }

// results maps outcomes to values of controller-runtime's label "result".
var results = map[controller.Outcome]string{
	controller.OutcomeSuccess:  "success",
	controller.OutcomeRequeue:  "requeue_after",
	controller.OutcomeWaiting:  "requeue_after",
	controller.OutcomePaused:   "success",
	controller.OutcomeConflict: "requeue",
	controller.OutcomeError:    "error",
	controller.OutcomeGaveUp:   "error",
	controller.OutcomeCanceled: "error",
}

// Ready implements controller.Metrics. It creates all series of the controller with the value 0, so that rates and alerts see
// the first increase.
func (m *Metrics) Ready(controller string, workers int) {
	for outcome, result := range results {
		m.total.WithLabelValues(controller, result)
		m.duration.WithLabelValues(controller, string(outcome))
	}
	for _, counter := range []*prometheus.CounterVec{m.errors, m.terminal, m.panics, m.gaveUp, m.stale} {
		counter.WithLabelValues(controller)
	}
	m.seconds.WithLabelValues(controller)
	m.heldBack.WithLabelValues(controller)
	m.active.WithLabelValues(controller).Set(0)
	m.workers.WithLabelValues(controller).Set(float64(workers))
}

// LongestRunning implements controller.Metrics. running is called at every scrape. If a controller of the same name comes later,
// it takes the place of the earlier one.
func (m *Metrics) LongestRunning(controller string, running func() time.Duration) {
	m.running.add(controller, func() float64 { return running().Seconds() })
}

// Paused implements controller.Metrics. paused is called as running is in LongestRunning.
func (m *Metrics) Paused(controller string, paused func() int) {
	m.paused.add(controller, func() float64 { return float64(paused()) })
}

// Reconciling implements controller.Metrics.
func (m *Metrics) Reconciling(controller string) { m.active.WithLabelValues(controller).Inc() }

// Reconciled implements controller.Metrics.
func (m *Metrics) Reconciled(controller string, outcome controller.Outcome, took time.Duration) {
	m.active.WithLabelValues(controller).Dec()
	m.total.WithLabelValues(controller, results[outcome]).Inc()
	if results[outcome] == "error" {
		m.errors.WithLabelValues(controller).Inc()
	}
	m.seconds.WithLabelValues(controller).Observe(took.Seconds())
	m.duration.WithLabelValues(controller, string(outcome)).Observe(took.Seconds())
}

// Panicked implements controller.Metrics.
func (m *Metrics) Panicked(controller string) { m.panics.WithLabelValues(controller).Inc() }

// GaveUp implements controller.Metrics.
func (m *Metrics) GaveUp(controller string, terminal bool) {
	m.gaveUp.WithLabelValues(controller).Inc()
	if terminal {
		m.terminal.WithLabelValues(controller).Inc()
	}
}

// HeldBack implements controller.Metrics.
func (m *Metrics) HeldBack(controller string, waited time.Duration, stale bool) {
	m.heldBack.WithLabelValues(controller).Observe(waited.Seconds())
	if stale {
		m.stale.WithLabelValues(controller).Inc()
	}
}
