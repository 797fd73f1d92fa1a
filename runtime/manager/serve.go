package manager

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	klog "k8s.io/klog/v2"
)

// serve listens on the addresses of the settings, and serves them in a group.
func (m *Manager) serve(serving *group) error {
	probes := http.NewServeMux()
	probes.HandleFunc("/healthz", m.serveHealth)
	probes.HandleFunc("/readyz", m.serveReadiness)
	if err := m.listen(serving, "probes", m.settings.probes, newServer(probes, false), nil); err != nil {
		return err
	}
	if err := m.listen(serving, "debugging", m.settings.debug, newServer(m.debugHandler(), true), nil); err != nil {
		return err
	}
	if m.settings.metricsAddress == "" {
		return nil
	}
	encryption, handler, err := m.metricsHandler(serving.ctx)
	if err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	metrics := http.NewServeMux()
	metrics.Handle("/metrics", handler)
	return m.listen(serving, "metrics", m.settings.metricsAddress, newServer(metrics, true), encryption)
}

// newServer returns a server with limits for slow clients and large requests. Without keepAlive, no connection outlives its request: probes
// are cheap, and clients that keep connections cannot starve them.
func newServer(handler http.Handler, keepAlive bool) *http.Server {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      2 * time.Minute, // profiles take 30 s
		IdleTimeout:       30 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
	server.SetKeepAlivesEnabled(keepAlive)
	return server
}

// listen serves what on an address until the group ends. An empty address serves nothing.
func (m *Manager) listen(serving *group, what, address string, server *http.Server, encryption *tls.Config) error {
	if address == "" {
		return nil
	}
	listener, err := new(net.ListenConfig).Listen(serving.ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("the address of %s cannot be served: %w", what, err)
	}
	if encryption != nil {
		listener = tls.NewListener(listener, encryption)
	}
	klog.FromContext(serving.ctx).Info("Serving "+what, "address", listener.Addr().String())
	serving.start(what, func(ctx context.Context) error {
		defer context.AfterFunc(ctx, func() { _ = server.Close() })() // it fails if a connection is closed already
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	return nil
}

// Limits of concurrent requests for metrics. At most maxScrapes are answered: each takes time and memory. Before that, at most maxReviews
// wait for the API server to allow them: clients without permission do not take the places of scrapers, and cannot use up the memory.
const (
	maxScrapes = 4
	maxReviews = 64
)

// metricsHandler returns the handler of /metrics, and the TLS configuration of its listener: nil without TLS.
func (m *Manager) metricsHandler(ctx context.Context) (*tls.Config, http.Handler, error) {
	handler := limited(m.settings.metrics, maxScrapes)
	if m.settings.security == nil {
		return nil, handler, nil
	}
	encryption, handler, err := m.settings.security.Protect(ctx, m.unfenced, handler)
	return encryption, limited(handler, maxReviews), err
}

// limited answers at most n requests at the same time, and refuses others.
func limited(next http.Handler, n int) http.Handler {
	places := make(chan struct{}, n)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
			next.ServeHTTP(w, r)
		default:
			http.Error(w, "too many requests for metrics at the same time", http.StatusTooManyRequests)
		}
	})
}

// serveHealth fails if the process cannot recover on its own, so that the kubelet restarts it.
func (m *Manager) serveHealth(w http.ResponseWriter, r *http.Request) {
	errs := failures(r.Context(), m.settings.health)
	for _, l := range m.leaderships {
		if term := l.Last(); term != nil {
			errs = append(errs, term.Check())
		}
	}
	for _, c := range m.controllers {
		if took := c.LongestRunning(); m.settings.stuckAfter > 0 && took > m.settings.stuckAfter {
			errs = append(errs, fmt.Errorf("controller %s: a reconcile has been running for %v", c.Name(), took.Round(time.Second)))
		}
	}
	if err := errors.Join(errs...); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	}
}

// serveReadiness fails until all caches have synced. Resources that are not served yet, leases that the process does not hold, and
// definitions that lack fields do not count, but are named.
func (m *Manager) serveReadiness(w http.ResponseWriter, r *http.Request) {
	m.lock.Lock()
	synced := m.synced
	m.lock.Unlock()
	if !synced {
		http.Error(w, "caches have not synced", http.StatusServiceUnavailable)
		return
	}
	if err := errors.Join(failures(r.Context(), m.settings.readiness)...); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	m.sayStandby(w)
	m.writeStale(w)
	for _, c := range m.controllers {
		for _, resource := range c.Unserved() {
			_, _ = fmt.Fprintf(w, "controller %s waits for %s\n", c.Name(), resource)
		}
	}
}
