package securemetrics_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/securemetrics"
)

// The main function of an operator. The flag --metrics-address=:8443 serves the metrics on all interfaces.
func ExampleNew() { //nolint:testableexamples // it would run until the process ends
	var metrics manager.Metrics // metrics.New()
	setup := func(*manager.Manager) error { return nil }

	manager.Main("fleet-operator", setup,
		manager.WithMetrics(metrics),
		manager.WithMetricsSecurity(securemetrics.New(securemetrics.Options{
			CertFile: "/certs/tls.crt",
			KeyFile:  "/certs/tls.key",
		})),
	)
}

// Without a manager, the listener is the program's own.
func ExampleSecurity_Protect() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	metrics := http.NotFoundHandler() // metrics.New()
	security := securemetrics.New(securemetrics.Options{})
	config, handler, err := security.Protect(ctx, &rest.Config{Host: "https://api.example.com"}, metrics)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = &http.Server{Addr: ":8443", TLSConfig: config, Handler: handler} // ListenAndServeTLS("", "")

	response := httptest.NewRecorder()
	handler.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	fmt.Println("without a token:", response.Code)
	// Output: without a token: 401
}
