package securemetrics

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// api is an API server that reviews tokens and permissions, without a network, so that its clients can run in a bubble.
type api struct {
	t *testing.T

	mu     sync.Mutex
	users  map[string]string // by token
	rights map[string]bool   // "prometheus get /metrics"
	broken map[string]int    // status of requests by path, in place of an answer
	hangs  string            // the path of requests that get no answer
	asked  []string          // the paths of requests
}

// The paths of reviews.
const (
	tokenReviews  = "/apis/authentication.k8s.io/v1/tokenreviews"
	accessReviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
)

// newAPI returns an API server that knows two users, one of which may get /metrics.
func newAPI(t *testing.T) *api {
	return &api{
		t:      t,
		users:  map[string]string{"token-of-prometheus": "prometheus", "token-of-guest": "guest"},
		rights: map[string]bool{"prometheus get /metrics": true},
		broken: map[string]int{},
	}
}

func (a *api) config() *rest.Config {
	return &rest.Config{Host: "https://api.example.com", Transport: a}
}

// RoundTrip implements http.RoundTripper.
func (a *api) RoundTrip(r *http.Request) (*http.Response, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, r.URL.Path)
	if r.URL.Path == a.hangs {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json")
	if status, ok := a.broken[r.URL.Path]; ok {
		w.WriteHeader(status)
		assert.NoError(a.t, json.NewEncoder(w).Encode(metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
			Message: "refused by the test", Code: int32(status), //nolint:gosec // small
		}))
		return w.Result(), nil
	}
	switch r.URL.Path {
	case tokenReviews:
		review(a.t, w, r, a.reviewToken)
	case accessReviews:
		review(a.t, w, r, a.reviewAccess)
	default:
		return nil, fmt.Errorf("unexpected request for %s", r.URL.Path)
	}
	return w.Result(), nil
}

func (a *api) reviewToken(r *authenticationv1.TokenReview) {
	name, ok := a.users[r.Spec.Token]
	r.Status = authenticationv1.TokenReviewStatus{Authenticated: ok, User: authenticationv1.UserInfo{Username: name}}
}

func (a *api) reviewAccess(r *authorizationv1.SubjectAccessReview) {
	of := r.Spec.NonResourceAttributes
	assert.Contains(a.t, r.Spec.Groups, "system:authenticated")
	r.Status = authorizationv1.SubjectAccessReviewStatus{Allowed: a.rights[r.Spec.User+" "+of.Verb+" "+of.Path]}
}

// change changes the server while it may be answering.
func (a *api) change(f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f()
}

// requests returns the paths of the requests since the last call.
func (a *api) requests() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	asked := a.asked
	a.asked = nil
	return asked
}

// review answers a review with what f makes of it.
func review[T any](t *testing.T, w http.ResponseWriter, r *http.Request, f func(*T)) {
	var v T
	assert.Equal(t, http.MethodPost, r.Method)
	assert.NoError(t, json.NewDecoder(r.Body).Decode(&v))
	f(&v)
	assert.NoError(t, json.NewEncoder(w).Encode(v))
}
