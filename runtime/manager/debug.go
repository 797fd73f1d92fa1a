package manager

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/pprof"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/page"
)

// debugHandler returns the handler of the debug address.
func (m *Manager) debugHandler() http.Handler {
	mux := http.NewServeMux()
	factories := func() []*informer.Factory { return append([]*informer.Factory{m.factory}, m.replicas.factories()...) }
	mux.Handle("/debug/controllers", page.Handler(m.described, factories, m.definitions.Describe))
	mux.HandleFunc("/debug/flags/v", serveVerbosity)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return onlyLoopback(mux)
}

// described returns the controllers for the debug page.
func (m *Manager) described() (all []page.Described) {
	for _, c := range m.controllers {
		all = append(all, c)
	}
	return all
}

// onlyLoopback refuses requests for other hosts: a web page could have its name resolve to the loopback address, and read responses from
// there with the browser of whoever looks at it.
func onlyLoopback(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopback(r.Host) && !isLoopback(net.JoinHostPort(r.Host, "80")) {
			http.Error(w, "only requests for localhost are answered", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// serveVerbosity sets the verbosity of the log to the body of a PUT request, as the components of Kubernetes do.
func serveVerbosity(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		_, _ = fmt.Fprintln(w, verbosity.Load())
	case http.MethodPut:
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 16))
		if err == nil {
			err = setVerbosity(strings.TrimSpace(string(body)))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_, _ = fmt.Fprintln(w, verbosity.Load())
	default:
		w.Header().Set("Allow", "GET, PUT")
		http.Error(w, "use GET or PUT", http.StatusMethodNotAllowed)
	}
}
