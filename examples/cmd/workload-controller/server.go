/*
Copyright The informer-gen-lite Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"k8s.io/component-base/metrics/legacyregistry"
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // registers the metrics of queues, informers, REST clients and leader election
	klog "k8s.io/klog/v2"

	controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers"
)

// registry holds the metrics that are defined here.
var registry = prometheus.NewRegistry()

// reconciles has the metrics of the reconciles themselves.
var reconciles = reconcileMetrics{
	duration: promauto.With(registry).NewHistogramVec(prometheus.HistogramOpts{
		Name:    "controller_reconcile_duration_seconds",
		Help:    "How long reconciles took, by what came of them.",
		Buckets: prometheus.ExponentialBuckets(0.001, 2, 16),
	}, []string{"controller", "outcome"}),
	gaveUp: promauto.With(registry).NewCounterVec(prometheus.CounterOpts{
		Name: "controller_gave_up_total",
		Help: "How many objects were given up after too many failures, until something happens to them.",
	}, []string{"controller"}),
}

type reconcileMetrics struct {
	duration *prometheus.HistogramVec
	gaveUp   *prometheus.CounterVec
}

var _ controllers.Metrics = reconcileMetrics{}

func (m reconcileMetrics) Reconciled(controller string, outcome controllers.Outcome, took time.Duration) {
	m.duration.WithLabelValues(controller, string(outcome)).Observe(took.Seconds())
}

func (m reconcileMetrics) GaveUp(controller string) { m.gaveUp.WithLabelValues(controller).Inc() }

// serve answers probes and offers metrics, until the function that it returns is called.
func serve(ctx context.Context, address string, ready func() bool) (stop func(), err error) {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !ready() {
			http.Error(w, "not all objects are known yet", http.StatusServiceUnavailable)
		}
	})
	all := prometheus.Gatherers{registry, legacyregistry.DefaultGatherer} // that of Kubernetes has the Go runtime too
	mux.Handle("/metrics", promhttp.HandlerFor(all, promhttp.HandlerOpts{}))
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	logger := klog.FromContext(ctx)
	logger.Info("Serving", "address", listener.Addr().String())
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			logger.Error(err, "Probes are not answered any more")
		}
	}()
	return func() {
		_ = server.Close()
		<-done
	}, nil
}
