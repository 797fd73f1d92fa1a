package securemetrics

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// protect returns a protected handler that answers with what it sees of a request.
func protect(t *testing.T, a *api) http.Handler {
	t.Helper()
	_, handler, err := New(Options{}).Protect(t.Context(), a.config(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, "metrics for %s %s%s", r.Method, r.URL.Path, r.Header.Get("Authorization"))
	}))
	require.NoError(t, err)
	return handler
}

// get returns the status and the body of a request with a token; "" for none.
func get(handler http.Handler, method, path, token string) (answer string, header http.Header) {
	r := httptest.NewRequest(method, path, nil)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return fmt.Sprintf("%d %s", w.Code, w.Body), w.Header()
}

func TestAccess(t *testing.T) {
	tests := map[string]struct {
		method, path, token string
		want                string
		asks                []string
	}{
		"no token":       {want: "401 Unauthorized\n"},
		"unknown token":  {token: "stolen", want: "401 Unauthorized\n", asks: []string{tokenReviews}},
		"no permission":  {token: "token-of-guest", want: "403 Forbidden\n", asks: []string{tokenReviews, accessReviews}},
		"permission":     {token: "token-of-prometheus", want: "200 metrics for GET /metrics", asks: []string{tokenReviews, accessReviews}},
		"another path":   {token: "token-of-prometheus", path: "/debug", want: "403 Forbidden\n", asks: []string{tokenReviews, accessReviews}},
		"another method": {token: "token-of-prometheus", method: "POST", want: "403 Forbidden\n", asks: []string{tokenReviews, accessReviews}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			a := newAPI(t)
			if test.method == "" {
				test.method = http.MethodGet
			}
			if test.path == "" {
				test.path = "/metrics"
			}
			answer, header := get(protect(t, a), test.method, test.path, test.token)
			assert.Equal(t, test.want, answer)
			assert.Equal(t, test.asks, a.requests())
			challenge := header.Get("WWW-Authenticate")
			assert.Equal(t, answer == "401 Unauthorized\n", challenge == "Bearer", "WWW-Authenticate: %q", challenge)
		})
	}
}

// TestAnswersAreUsedAgain checks how long what the API server has said holds.
func TestAnswersAreUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI(t)
		handler := protect(t, a)
		scrape := func(want string, token string, asks ...string) {
			t.Helper()
			answer, _ := get(handler, http.MethodGet, "/metrics", token)
			assert.Contains(t, answer, want)
			assert.Equal(t, asks, a.requests())
		}
		scrape("200", "token-of-prometheus", tokenReviews, accessReviews)
		a.change(func() { delete(a.users, "token-of-prometheus") })
		time.Sleep(allowedTTL - time.Second)
		scrape("200", "token-of-prometheus")
		time.Sleep(2 * time.Second)
		scrape("401", "token-of-prometheus", tokenReviews)

		scrape("403", "token-of-guest", tokenReviews, accessReviews)
		a.change(func() { a.rights["guest get /metrics"] = true })
		time.Sleep(deniedTTL - time.Second)
		scrape("403", "token-of-guest")
		time.Sleep(2 * time.Second)
		scrape("200", "token-of-guest", accessReviews)

		a.change(func() { clear(a.rights) })
		time.Sleep(allowedTTL + time.Second)
		scrape("403", "token-of-guest", tokenReviews, accessReviews)
	})
}

// TestBrokenAPI checks that nothing is served while the API server does not answer, and that failures are not cached.
func TestBrokenAPI(t *testing.T) {
	for name, test := range map[string]struct {
		path   string
		status int
		want   string
		tries  int
	}{
		"no role for tokens":      {path: tokenReviews, status: http.StatusForbidden, want: "401 Unauthorized\n", tries: 1},
		"tokens, for a while":     {path: tokenReviews, status: http.StatusInternalServerError, want: "401 Unauthorized\n", tries: 3},
		"no role for permissions": {path: accessReviews, status: http.StatusForbidden, want: "500 Internal Server Error\n", tries: 2},
		"permissions, too":        {path: accessReviews, status: http.StatusInternalServerError, want: "500 Internal Server Error\n", tries: 1 + 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAPI(t)
				a.broken[test.path] = test.status
				handler := protect(t, a)
				start := time.Now()
				answer, _ := get(handler, http.MethodGet, "/metrics", "token-of-prometheus")
				assert.Equal(t, test.want, answer)
				assert.LessOrEqual(t, time.Since(start), reviewTimeout)
				assert.Len(t, a.requests(), test.tries)

				a.change(func() { delete(a.broken, test.path) })
				answer, _ = get(handler, http.MethodGet, "/metrics", "token-of-prometheus")
				assert.Equal(t, "200 metrics for GET /metrics", answer)
			})
		})
	}
}

// TestNoAnswer checks that a scrape ends although the API server does not answer, and what it has started, too.
func TestNoAnswer(t *testing.T) {
	for path, want := range map[string]string{tokenReviews: "401 Unauthorized\n", accessReviews: "500 Internal Server Error\n"} {
		synctest.Test(t, func(t *testing.T) {
			a := newAPI(t)
			a.hangs = path
			start := time.Now()
			answer, _ := get(protect(t, a), http.MethodGet, "/metrics", "token-of-prometheus")
			assert.Equal(t, want, answer)
			assert.Contains(t, a.requests(), path)
			assert.Equal(t, reviewTimeout, time.Since(start))
		})
	}
}

// TestInventedTokens checks that as many clients as the manager connects cannot flood the API server with invented tokens, nor keep
// others out.
func TestInventedTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const seconds = 30
		a := newAPI(t)
		handler := protect(t, a)
		scrape := func() string {
			answer, _ := get(handler, http.MethodGet, "/metrics", "token-of-prometheus")
			return answer
		}
		start := time.Now()
		var clients sync.WaitGroup
		for i := range 64 {
			clients.Go(func() {
				for n := 0; n < 1000 && time.Since(start) < seconds*time.Second; n++ {
					answer, _ := get(handler, http.MethodGet, "/metrics", fmt.Sprintf("invented-%d-%d", i, n))
					assert.Equal(t, "401 Unauthorized\n", answer)
				}
			})
		}
		time.Sleep(seconds / 2 * time.Second)
		assert.Equal(t, "200 metrics for GET /metrics", scrape())
		assert.Less(t, time.Since(start), (seconds/2+10)*time.Second, "Prometheus' default timeout")

		before := time.Now()
		assert.Equal(t, "200 metrics for GET /metrics", scrape())
		assert.Zero(t, time.Since(before), "known answers do not wait")
		clients.Wait()
		assert.LessOrEqual(t, len(a.requests()), burst+qps*int(time.Since(start)/time.Second+1)+1)
	})
}
