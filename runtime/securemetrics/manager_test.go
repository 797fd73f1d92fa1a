package securemetrics

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"regexp"
	"testing"

	"github.com/go-logr/logr/funcr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager"
)

var _ manager.Security = &Security{}

// up is a manager's metrics.
type up struct{ controller.NoMetrics }

func (up) Informers(func() informer.Description) {}

func (up) ServeHTTP(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "up 1\n") }

// addressOf finds the address of the metrics in the log of a manager.
var addressOf = regexp.MustCompile(`"Serving metrics" "address"="([^"]+)"`)

// TestManager scrapes the metrics of a manager.
func TestManager(t *testing.T) {
	a := newAPI(t)
	m, err := manager.New("operator", a.config(),
		manager.ServeMetrics("localhost:0"), manager.WithMetrics(up{}), manager.WithMetricsSecurity(New(Options{})))
	require.NoError(t, err)
	serving := make(chan string, 1)
	logger := funcr.New(func(_, args string) {
		if found := addressOf.FindStringSubmatch(args); found != nil {
			serving <- found[1]
		}
	}, funcr.Options{})
	ctx, stop := context.WithCancel(klog.NewContext(t.Context(), logger))
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // self-signed
	client := &http.Client{Transport: transport, Timeout: deadline}
	var address string
	select {
	case address = <-serving:
	case err := <-ended:
		require.FailNow(t, "the manager has ended", "%v", err)
	}
	scrape := func(path, token string) (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+address+path, nil)
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := client.Do(request)
		require.NoError(t, err)
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response.StatusCode, string(body)
	}
	for _, test := range []struct {
		path, token string
		code        int
		text        string
	}{
		{"/metrics", "", http.StatusUnauthorized, "Unauthorized\n"},
		{"/metrics", "invented", http.StatusUnauthorized, "Unauthorized\n"},
		{"/metrics", "token-of-guest", http.StatusForbidden, "Forbidden\n"},
		{"/metrics", "token-of-prometheus", http.StatusOK, "up 1\n"},
		{"/debug/pprof/", "token-of-prometheus", http.StatusNotFound, "404 page not found\n"},
	} {
		code, text := scrape(test.path, test.token)
		assert.Equal(t, test.code, code, test)
		assert.Equal(t, test.text, text, test)
	}
	plain, err := client.Get("http://" + address + "/metrics")
	require.NoError(t, err)
	require.NoError(t, plain.Body.Close())
	assert.Equal(t, http.StatusBadRequest, plain.StatusCode, "without TLS")
	transport.CloseIdleConnections()
	stop()
	require.NoError(t, <-ended)
}
