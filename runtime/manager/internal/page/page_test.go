package page

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/definitions"
)

// fixed is a controller with a fixed state. All its objects are in the same one.
type fixed struct {
	status controller.Status
	object controller.ObjectStatus
}

func (f fixed) Name() string                { return f.status.Name }
func (f fixed) Describe() controller.Status { return f.status }

func (f fixed) DescribeObject(name cache.ObjectName) controller.ObjectStatus {
	f.object.Controller, f.object.Object = f.status.Name, name.String()
	return f.object
}

// attack is a text of an API server or a reconciler that would be harmful if it was not escaped.
const attack = `</td></table><script>alert("x")</script>&'"`

// ask serves a request at a fixed time: two minutes after that of the states.
func get(t *testing.T, query, accept string, controllers ...Described) *httptest.ResponseRecorder {
	t.Helper()
	return do(t, http.MethodGet, query, accept, controllers...)
}

func do(t *testing.T, method, query, accept string, controllers ...Described) *httptest.ResponseRecorder {
	t.Helper()
	response := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(t.Context(), method, "/debug/controllers"+query, nil)
	request.Header.Set("Accept", accept)
	Handler(func() []Described { return controllers }, func() []*informer.Factory { return nil }, stale).ServeHTTP(response, request)
	return response
}

// stale returns definitions of kinds that are reconciled and that are only referred to.
func stale() []definitions.State {
	return []definitions.State{
		{Definition: "workloads.v1.fleet.example.com", Written: true, MissingFields: []string{"spec.limit", "spec.ports[].name"}},
		{Definition: "regions.v1.fleet.example.com", MissingFields: []string{attack}},
	}
}

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// fleet returns two controllers, the first of which has objects in all states.
func fleet() []Described {
	now := time.Now()
	at := func(d time.Duration) time.Time { return now.Add(-d) }
	return []Described{
		fixed{
			controller.Status{
				Name: "workloads", APIVersion: "fleet.example.com/v1", Kind: "Workload", Resource: "workloads.fleet.example.com",
				Synced: true, Elected: true, Running: true, Workers: 4, Busy: 1, LongestRunning: metav1.Duration{Duration: 95 * time.Second},
				Urgent: 3, Low: 1200,
				HeldBack: controller.ObjectList{Total: 1, Objects: []controller.ObjectSummary{
					{Object: "shop/web", Since: at(10 * time.Second), Reason: "deployments.apps shop/web at resource version 4711"},
				}},
				Failing:  controller.ObjectList{Total: 102, Objects: []controller.ObjectSummary{{Object: "shop/db", Since: at(time.Hour), Reason: attack}}},
				Unserved: []string{"gateways.gateway.networking.k8s.io"},
				Informers: informer.Description{
					{Resource: "workloads.fleet.example.com", Version: "v1", Objects: 7, Bytes: 7000, Running: true, Synced: true, ResourceVersion: "4800"},
					{Resource: "secrets", Version: "v1", Metadata: true, Namespaces: []string{"shop", "bank"}, LastError: attack},
				},
			},
			controller.ObjectStatus{
				Cached: true, ResourceVersion: "4700", State: controller.ObjectHeldBack, Since: at(10 * time.Second), Event: "updated",
				Resource: "deployments.apps", HeldBack: []string{"deployments.apps shop/web at resource version 4711"},
				Reconciles: []controller.PastReconcile{{
					Event: "found", Queued: metav1.Duration{Duration: 2 * time.Second}, Start: at(time.Minute),
					Took: metav1.Duration{Duration: 12345678 * time.Nanosecond}, Outcome: controller.OutcomeError, Error: attack,
				}},
			},
		},
		fixed{status: controller.Status{Name: "regions", Synced: true, Workers: 2}, object: controller.ObjectStatus{State: controller.ObjectIdle}},
	}
}

func TestText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		response := get(t, "", "*/*", fleet()...)
		assert.Equal(t, "text/plain; charset=utf-8", response.Header().Get("Content-Type"))
		const want = `workloads: reconciling (fleet.example.com/v1 Workload)
  workers: 1 of 4 busy, the longest for 95s
  queue: 3 urgent, 1200 low
  not served: gateways.gateway.networking.k8s.io
  held back: 1
    shop/web  10s  deployments.apps shop/web at resource version 4711
  waiting: 0
  failing: 102
    shop/db  60m  </td></table><script>alert("x")</script>&'"
    and 101 more
regions: on standby ( )
  workers: 0 of 2 busy
  queue: 0 urgent, 0 low
  held back: 0
  waiting: 0
  failing: 0
definition of workloads.v1.fleet.example.com: lacks the fields spec.limit, spec.ports[].name
definition of regions.v1.fleet.example.com (only referred to): lacks the fields </td></table><script>alert("x")</script>&'"
informers:
`
		assert.Equal(t, want, response.Body.String()[:len(want)])
		assert.Equal(t, 3, strings.Count(response.Body.String()[len(want):], "\n"), "a table of informers")

		response = get(t, "?object=shop/web", "", fleet()...)
		assert.Equal(t, `shop/web of workloads: held back
  It has been held back for 10s, waiting for deployments.apps shop/web at resource version 4711.
  The cache has it at resource version 4700.
    60s ago  start with all objects  queued 2s  took 12.345ms  error  </td></table><script>alert("x")</script>&'"
shop/web of regions: idle
  It is not in the queue, and has not been reconciled lately.
  It is not in the cache: it does not exist, or a selector leaves it out.
`, response.Body.String())
	})
}

func TestJSON(t *testing.T) {
	for _, response := range []*httptest.ResponseRecorder{
		get(t, "?object=web&controller=workloads&format=json", browser, fleet()...),
		get(t, "?object=web&controller=workloads", "application/json", fleet()...),
	} {
		assert.Equal(t, "application/json; charset=utf-8", response.Header().Get("Content-Type"))
		var got struct{ Objects []map[string]any }
		require.NoError(t, json.Unmarshal(response.Body.Bytes(), &got))
		require.Len(t, got.Objects, 1)
		assert.Equal(t, "web", got.Objects[0]["object"])
		assert.Equal(t, "heldBack", got.Objects[0]["state"])
		assert.Len(t, got.Objects[0]["explanation"], 2)
	}
	var got map[string][]map[string]any
	require.NoError(t, json.Unmarshal(get(t, "", "application/json", fleet()...).Body.Bytes(), &got))
	assert.Len(t, got["controllers"], 2)
	assert.Len(t, got["informers"], 2)
	require.Len(t, got["definitions"], 2)
	assert.Equal(t, map[string]any{
		"definition": "workloads.v1.fleet.example.com", "written": true, "missingFields": []any{"spec.limit", "spec.ports[].name"},
	}, got["definitions"][0])
	assert.Equal(t, "workloads", got["controllers"][0]["name"])
}

func TestBadRequests(t *testing.T) {
	for query, want := range map[string]string{
		"object=/web":                             "the namespace of the object is empty",
		"object=shop/":                            "the name of the object is empty",
		"object=shop/web/x":                       "the name of the object may not contain '/'",
		"object=..":                               "the name of the object may not be '..'",
		"object=a%25b":                            "the name of the object may not contain '%'",
		"object=shop/a+b":                         "has spaces or control characters",
		"object=shop%0A/web":                      "the namespace of the object has spaces or control characters",
		"object=" + strings.Repeat("x", 254):      "is longer than 253 characters",
		"format=xml":                              `unknown format "xml": use html, json or text`,
		"controller=" + url.QueryEscape("<b>"):    `no controller "<b>": there are workloads, regions`,
		"controller=" + url.QueryEscape("\nline"): `no controller "\nline"`,
	} {
		status := http.StatusBadRequest
		if strings.HasPrefix(query, "controller") {
			status = http.StatusNotFound
		}
		response := get(t, "?"+query, "", fleet()...)
		assert.Equal(t, status, response.Code, query)
		assert.Contains(t, response.Body.String(), want)
		assert.Equal(t, 1, strings.Count(response.Body.String(), "\n"), "one sentence")
		if strings.HasPrefix(query, "format") {
			continue
		}
		response = get(t, "?"+query, browser, fleet()...)
		assert.Equal(t, status, response.Code, query)
		checkHTML(t, response.Body.String())
		assert.Contains(t, response.Body.String(), `role="alert"`)
		var got map[string]string
		require.NoError(t, json.Unmarshal(get(t, "?format=json&"+query, "", fleet()...).Body.Bytes(), &got))
		assert.Contains(t, got["error"], want)
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions} {
		response := do(t, method, "", "")
		assert.Equal(t, http.StatusMethodNotAllowed, response.Code)
		assert.Equal(t, "GET, HEAD", response.Header().Get("Allow"))
	}
	assert.Equal(t, http.StatusOK, do(t, http.MethodHead, "", "").Code)
}

// TestExplanations has a sentence for each state.
func TestExplanations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		past, next := now.Add(-90*time.Second), now.Add(4*time.Minute)
		reconciles := []controller.PastReconcile{{}}
		for want, status := range map[string]controller.ObjectStatus{
			"It has been reconciling for 90s, because of: deployments.apps updated.": {
				State: controller.ObjectRunning, Since: past, Event: "updated", Resource: "deployments.apps"},
			"It has been reconciling for 90s, because of: retry. Before, it failed 17 times in a row.": {
				State: controller.ObjectRunning, Since: past, Event: "retry", Failures: 17},
			"It has been in the queue for 90s, because of: start with all objects. It is in the low lane: objects with new events come first.": {
				State: controller.ObjectQueued, Since: past, Event: "found", Lane: "low"},
			"It has been in the queue.": {State: controller.ObjectQueued, Lane: "urgent"},
			"It has been waiting for 90s for Secret shop/db. It will be reconciled in 4m if no event comes first.": {
				State: controller.ObjectWaiting, Since: past, WaitingFor: "Secret shop/db", Next: next},
			"It has been failing for 90s, 3 times in a row. It will be reconciled in 4m if no event comes first.": {
				State: controller.ObjectFailing, Since: past, Failures: 3, Next: next},
			"It has been failing for 90s, once. It was dropped until its next event.": {
				State: controller.ObjectFailing, Since: past, Failures: 1},
			"It has been paused for 90s by the annotation example.com/paused.": {
				State: controller.ObjectPaused, Since: past, PausedBy: "example.com/paused"},
			"It is up to date: the last reconcile succeeded, and nothing has enqueued it since.": {
				State: controller.ObjectIdle, Reconciles: reconciles},
		} {
			status.Cached = true
			assert.Equal(t, want+" It is in the cache.", strings.Join(explain(status), " "))
			status.Cached, status.NotWatched = false, true
			assert.Equal(t, want+" Its namespace is not watched.", strings.Join(explain(status), " "))
		}
	})
	assert.Equal(t, []string{"all", "all", "none", "a, b"}, []string{
		namespaces(nil), namespaces([]string{""}), namespaces([]string{}), namespaces([]string{"a", "b"})})
	assert.Equal(t, []string{"123µs", "1.234ms", "0s", "3m12s"}, []string{
		human(123 * time.Microsecond), human(1234567 * time.Nanosecond), human(0), human(192 * time.Second)})
}

// podsFail is a reconciler whose errors are from elsewhere.
type podsFail struct{}

func (podsFail) Reconcile(context.Context, *corev1.Pod) (controller.Result, error) {
	return controller.Result{}, controller.Waiting("Node n1")
}
func (podsFail) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// TestNoContents serves the page of a real controller, whose object has secrets.
func TestNoContents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube := kubefake.NewClientset(&corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "shop", Name: "web", Labels: map[string]string{"hidden": "hidden"}, Annotations: map[string]string{"hidden": "hidden"},
			},
			Spec: corev1.PodSpec{NodeName: "hidden", Containers: []corev1.Container{{Env: []corev1.EnvVar{{Name: "hidden", Value: "hidden"}}}}},
		})
		factory := informer.NewFactory()
		pods := informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods)
		c, err := controller.New(pods, podsFail{}, controller.WithFactory(factory))
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- c.Run(ctx) }()
		synctest.Wait()
		handler := Handler(func() []Described { return []Described{c} }, func() []*informer.Factory { return []*informer.Factory{factory} }, stale)
		for _, format := range []string{"text", "json", "html"} {
			for query, want := range map[string]string{"": "pods", "&object=shop/web": "Node n1"} {
				response := httptest.NewRecorder()
				handler.ServeHTTP(response, httptest.NewRequestWithContext(ctx, http.MethodGet, "/?format="+format+query, nil))
				assert.Equal(t, http.StatusOK, response.Code)
				assert.Contains(t, response.Body.String(), want)
				assert.NotContains(t, response.Body.String(), "hidden")
			}
		}
		cancel()
		require.NoError(t, <-done)
		factory.Shutdown()
	})
}
