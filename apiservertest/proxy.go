package apiservertest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/request"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/internal/apiserver"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/internal/listener"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// proxied is a server in a child process behind a proxy in this process. Handlers cannot be sent to the child, so the
// proxy runs them.
type proxied struct {
	process     *Process
	ready       program.Announcement
	connections *listener.Listener
	server      http.Server
	transport   *http.Transport
	done        chan struct{} // closed when the proxy has ended
	stopped     bool
}

func startProxied(ctx context.Context, options program.Options, wrap func(http.Handler) http.Handler) (*proxied, error) {
	behind := options
	behind.Port = 0
	process := &Process{options: behind}
	if err := process.start(ctx); err != nil {
		return nil, err
	}
	p := &proxied{process: process, ready: process.ready, done: make(chan struct{})}
	if err := p.serve(options, wrap); err != nil {
		return nil, errors.Join(fmt.Errorf("start proxy: %w", err), process.Terminate())
	}
	return p, nil
}

// serve starts the proxy in the background. It uses the certificate and the address of the server, on another port.
func (p *proxied) serve(options program.Options, wrap func(http.Handler) http.Handler) error {
	target, err := url.Parse(p.ready.Host)
	if err != nil {
		return err
	}
	cert, key := apiserver.Certificate(options.Dir)
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return err
	}
	if p.connections, err = listener.Listen(options.Port); err != nil {
		return err
	}
	p.ready.Port, p.ready.Host = p.connections.Port(), "https://"+p.connections.Addr().String()

	authority := x509.NewCertPool()
	authority.AppendCertsFromPEM(p.ready.CA)
	p.transport = &http.Transport{
		TLSClientConfig:    &tls.Config{RootCAs: authority, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:  true,
		DisableCompression: true, // the client decides
	}
	p.server.Handler = p.handler(target, wrap)
	p.server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	p.server.ErrorLog = log.New(io.Discard, "", 0) // drops errors about disconnected clients
	go func() {
		defer close(p.done)
		_ = p.server.ServeTLS(p.connections, "", "") // always returns an error, also after Close
	}()
	return nil
}

// handler forwards requests through wrap, with the same request.RequestInfo as in the server.
func (p *proxied) handler(target *url.URL, wrap func(http.Handler) http.Handler) http.Handler {
	var api http.Handler = &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     p.transport,
		FlushInterval: -1, // watch events must not be buffered
		ErrorLog:      p.server.ErrorLog,
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) {
			panic(http.ErrAbortHandler) //nolint:forbidigo // net/http breaks the client's connection, too
		},
	}
	describe := &request.RequestInfoFactory{APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api")}
	return filters.WithRequestInfo(wrap(api), describe)
}

// Ready implements program.Instance.
func (p *proxied) Ready() program.Announcement { return p.ready }

// Done implements program.Instance.
func (p *proxied) Done() <-chan struct{} { return p.done }

// Stop implements program.Instance. The server stops first, so that requests in flight can finish.
func (p *proxied) Stop() error {
	if p.stopped {
		return nil
	}
	p.stopped = true
	err := errors.Join(p.process.Terminate(), p.server.Close())
	<-p.done
	p.connections.Sever()
	p.transport.CloseIdleConnections()
	return err
}

// Sever breaks all connections of clients.
func (p *proxied) Sever() { p.connections.Sever() }
