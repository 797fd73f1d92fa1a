package manager

import (
	"fmt"
	"io"
	"net/http"
	"net/http/pprof"
	"strings"
)

// debugHandler returns the handler of the debug address.
func (m *Manager) debugHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/flags/v", serveVerbosity)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
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
