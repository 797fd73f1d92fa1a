package manager

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/terms"
)

// call calls a handler.
func call(handler http.HandlerFunc, method, body string) (int, string) {
	recorder := httptest.NewRecorder()
	handler(recorder, httptest.NewRequest(method, "/", strings.NewReader(body)))
	return recorder.Code, recorder.Body.String()
}

func TestProbes(t *testing.T) {
	j := &journal{}
	m := newManager(t, kubetest.NewClientset())
	s := newStub(m, j, "robots")
	require.NoError(t, m.Add(s))
	code, text := call(m.serveReadiness, http.MethodGet, "")
	assert.Equal(t, http.StatusServiceUnavailable, code)
	assert.Equal(t, "caches have not synced\n", text)
	code, _ = call(m.serveHealth, http.MethodGet, "")
	assert.Equal(t, http.StatusOK, code)
	end := begin(t, m)
	<-s.synced
	for code != http.StatusOK || text == "caches have not synced\n" {
		code, text = call(m.serveReadiness, http.MethodGet, "")
	}
	assert.Equal(t, "controller robots waits for gateways\n", text)
	require.NoError(t, end())
	s.running = time.Hour + time.Minute
	code, text = call(m.serveHealth, http.MethodGet, "")
	assert.Equal(t, http.StatusServiceUnavailable, code)
	assert.Equal(t, "controller robots: a reconcile has been running for 1h1m0s\n", text)
	m.settings.stuckAfter = 0
	code, _ = call(m.serveHealth, http.MethodGet, "")
	assert.Equal(t, http.StatusOK, code)
}

// TestChecks has checks of the user.
func TestChecks(t *testing.T) {
	failing, dark := errors.New("no connection"), errors.New("it is dark")
	check := func(err *error) func(context.Context) error {
		return func(ctx context.Context) error { return cmp.Or(ctx.Err(), *err) }
	}
	m := newManager(t, kubetest.NewClientset(), WithHealthCheck("database", check(&failing)), WithHealthCheck("light", check(&dark)),
		WithReadinessCheck("light", check(&dark)))
	m.recording.End(0)
	defer m.informerName.Release()
	code, text := call(m.serveHealth, http.MethodGet, "")
	assert.Equal(t, http.StatusServiceUnavailable, code)
	assert.Equal(t, "database: no connection\nlight: it is dark\n", text)
	m.synced = true
	code, text = call(m.serveReadiness, http.MethodGet, "")
	assert.Equal(t, http.StatusServiceUnavailable, code)
	assert.Equal(t, "light: it is dark\n", text)
	failing, dark = nil, nil
	for _, probe := range []http.HandlerFunc{m.serveHealth, m.serveReadiness} {
		code, _ = call(probe, http.MethodGet, "")
		assert.Equal(t, http.StatusOK, code)
	}
}

// TestClientLimits: client-go allows 5 requests per second by default.
func TestClientLimits(t *testing.T) {
	never := flowcontrol.NewFakeNeverRateLimiter()
	for want, config := range map[float32]*rest.Config{-1: {}, 7: {QPS: 7, Burst: 7}, 0: {RateLimiter: never}} {
		m, err := New("operator", config)
		require.NoError(t, err)
		assert.InDelta(t, want, m.Config().QPS, 0)
		assert.Equal(t, config.RateLimiter, m.Config().RateLimiter)
		m.recording.End(0)
		m.informerName.Release()
	}
}

// metricsStub serves metrics when it is told to.
type metricsStub struct {
	controller.NoMetrics

	arrived, answer chan struct{}
}

func (*metricsStub) Informers(func() informer.Description) {}

func (m *metricsStub) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	m.arrived <- struct{}{}
	<-m.answer
	_, _ = w.Write([]byte("up 1\n"))
}

// TestIdleConnectionsDoNotStarveProbes opens more connections than a server could have handled before.
func TestIdleConnectionsDoNotStarveProbes(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(http.ResponseWriter, *http.Request) {})
	server := newServer(mux, false)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	var idle []net.Conn
	for range 200 {
		connection, err := net.Dial("tcp", listener.Addr().String())
		require.NoError(t, err)
		idle = append(idle, connection)
	}
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{}}
	for range 3 {
		response, err := client.Get("http://" + listener.Addr().String() + "/healthz")
		require.NoError(t, err)
		assert.True(t, response.Close, "each request has its connection")
		require.NoError(t, response.Body.Close())
	}
	for _, connection := range idle {
		require.NoError(t, connection.Close())
	}
	require.NoError(t, server.Close())
	require.ErrorIs(t, <-served, http.ErrServerClosed)
}

// reviewer is a Security that passes requests on when it is told to.
type reviewer struct{ arrived, pass chan struct{} }

func (s *reviewer) Protect(_ context.Context, _ *rest.Config, next http.Handler) (*tls.Config, http.Handler, error) {
	return &tls.Config{MinVersion: tls.VersionTLS12}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.arrived <- struct{}{}
		<-s.pass
		next.ServeHTTP(w, r)
	}), nil
}

// TestMetricsAreLimited sends more requests than may wait for their reviews, and then allows more than are answered at once.
func TestMetricsAreLimited(t *testing.T) {
	metrics := &metricsStub{arrived: make(chan struct{}), answer: make(chan struct{})}
	security := &reviewer{arrived: make(chan struct{}), pass: make(chan struct{})}
	m := newManager(t, kubetest.NewClientset(), ServeMetrics("localhost:0"), WithMetrics(metrics), WithMetricsSecurity(security))
	m.recording.End(0)
	defer m.informerName.Release()
	encryption, handler, err := m.metricsHandler(t.Context())
	require.NoError(t, err)
	assert.NotNil(t, encryption)
	get := func() int {
		code, _ := call(handler.ServeHTTP, http.MethodGet, "")
		return code
	}
	codes := make(chan int)
	for range maxReviews {
		go func() { codes <- get() }()
		<-security.arrived
	}
	assert.Equal(t, http.StatusTooManyRequests, get(), "of too many clients")
	for range maxScrapes {
		security.pass <- struct{}{}
		<-metrics.arrived
	}
	security.pass <- struct{}{}
	assert.Equal(t, http.StatusTooManyRequests, <-codes, "of too many scrapers")
	close(metrics.answer)
	for range maxScrapes {
		assert.Equal(t, http.StatusOK, <-codes)
	}
	for range maxReviews - maxScrapes - 1 {
		security.pass <- struct{}{}
		<-metrics.arrived
		assert.Equal(t, http.StatusOK, <-codes)
	}
}

func TestAddressInUse(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close() //nolint:errcheck // the test has ended
	for what, option := range map[string]Option{
		"probes": ServeProbes(listener.Addr().String()), "debugging": ServeDebug(listener.Addr().String()),
		"metrics": ServeMetrics(listener.Addr().String()),
	} {
		m := newManager(t, kubetest.NewClientset(), option, WithMetrics(&metricsStub{}))
		assert.ErrorContains(t, m.Start(t.Context()), "the address of "+what+" cannot be served: listen tcp "+listener.Addr().String())
	}
}

// TestDebugging asks for the debug page, by a name that resolves to the loopback address, and by its own.
func TestDebugging(t *testing.T) {
	m := newManager(t, kubetest.NewClientset())
	m.recording.End(0)
	defer m.informerName.Release()
	require.NoError(t, m.Add(newStub(m, &journal{}, "robots")))
	get := func(host, path string) (int, string) {
		request := httptest.NewRequest(http.MethodGet, path, nil)
		request.Host = host
		recorder := httptest.NewRecorder()
		m.debugHandler().ServeHTTP(recorder, request)
		return recorder.Code, recorder.Body.String()
	}
	for _, host := range []string{"localhost", "localhost:6060", "127.0.0.1:6060", "[::1]:6060", "127.0.0.1"} {
		code, text := get(host, "/debug/controllers")
		assert.Equal(t, http.StatusOK, code, host)
		assert.Contains(t, text, "robots")
	}
	code, _ := get("rebound.example.com", "/debug/controllers")
	assert.Equal(t, http.StatusForbidden, code)
	code, text := get("localhost", "/debug/pprof/goroutine?debug=1")
	assert.Equal(t, http.StatusOK, code)
	assert.Contains(t, text, "goroutine profile")
}

// TestVerbosity changes the verbosity while the process runs.
func TestVerbosity(t *testing.T) {
	t.Cleanup(func() { assert.NoError(t, setVerbosity("0")) })
	code, text := call(serveVerbosity, http.MethodPut, "4\n")
	assert.Equal(t, http.StatusOK, code, text)
	assert.True(t, klog.V(4).Enabled())
	code, text = call(serveVerbosity, http.MethodGet, "")
	assert.Equal(t, http.StatusOK, code)
	assert.Equal(t, "4\n", text)
	for _, wrong := range []string{"-1", "x", "", "128", strings.Repeat("1", 100)} {
		code, _ = call(serveVerbosity, http.MethodPut, wrong)
		assert.Equal(t, http.StatusBadRequest, code, wrong)
	}
	code, _ = call(serveVerbosity, http.MethodPost, "4")
	assert.Equal(t, http.StatusMethodNotAllowed, code)
}

// TestFence sends requests of a process that was frozen for longer than its lease.
func TestFence(t *testing.T) {
	m := newManager(t, kubetest.NewClientset(), election)
	m.recording.End(0)
	defer m.informerName.Release()
	sent := 0
	through := m.fence(roundTripper(func(*http.Request) (*http.Response, error) {
		sent++
		return &http.Response{Body: http.NoBody}, nil
	}))
	send := func(method string) error {
		request, err := http.NewRequestWithContext(t.Context(), method, "http://server", nil)
		require.NoError(t, err)
		_, err = through.RoundTrip(request) //nolint:bodyclose // there is no response
		return err
	}
	require.NoError(t, send(http.MethodPost), "before the start")
	m.seats = []*terms.Seat{{}}
	m.seats[0].Begin(func() error { return errors.New("expired") })
	require.ErrorIs(t, send(http.MethodPost), errNotLeading)
	require.ErrorIs(t, send(http.MethodDelete), errNotLeading)
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace} {
		require.NoError(t, send(method))
	}
	assert.Equal(t, 5, sent)
}

// TestFenceInFlight ends a term while a write is in flight, and while the answer of another one is being read.
func TestFenceInFlight(t *testing.T) {
	m := newManager(t, kubetest.NewClientset(), election)
	m.recording.End(0)
	defer m.informerName.Release()
	seat := &terms.Seat{}
	m.seats = []*terms.Seat{seat}
	arrived, answered := make(chan struct{}), make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does a server notice that a client has gone
		if r.URL.Path == "/slow" {
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush() //nolint:forcetypeassert // those of servers are
		}
		arrived <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	client := &http.Client{Transport: m.fence(http.DefaultTransport)}
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections() //nolint:forcetypeassert // it is one
	for _, path := range []string{"/hangs", "/slow"} {
		term := seat.Begin(func() error { return nil })
		var err error
		go func() {
			var request *http.Request
			request, err = http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader("{}"))
			var response *http.Response
			if response, err = client.Do(request); err == nil {
				_, err = io.ReadAll(response.Body)
				_ = response.Body.Close()
			}
			answered <- struct{}{}
		}()
		<-arrived
		<-term.End()
		<-answered
		require.ErrorIs(t, err, errInFlight, path)
	}
}

// TestFenceAtStart sends a request of a goroutine that setup has started.
func TestFenceAtStart(t *testing.T) {
	m := newManager(t, kubetest.NewClientset(), election)
	m.recording.End(0)
	defer m.informerName.Release()
	asked := make(chan bool)
	go func() {
		_, ok := m.writing(t.Context())
		asked <- ok
	}()
	require.NoError(t, m.newLeases())
	assert.True(t, <-asked)
}

// TestCommand has the mistakes of users, each of which is named in a sentence.
func TestCommand(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, os.WriteFile(kubeconfig, []byte(`{"apiVersion":"v1","kind":"Config","current-context":"c",
"clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:1"}}],"contexts":[{"name":"c","context":{"cluster":"c"}}]}`), 0o600))
	missing := filepath.Join(t.TempDir(), "missing")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--wrokers=3"}, "operator: flag provided but not defined: -wrokers\n"},
		{[]string{"start"}, "operator: unexpected argument \"start\"\n"},
		{[]string{"--log-format=xml"}, "operator: --log-format must be text or json, not \"xml\"\n"},
		{[]string{"--v=-1", "--kubeconfig", kubeconfig}, "operator: the verbosity must be a number from 0 to 127, not \"-1\"\n"},
		{[]string{"--kubeconfig", missing}, "operator: kubeconfig: stat " + missing + ": no such file or directory\n"},
		{nil, "operator: no kubeconfig: not running in a cluster, and no file " + os.Getenv("KUBECONFIG") + "; set --kubeconfig\n"},
		{[]string{"--workers=0", "--kubeconfig", kubeconfig}, "operator: invalid number of workers 0: must be at least 1\n"},
		{[]string{"--debug-address=:6060", "--kubeconfig", kubeconfig},
			"operator: the debug address \":6060\" is not one of the loopback interface, such as localhost:6060\n"},
		{[]string{"--metrics-address=:8080", "--kubeconfig", kubeconfig}, "operator: ServeMetrics needs WithMetrics\n"},
	} {
		var stderr bytes.Buffer
		assert.Equal(t, exitUsage, run(t.Context(), test.args, &stderr, command{name: "operator"}), test.args)
		assert.Equal(t, test.want, stderr.String())
	}
	f, err := parseFlags("operator", []string{"--kube-api-qps=0.4", "--kubeconfig", kubeconfig}, io.Discard, nil)
	require.NoError(t, err)
	config, _, err := f.load(false, nil)
	require.NoError(t, err)
	assert.Equal(t, 1, config.Burst, "clients refuse 0")
	f, err = parseFlags("operator", []string{"--kubeconfig", kubeconfig}, io.Discard, nil)
	require.NoError(t, err)
	config, _, err = f.load(false, nil)
	require.NoError(t, err)
	assert.Zero(t, config.QPS, "New decides")
	var stderr bytes.Buffer
	assert.Equal(t, exitDone, run(t.Context(), []string{"-h"}, &stderr, command{name: "operator"}))
	assert.Contains(t, stderr.String(), "-probe-address address\n")
}

// TestFlags has options of the command, and flags that override them.
func TestFlags(t *testing.T) {
	own := []Option{WithWorkers(8), WithStuckAfter(time.Minute)}
	f, err := parseFlags("operator", []string{"--workers=3", "--leader-elect=false"}, io.Discard, nil)
	require.NoError(t, err)
	defaults, given := f.options(false)
	s := newSettings(append(append(defaults, own...), given...))
	assert.Equal(t, 3, s.workers)
	assert.Equal(t, time.Minute, s.stuckAfter)
	assert.Equal(t, "localhost:8081", s.probes)
	assert.Nil(t, s.election)
	assert.Empty(t, s.metricsAddress)
	assert.NoError(t, s.check())
}
