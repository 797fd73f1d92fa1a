package metrics

import (
	"maps"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// sampled collects a value of each controller at the time of the scrape: a gauge that is set when a reconcile ends would never show the
// reconcile that hangs.
type sampled struct {
	description *prometheus.Desc

	mu        sync.Mutex // guards functions; not held while they are called
	functions map[string]func() float64
}

func newSampled(name, help string) *sampled {
	return &sampled{
		description: prometheus.NewDesc(name, help, []string{"controller"}, nil), functions: map[string]func() float64{},
	}
}

func (s *sampled) add(controller string, function func() float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.functions[controller] = function
}

// Describe implements prometheus.Collector.
func (s *sampled) Describe(descriptions chan<- *prometheus.Desc) { descriptions <- s.description }

// Collect implements prometheus.Collector.
func (s *sampled) Collect(metrics chan<- prometheus.Metric) {
	s.mu.Lock()
	functions := maps.Clone(s.functions)
	s.mu.Unlock()
	for controller, function := range functions {
		metrics <- prometheus.MustNewConstMetric(s.description, prometheus.GaugeValue, function(), controller)
	}
}
