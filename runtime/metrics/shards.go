package metrics

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// shards collects for each resource with shards whether the API server ignores them, at the time of the scrape.
type shards struct {
	description *prometheus.Desc

	mu        sync.Mutex // guards described
	described []func() informer.Description
}

func newShards() *shards {
	return &shards{description: prometheus.NewDesc("informer_shards_ignored",
		"1 while the API server sends the objects of all shards, 0 while it filters.", []string{"resource"}, nil)}
}

// Informers implements manager.Metrics. The informers are described at each scrape.
func (m *Metrics) Informers(describe func() informer.Description) {
	m.shards.mu.Lock()
	defer m.shards.mu.Unlock()
	m.shards.described = append(m.shards.described, describe)
}

// Describe implements prometheus.Collector.
func (s *shards) Describe(descriptions chan<- *prometheus.Desc) { descriptions <- s.description }

// Collect implements prometheus.Collector.
func (s *shards) Collect(metrics chan<- prometheus.Metric) {
	s.mu.Lock()
	described := s.described
	s.mu.Unlock()
	ignored := map[string]float64{}
	for _, describe := range described {
		for _, status := range describe() {
			if status.Shards == "" {
				continue
			}
			ignored[status.Resource] += 0
			if status.ShardsIgnored {
				ignored[status.Resource] = 1
			}
		}
	}
	for resource, value := range ignored {
		metrics <- prometheus.MustNewConstMetric(s.description, prometheus.GaugeValue, value, resource)
	}
}
