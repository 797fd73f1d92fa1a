package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/netutil"
	"k8s.io/component-base/metrics/legacyregistry"
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // registers the metrics of queues, informers, REST clients and leader election
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// registry has the metrics that are defined in this file.
var registry = prometheus.NewRegistry()

// reconciles has the metrics of reconciles. Metrics named controller_runtime_* have the same meaning as in
// controller-runtime, so its dashboards and alerts work here too.
var reconciles = newReconcileMetrics(registry)

type reconcileMetrics struct {
	controller.NoMetrics

	total, errors, terminal, panics *prometheus.CounterVec
	seconds                         *prometheus.HistogramVec
	active, workers                 *prometheus.GaugeVec

	duration, heldBack *prometheus.HistogramVec
	gaveUp, stale      *prometheus.CounterVec
}

var _ controller.Metrics = reconcileMetrics{}

// sharedBuckets are controller-runtime's buckets, in seconds. Alerts refer to their upper bounds.
var sharedBuckets = []float64{
	0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3,
	3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
}

func newReconcileMetrics(registry prometheus.Registerer) reconcileMetrics {
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
	return reconcileMetrics{
		total:    counter("controller_runtime_reconcile_total", "Reconciles by result: success, requeue_after, requeue (conflicts), or error.", "result"),
		errors:   counter("controller_runtime_reconcile_errors_total", "Reconciles that failed, not counting conflicts."),
		terminal: counter("controller_runtime_terminal_reconcile_errors_total", "Reconciles that failed with a terminal error."),
		panics:   counter("controller_runtime_reconcile_panics_total", "Reconciles that panicked."),
		seconds:  histogram("controller_runtime_reconcile_time_seconds", "Duration of reconciles.", sharedBuckets),
		active:   gauge("controller_runtime_active_workers", "Workers that are reconciling."),
		workers:  gauge("controller_runtime_max_concurrent_reconciles", "Workers in total."),

		duration: histogram("controller_reconcile_duration_seconds", "Duration of reconciles by outcome.", fine, "outcome"),
		gaveUp:   counter("controller_gave_up_total", "Objects that were dropped after a terminal error or the last retry."),
		heldBack: histogram("controller_held_back_seconds", "How long objects waited until the caches had the writes of their last reconcile.", fine),
		stale:    counter("controller_stale_reconciles_total", "Reconciles on caches without the writes of the last reconcile, after the consistency timeout."),
	}
}

// results maps outcomes to values of controller-runtime's label "result".
var results = map[controller.Outcome]string{
	controller.OutcomeSuccess:   "success",
	controller.OutcomeRequeue:   "requeue_after",
	controller.OutcomeWaiting:   "requeue_after",
	controller.OutcomeConflict:  "requeue",
	controller.OutcomeError:     "error",
	controller.OutcomeGaveUp:    "error",
	controller.OutcomeCancelled: "error",
}

// Ready implements controller.Metrics. It sets all metrics to 0.
func (m reconcileMetrics) Ready(name string, workers int) {
	for outcome, result := range results {
		m.total.WithLabelValues(name, result)
		m.duration.WithLabelValues(name, string(outcome))
	}
	for _, counter := range []*prometheus.CounterVec{m.errors, m.terminal, m.panics, m.gaveUp, m.stale} {
		counter.WithLabelValues(name)
	}
	m.seconds.WithLabelValues(name)
	m.heldBack.WithLabelValues(name)
	m.active.WithLabelValues(name).Set(0)
	m.workers.WithLabelValues(name).Set(float64(workers))
}

// Reconciling implements controller.Metrics.
func (m reconcileMetrics) Reconciling(name string) { m.active.WithLabelValues(name).Inc() }

// Reconciled implements controller.Metrics.
func (m reconcileMetrics) Reconciled(name string, outcome controller.Outcome, took time.Duration) {
	m.active.WithLabelValues(name).Dec()
	m.total.WithLabelValues(name, results[outcome]).Inc()
	if results[outcome] == "error" {
		m.errors.WithLabelValues(name).Inc()
	}
	m.seconds.WithLabelValues(name).Observe(took.Seconds())
	m.duration.WithLabelValues(name, string(outcome)).Observe(took.Seconds())
}

// Panicked implements controller.Metrics.
func (m reconcileMetrics) Panicked(name string) { m.panics.WithLabelValues(name).Inc() }

// GaveUp implements controller.Metrics.
func (m reconcileMetrics) GaveUp(name string, terminal bool) {
	m.gaveUp.WithLabelValues(name).Inc()
	if terminal {
		m.terminal.WithLabelValues(name).Inc()
	}
}

// HeldBack implements controller.Metrics.
func (m reconcileMetrics) HeldBack(name string, waited time.Duration, stale bool) {
	m.heldBack.WithLabelValues(name).Observe(waited.Seconds())
	if stale {
		m.stale.WithLabelValues(name).Inc()
	}
}

// state says whether a controller is ready. Resources that are not served yet do not keep it from that.
type state interface {
	HasSynced() bool
	Unserved() []string
}

// newHandler returns a handler for probes and metrics.
func newHandler(of state) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !of.HasSynced() {
			http.Error(w, "informers have not synced", http.StatusServiceUnavailable)
			return
		}
		for _, resource := range of.Unserved() {
			_, _ = fmt.Fprintf(w, "waits for %s\n", resource)
		}
	})
	all := prometheus.Gatherers{registry, legacyregistry.DefaultGatherer} // legacyregistry includes the metrics of the Go runtime
	mux.Handle("/metrics", promhttp.HandlerFor(all, promhttp.HandlerOpts{}))
	return mux
}

// maxConnections limits open connections. The only clients are the kubelet and a few metrics scrapers.
const maxConnections = 64

// newServer returns a server with limits for slow clients and large requests.
func newServer(of state) *http.Server {
	return &http.Server{
		Handler:           newHandler(of),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
}

// serve serves probes and metrics until stop is called.
func serve(ctx context.Context, address string, of state) (stop func(), err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	logger := klog.FromContext(ctx)
	logger.Info("Serving", "address", listener.Addr().String())
	server := newServer(of)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(netutil.LimitListener(listener, maxConnections)); !errors.Is(err, http.ErrServerClosed) {
			logger.Error(err, "Serving probes and metrics failed")
		}
	}()
	return func() {
		_ = server.Close()
		<-done
	}, nil
}
