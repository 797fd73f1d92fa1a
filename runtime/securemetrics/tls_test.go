package securemetrics

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
)

// deadline is how long to wait for what has to happen.
const deadline = time.Minute

// serve serves on loopback until the test ends, and returns the address.
func serve(ctx context.Context, t *testing.T, a *api, options Options) (address string) {
	t.Helper()
	config, handler, err := New(options).Protect(ctx, a.config(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "metrics")
	}))
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "localhost:0")
	require.NoError(t, err)
	server := &http.Server{Handler: handler, TLSConfig: config, ReadHeaderTimeout: deadline}
	done := make(chan error)
	go func() { done <- server.ServeTLS(listener, "", "") }()
	t.Cleanup(func() {
		_ = server.Close()
		assert.ErrorIs(t, <-done, http.ErrServerClosed)
	})
	return listener.Addr().String()
}

// handshake returns the state of a new connection.
func handshake(t *testing.T, address string, config *tls.Config) (tls.ConnectionState, error) {
	t.Helper()
	config.InsecureSkipVerify = true //nolint:gosec // tests compare the certificate
	dialer := &tls.Dialer{NetDialer: &net.Dialer{Timeout: deadline}, Config: config}
	connection, err := dialer.DialContext(t.Context(), "tcp", address)
	if err != nil {
		return tls.ConnectionState{}, err
	}
	defer func() { _ = connection.Close() }()
	return connection.(*tls.Conn).ConnectionState(), nil
}

// certificateFiles are the files of a certificate, as a mounted Secret has them.
type certificateFiles struct{ folder string }

func (f certificateFiles) options() Options {
	return Options{CertFile: filepath.Join(f.folder, "tls.crt"), KeyFile: filepath.Join(f.folder, "tls.key")}
}

// issue puts a certificate into the files, and returns it.
func (f certificateFiles) issue(t *testing.T, host string) *x509.Certificate {
	t.Helper()
	certificate, key, err := cert.GenerateSelfSignedCertKey(host, nil, nil)
	require.NoError(t, err)
	for name, content := range map[string][]byte{f.options().CertFile: certificate, f.options().KeyFile: key} {
		require.NoError(t, os.WriteFile(name+".new", content, 0o600))
		require.NoError(t, os.Rename(name+".new", name))
	}
	chain, err := cert.ParseCertsPEM(certificate)
	require.NoError(t, err)
	return chain[0]
}

// TestScrape checks that an HTTP client gets metrics over the default certificate, and never over HTTP/2.
func TestScrape(t *testing.T) {
	a := newAPI(t)
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true} //nolint:gosec // self-signed
	defer transport.CloseIdleConnections()
	address := serve(t.Context(), t, a, Options{})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+address+"/metrics", nil)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer token-of-prometheus")
	response, err := transport.RoundTrip(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, "metrics", string(body))
	assert.Equal(t, "HTTP/1.1", response.Proto)

	state, err := handshake(t, address, &tls.Config{})
	require.NoError(t, err)
	host, err := os.Hostname()
	require.NoError(t, err)
	assert.NoError(t, state.PeerCertificates[0].VerifyHostname(host))
	assert.NoError(t, state.PeerCertificates[0].VerifyHostname("localhost"))
}

func TestRefusedProtocols(t *testing.T) {
	address := serve(t.Context(), t, newAPI(t), Options{})
	_, err := handshake(t, address, &tls.Config{NextProtos: []string{"h2"}})
	assert.ErrorContains(t, err, "no application protocol")
	_, err = handshake(t, address, &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}) //nolint:gosec // must fail
	assert.ErrorContains(t, err, "protocol version")
}

// TestReload checks that renewed certificates get into use, although the two files do not change at the same time.
func TestReload(t *testing.T) {
	files := certificateFiles{t.TempDir()}
	first := files.issue(t, "first.example.com")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	address := serve(ctx, t, newAPI(t), files.options())
	served := func() *x509.Certificate {
		state, err := handshake(t, address, &tls.Config{})
		require.NoError(t, err)
		return state.PeerCertificates[0]
	}
	assert.True(t, served().Equal(first))
	second := files.issue(t, "second.example.com")
	require.Eventually(t, func() bool { return served().Equal(second) }, deadline, time.Millisecond, "the new certificate is served")
	third := files.issue(t, "third.example.com")
	require.Eventually(t, func() bool { return served().Equal(third) }, deadline, time.Millisecond, "files are still watched")
}

func TestProtectErrors(t *testing.T) {
	files := certificateFiles{t.TempDir()}
	other := certificateFiles{t.TempDir()}
	files.issue(t, "localhost")
	other.issue(t, "localhost")
	for name, test := range map[string]struct {
		options Options
		config  *rest.Config
		want    string
	}{
		"only one file": {options: Options{CertFile: "tls.crt"}, want: `certificate of the metrics: set both CertFile "tls.crt" and KeyFile "", or neither`},
		"no file":       {options: Options{CertFile: "absent.crt", KeyFile: "absent.key"}, want: "absent.crt: no such file"},
		"another's key": {options: Options{CertFile: files.options().CertFile, KeyFile: other.options().KeyFile}, want: "private key does not match"},
		"bad host":      {config: &rest.Config{Host: "::"}, want: `invalid port "::" after host`},
	} {
		t.Run(name, func(t *testing.T) {
			if test.config == nil {
				test.config = newAPI(t).config()
			}
			_, _, err := New(test.options).Protect(t.Context(), test.config, http.NotFoundHandler())
			assert.ErrorContains(t, err, test.want)
		})
	}
}
