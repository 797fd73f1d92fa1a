package securemetrics_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/securemetrics"
)

func Example() {
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
