package manager

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/terms"
)

// sendWithin sends a request, and cancels it at the end of the first of the terms.
func sendWithin(next http.RoundTripper, request *http.Request, until []*terms.Term) (*http.Response, error) {
	if len(until) == 0 {
		return next.RoundTrip(request)
	}
	ctx, cancel := context.WithCancelCause(request.Context())
	var stops []func() bool
	for _, term := range until {
		stops = append(stops, term.AfterFunc(func() { cancel(errInFlight) }))
	}
	release := func() {
		for _, stop := range stops {
			stop()
		}
		cancel(nil)
	}
	response, err := next.RoundTrip(request.WithContext(ctx))
	switch {
	case err != nil:
		if errors.Is(context.Cause(ctx), errInFlight) {
			err = errInFlight
		}
		release()
	case response.StatusCode != http.StatusSwitchingProtocols: // the body of that can be written to, and lives for as long as the stream
		response.Body = released{response.Body, release}
	}
	return response, err
}

// errInFlight is the error of writes that the end of a term has canceled. The API server may have executed them.
var errInFlight = errors.New("canceled: the lease has expired, and another process may lead")

// released is a body that releases the context of its request.
type released struct {
	io.ReadCloser

	release func()
}

// Close implements io.Closer.
func (r released) Close() error {
	defer r.release()
	return r.ReadCloser.Close()
}
