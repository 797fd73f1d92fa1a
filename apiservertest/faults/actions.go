package faults

import (
	"encoding/json"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// reasons maps status codes to the reasons that the API server gives.
var reasons = map[int]metav1.StatusReason{
	http.StatusForbidden:           metav1.StatusReasonForbidden,
	http.StatusNotFound:            metav1.StatusReasonNotFound,
	http.StatusConflict:            metav1.StatusReasonConflict,
	http.StatusGone:                metav1.StatusReasonExpired,
	http.StatusTooManyRequests:     metav1.StatusReasonTooManyRequests,
	http.StatusInternalServerError: metav1.StatusReasonInternalError,
	http.StatusServiceUnavailable:  metav1.StatusReasonServiceUnavailable,
	http.StatusGatewayTimeout:      metav1.StatusReasonTimeout,
}

// Fail answers with an error: 409 for a conflict, 410 for an expired resource version, 429 or 503 (retry after a
// second), 500. The API does not see the request.
func Fail(code int) Action {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		if code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "1")
		}
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(metav1.Status{ // the client may be gone
			TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
			Status:   metav1.StatusFailure,
			Code:     int32(code),
			Reason:   reasons[code],
			Message:  "injected: " + http.StatusText(code),
		})
	}
}

// LoseReply lets the API execute the request, but breaks the connection instead of answering: the client cannot know
// whether the request was executed.
func LoseReply() Action {
	return func(_ http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(nowhere{}, r)
		abort()
	}
}

// LoseRequest breaks the connection instead of executing the request. Clients cannot tell it from LoseReply.
func LoseRequest() Action {
	return func(http.ResponseWriter, *http.Request, http.Handler) { abort() }
}

// Delay delays requests by d.
func Delay(d time.Duration) Action {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	}
}

// Hold blocks requests until release is closed.
func Hold(release <-chan struct{}) Action {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		select {
		case <-release:
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	}
}

// abort breaks the connection of the request, or its HTTP/2 stream.
func abort() {
	panic(http.ErrAbortHandler) //nolint:forbidigo // net/http aborts the response
}

// nowhere is an http.ResponseWriter that discards lost replies.
type nowhere struct{}

func (nowhere) Header() http.Header         { return http.Header{} }
func (nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (nowhere) WriteHeader(int)             {}
