package metrics

import (
	"maps"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// running collects how long the longest reconcile in flight of each controller has been running, at the time of the scrape: a
// gauge that is set when a reconcile ends would never show the one that hangs.
type running struct {
	description *prometheus.Desc

	mu        sync.Mutex // guards functions; not held while they are called
	functions map[string]func() time.Duration
}

func newRunning() *running {
	return &running{
		description: prometheus.NewDesc("controller_longest_running_reconcile_seconds",
			"How long the longest of the reconciles in flight has been running; 0 if no reconcile is in flight.", []string{"controller"}, nil),
		functions: map[string]func() time.Duration{},
	}
}

func (r *running) add(controller string, function func() time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.functions[controller] = function
}

// Describe implements prometheus.Collector.
func (r *running) Describe(descriptions chan<- *prometheus.Desc) { descriptions <- r.description }

// Collect implements prometheus.Collector.
func (r *running) Collect(metrics chan<- prometheus.Metric) {
	r.mu.Lock()
	functions := maps.Clone(r.functions)
	r.mu.Unlock()
	for controller, function := range functions {
		metrics <- prometheus.MustNewConstMetric(r.description, prometheus.GaugeValue, function().Seconds(), controller)
	}
}
