package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/endpoints/request"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// api counts the requests that reach it. It answers a watch when the watch ends.
type api struct{ served int }

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if info, _ := request.RequestInfoFrom(r.Context()); info.Verb == "watch" {
		<-r.Context().Done()
	}
	a.served++
	w.WriteHeader(http.StatusOK)
}

// send sends a request for a resource, and returns the answer and whether the connection was broken.
func send(handler http.Handler, verb, resource, subresource string) (answer *httptest.ResponseRecorder, broken bool) {
	info := &request.RequestInfo{IsResourceRequest: true, Verb: verb, Resource: resource, Subresource: subresource}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	answer = httptest.NewRecorder()
	defer func() {
		err, _ := recover().(error)
		broken = errors.Is(err, http.ErrAbortHandler)
	}()
	handler.ServeHTTP(answer, r.WithContext(request.WithRequestInfo(r.Context(), info)))
	return answer, false
}

func TestRules(t *testing.T) {
	var behind api
	injector := faults.New(1)
	handler := injector.Wrap(&behind)
	writes := injector.Add(faults.Rule{Verbs: []string{"create", "update"}, Resource: "foos", Times: 2, Do: faults.Fail(http.StatusConflict)})
	status := injector.Add(faults.Rule{Resource: "foos", Subresource: "status", Do: faults.Fail(http.StatusTooManyRequests)})
	for _, request := range []struct {
		verb, resource, subresource string
		want                        int
	}{
		{"get", "foos", "", http.StatusOK},
		{"create", "bars", "", http.StatusOK},
		{"create", "foos", "", http.StatusConflict},
		{"update", "foos", "status", http.StatusTooManyRequests},
		{"update", "foos", "", http.StatusConflict},
		{"update", "foos", "", http.StatusOK}, // a third hit would exceed Times
	} {
		answer, _ := send(handler, request.verb, request.resource, request.subresource)
		assert.Equal(t, request.want, answer.Code, "%+v", request)
		if answer.Code != http.StatusOK {
			var body metav1.Status
			require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &body))
			assert.EqualValues(t, request.want, body.Code)
			assert.NotEmpty(t, body.Reason)
		}
	}
	assert.Equal(t, 2, writes.Hits())
	assert.Equal(t, 1, status.Hits())
	assert.Equal(t, 3, behind.served)

	status.Remove()
	answer, _ := send(handler, "get", "foos", "status")
	assert.Equal(t, http.StatusOK, answer.Code)
	injector.Add(faults.Rule{Do: faults.Fail(http.StatusGone)})
	injector.Clear()
	answer, _ = send(handler, "get", "foos", "")
	assert.Equal(t, http.StatusOK, answer.Code)
}

// TestShare checks that the seed determines which requests are hit.
func TestShare(t *testing.T) {
	choices := func(seed uint64) []int {
		injector := faults.New(seed)
		injector.Add(faults.Rule{Share: 0.5, Do: faults.Fail(http.StatusInternalServerError)})
		handler := injector.Wrap(&api{})
		var codes []int
		for range 100 {
			answer, _ := send(handler, "get", "foos", "")
			codes = append(codes, answer.Code)
		}
		return codes
	}
	first := choices(1)
	assert.Contains(t, first, http.StatusOK)
	assert.Contains(t, first, http.StatusInternalServerError)
	assert.Equal(t, first, choices(1))
	assert.NotEqual(t, first, choices(2))
}

// TestLost checks that LoseReply executes the request and LoseRequest does not.
func TestLost(t *testing.T) {
	for name, test := range map[string]struct {
		action faults.Action
		served int
	}{
		"reply":   {faults.LoseReply(), 1},
		"request": {faults.LoseRequest(), 0},
	} {
		t.Run(name, func(t *testing.T) {
			var behind api
			injector := faults.New(1)
			injector.Add(faults.Rule{Do: test.action})
			answer, broken := send(injector.Wrap(&behind), "create", "foos", "")
			assert.True(t, broken)
			assert.Empty(t, answer.Body.String())
			assert.Equal(t, test.served, behind.served)
		})
	}
}

func TestDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var behind api
		injector := faults.New(1)
		injector.Add(faults.Rule{Do: faults.Delay(time.Minute)})
		began := time.Now()
		send(injector.Wrap(&behind), "get", "foos", "")
		assert.Equal(t, time.Minute, time.Since(began))
		assert.Equal(t, 1, behind.served)
	})
}

// TestHold blocks a request and checks that WaitHits waits for it.
func TestHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var behind api
		injector := faults.New(1)
		release := make(chan struct{})
		fault := injector.Add(faults.Rule{Do: faults.Hold(release)})
		go send(injector.Wrap(&behind), "get", "foos", "")
		require.NoError(t, fault.WaitHits(t.Context(), 1))
		synctest.Wait()
		assert.Zero(t, behind.served)
		close(release)
		synctest.Wait()
		assert.Equal(t, 1, behind.served)

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		assert.ErrorIs(t, fault.WaitHits(ctx, 2), context.DeadlineExceeded)
	})
}

func TestDropWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		injector := faults.New(1)
		handler := injector.Wrap(&api{})
		broken := make(chan bool, 1)
		go func() {
			_, b := send(handler, "watch", "foos", "")
			broken <- b
		}()
		synctest.Wait()
		assert.Zero(t, injector.DropWatches("bars"))
		assert.Equal(t, 1, injector.DropWatches("foos"))
		assert.True(t, <-broken)
		assert.Zero(t, injector.DropWatches("foos"), "it is gone")
	})
}

// TestLag checks that watch events arrive late, in order and at their original intervals.
func TestLag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		injector := faults.New(1)
		injector.Add(faults.Rule{Verbs: []string{"watch"}, Do: faults.Lag(2 * time.Second)})
		start := time.Now()
		var sent, seen []time.Duration
		handler := injector.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for range 3 {
				sent = append(sent, time.Since(start))
				_, err := w.Write([]byte("event"))
				assert.NoError(t, err)
				w.(http.Flusher).Flush()
				time.Sleep(time.Second)
			}
			time.Sleep(time.Minute)
		}))
		answer := &arrivals{ResponseRecorder: httptest.NewRecorder(), arrived: func() { seen = append(seen, time.Since(start)) }}
		info := &request.RequestInfo{IsResourceRequest: true, Verb: "watch", Resource: "foos"}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		handler.ServeHTTP(answer, r.WithContext(request.WithRequestInfo(r.Context(), info)))
		assert.Equal(t, []time.Duration{0, time.Second, 2 * time.Second}, sent, "the server does not wait")
		assert.Equal(t, []time.Duration{2 * time.Second, 3 * time.Second, 4 * time.Second}, seen)
		assert.Equal(t, "eventeventevent", answer.Body.String())
	})
}

// arrivals is a response that reports when its parts arrive.
type arrivals struct {
	*httptest.ResponseRecorder
	arrived func()
}

func (a *arrivals) Write(data []byte) (int, error) {
	a.arrived()
	return a.ResponseRecorder.Write(data)
}
