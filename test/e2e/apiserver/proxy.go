package apiserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"

	"k8s.io/apiserver/pkg/endpoints/filters"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

// proxied is a server in a child, behind a proxy in this process: handlers cannot be sent to the child, and what they do
// to a request can be done on the way as well.
type proxied struct {
	process     *Process
	ready       Announcement
	connections *connections
	server      http.Server
	transport   *http.Transport
	done        chan struct{} // closed once the proxy has ended
	stopped     bool
}

func startProxied(ctx context.Context, options Options) (instance, error) {
	behind := options
	behind.Port, behind.Wrap = 0, nil
	process, err := StartProcess(ctx, behind)
	if err != nil {
		return nil, err
	}
	p := &proxied{process: process, ready: process.ready, done: make(chan struct{})}
	if err := p.serve(options); err != nil {
		return nil, errors.Join(fmt.Errorf("start proxy: %w", err), process.Terminate())
	}
	return p, nil
}

// serve starts the proxy in the background. It has the certificate of the server, whose address it shares but for the
// port.
func (p *proxied) serve(options Options) error {
	target, err := url.Parse(p.ready.Host)
	if err != nil {
		return err
	}
	cert, key := certificate(options.Dir)
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("%s:%d", target.Hostname(), options.Port))
	if err != nil {
		return err
	}
	p.connections = &connections{Listener: listener, open: map[net.Conn]struct{}{}}
	p.ready.Port = listener.Addr().(*net.TCPAddr).Port
	p.ready.Host = "https://" + listener.Addr().String()

	authority := x509.NewCertPool()
	authority.AppendCertsFromPEM(p.ready.CA)
	p.transport = &http.Transport{
		TLSClientConfig:    &tls.Config{RootCAs: authority, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:  true,
		DisableCompression: true, // it is the client that asks for it, or not
	}
	p.server.Handler = p.handler(target, options.Wrap)
	p.server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	p.server.ErrorLog = log.New(io.Discard, "", 0) // of clients that went away
	go func() {
		defer close(p.done)
		_ = p.server.ServeTLS(p.connections, "", "") // until it is closed, which is an error too
	}()
	return nil
}

// handler passes requests on, by way of wrap, which gets to see them as it would in the server: with the description
// that the server goes by.
func (p *proxied) handler(target *url.URL, wrap func(http.Handler) http.Handler) http.Handler {
	var api http.Handler = &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     p.transport,
		FlushInterval: -1, // at once: the events of a watch wait for nobody
		ErrorLog:      p.server.ErrorLog,
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) {
			panic(http.ErrAbortHandler) //nolint:forbidigo // a broken connection on one side is one on the other
		},
	}
	if wrap != nil {
		api = wrap(api)
	}
	return filters.WithRequestInfo(api, genericapiserver.NewRequestInfoResolver(genericapiserver.NewConfig(codecs)))
}

// Ready implements Instance.
func (p *proxied) Ready() Announcement { return p.ready }

// Done implements Instance.
func (p *proxied) Done() <-chan struct{} { return p.done }

// Stop implements Instance. The server goes first, so that requests under way can get their answers.
func (p *proxied) Stop() error {
	if p.stopped {
		return nil
	}
	p.stopped = true
	err := errors.Join(p.process.Terminate(), p.server.Close())
	<-p.done
	p.connections.sever()
	p.transport.CloseIdleConnections()
	return err
}

func (p *proxied) sever() { p.connections.sever() }
