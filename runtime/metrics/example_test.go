package metrics_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/metrics"
)

// seriesOf returns the first line of a scrape that begins with a prefix.
func seriesOf(m *metrics.Metrics, prefix string) string {
	response := httptest.NewRecorder()
	m.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for line := range strings.Lines(response.Body.String()) {
		if strings.HasPrefix(line, prefix) {
			return line
		}
	}
	return ""
}

func Example() {
	m := metrics.New()
	kube := kubefake.NewClientset()
	source := informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods)
	c, err := controller.New(source, reconcileFunc(succeed), controller.WithMetrics(m))
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", m)
	fmt.Println(c.HasSynced())
	// Output: false
}

// Metrics of your own are served together with those of controllers.
func ExampleMetrics_Registry() {
	m := metrics.New()
	robots := prometheus.NewGauge(prometheus.GaugeOpts{Name: "robots", Help: "Robots that answer."})
	m.Registry().MustRegister(robots)
	robots.Set(7)
	fmt.Println(seriesOf(m, "robots"))
	// Output: robots 7
}

// Controllers call LongestRunning. The gauge grows while a reconcile hangs.
func ExampleMetrics_LongestRunning() {
	m := metrics.New()
	m.LongestRunning("robots.example.com", func() time.Duration { return 90 * time.Second })
	fmt.Println(seriesOf(m, "controller_longest_running"))
	// Output: controller_longest_running_reconcile_seconds{controller="robots.example.com"} 90
}
