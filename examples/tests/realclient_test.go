package tests

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	typedfleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

func TestClientsetConfiguration(t *testing.T) {
	config := &rest.Config{Host: "https://fleet.example.com", QPS: 5}
	_, err := versioned.NewForConfig(config)
	require.Error(t, err, "a rate limit without a burst lets nothing through")
	assert.Contains(t, err.Error(), "burst")
	assert.Panics(t, func() { versioned.NewForConfigOrDie(config) })

	config.Burst = 10
	client, err := versioned.NewForConfig(config)
	require.NoError(t, err)
	limiter := client.FleetV1().RESTClient().GetRateLimiter()
	require.NotNil(t, limiter)
	assert.EqualValues(t, 5, limiter.QPS())
	assert.Same(t, limiter, client.FleetV1beta1().RESTClient().GetRateLimiter(), "all groups share one limit")
	assert.Same(t, limiter, client.FleetReviewV1().RESTClient().GetRateLimiter(), "all groups share one limit")
	assert.Same(t, limiter, client.EdgeNetworkV1alpha1().RESTClient().GetRateLimiter(), "all groups share one limit")
	assert.Nil(t, config.RateLimiter, "the caller's configuration is not touched")

	config.RateLimiter = flowcontrol.NewFakeAlwaysRateLimiter()
	client = versioned.NewForConfigOrDie(config)
	assert.Same(t, config.RateLimiter, client.FleetV1().RESTClient().GetRateLimiter())

	for name, broken := range map[string]*rest.Config{
		"address":   {Host: "fleet:example:com"},
		"transport": {Host: "https://fleet.example.com", TLSClientConfig: rest.TLSClientConfig{CAFile: "no-such-file"}},
	} {
		client, err := versioned.NewForConfig(broken)
		assert.Error(t, err, name)
		assert.Nil(t, client, name)
		group, err := typedfleetv1.NewForConfig(broken)
		assert.Error(t, err, name)
		assert.Nil(t, group, name)
		assert.Panics(t, func() { typedfleetv1.NewForConfigOrDie(broken) }, name)
	}
}

func TestClientsFromOtherClients(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.NotEmpty(t, r.UserAgent())
		w.Header().Set("Content-Type", runtime.ContentTypeJSON)
		_, err := w.Write(encode(t, region("north")))
		assert.NoError(t, err)
	}))
	defer server.Close()
	config := &rest.Config{Host: server.URL}

	group, err := typedfleetv1.NewForConfigAndClient(config, server.Client())
	require.NoError(t, err)
	assert.Empty(t, config.GroupVersion, "the caller's configuration is not touched")
	fromGroup, err := typedfleetv1.New(group.RESTClient()).Regions().Get(t.Context(), "north", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, region("north"), fromGroup)

	whole := versioned.New(group.RESTClient())
	fromWhole, err := whole.FleetV1().Regions().Get(t.Context(), "north", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, region("north"), fromWhole)
	for name, used := range map[string]rest.Interface{
		"discovery":   whole.Discovery().RESTClient(),
		"fleet v1":    whole.FleetV1().RESTClient(),
		"fleet beta":  whole.FleetV1beta1().RESTClient(),
		"edge":        whole.EdgeNetworkV1alpha1().RESTClient(),
		"fleetreview": whole.FleetReviewV1().RESTClient(),
	} {
		assert.Same(t, group.RESTClient(), used, name)
	}

	assert.Nil(t, (*typedfleetv1.FleetV1Client)(nil).RESTClient(), "an absent client has no connection, and says so calmly")
	assert.Nil(t, (*versioned.Clientset)(nil).Discovery())
}

func TestServerErrorsArriveTyped(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		status := apierrors.NewConflict(fleetv1.Resource("workloads"), "web", assert.AnError).Status()
		w.Header().Set("Content-Type", runtime.ContentTypeJSON)
		w.WriteHeader(int(status.Code))
		_, err := w.Write(encode(t, &status))
		assert.NoError(t, err)
	}))
	defer server.Close()

	_, err := newClient(t, server).FleetV1().Workloads("shop").Update(t.Context(), workload("shop", "web", nil), metav1.UpdateOptions{})
	assert.True(t, apierrors.IsConflict(err), "got %v", err)
	assert.ErrorContains(t, err, `workloads.fleet.example.com "web"`)
}

// stream serves watch events of workloads until the client disconnects, which may be before they are written.
func stream(w http.ResponseWriter, r *http.Request, events ...metav1.WatchEvent) {
	w.Header().Set("Content-Type", runtime.ContentTypeJSON)
	encoder := json.NewEncoder(w)
	for _, event := range events {
		_ = encoder.Encode(event)
	}
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

func event(t *testing.T, kind watch.EventType, object runtime.Object) metav1.WatchEvent {
	return metav1.WatchEvent{Type: string(kind), Object: runtime.RawExtension{Raw: encode(t, object)}}
}

func TestWatchOverHTTP(t *testing.T) {
	web := workload("shop", "web", nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "GET", r.Method)
		assert.Equal(t, "/apis/fleet.example.com/v1/namespaces/shop/workloads", r.URL.Path)
		assert.Equal(t, "labelSelector=tier%3Dfront&resourceVersion=7&timeout=1m0s&timeoutSeconds=60&watch=true", r.URL.Query().Encode())
		stream(w, r, event(t, watch.Added, web), event(t, watch.Deleted, web))
	}))
	defer server.Close()

	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	minute := int64(60)
	watcher, err := newClient(t, server).FleetV1().Workloads("shop").Watch(ctx,
		metav1.ListOptions{LabelSelector: "tier=front", ResourceVersion: "7", TimeoutSeconds: &minute})
	require.NoError(t, err)
	defer watcher.Stop()
	assert.Equal(t, watch.Event{Type: watch.Added, Object: web}, next(t, watcher.ResultChan()))
	assert.Equal(t, watch.Event{Type: watch.Deleted, Object: web}, next(t, watcher.ResultChan()))
}

// TestInformerOverHTTP runs an informer on a real client, where the initial state comes as a stream of events.
func TestInformerOverHTTP(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "/apis/fleet.example.com/v1/namespaces/shop/workloads", r.URL.Path)
		assert.Equal(t, "tier=front", r.URL.Query().Get("labelSelector"))
		assert.Equal(t, "true", r.URL.Query().Get("sendInitialEvents"))
		web := workload("shop", "web", map[string]string{"tier": "front"})
		web.ResourceVersion = "7"
		bookmark := &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{
			ResourceVersion: "8",
			Annotations:     map[string]string{metav1.InitialEventsAnnotationKey: "true"},
		}}
		stream(w, r, event(t, watch.Added, web), event(t, watch.Bookmark, bookmark))
	}))
	defer server.Close()

	factory := informers.NewSharedInformerFactoryWithOptions(newClient(t, server), 0,
		informers.WithNamespace("shop"),
		informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = "tier=front" }))
	lister := factory.Fleet().V1().Workloads().Lister()
	t.Run("while it runs", func(t *testing.T) {
		start(t, factory)
		web, err := lister.Workloads("shop").Get("web")
		require.NoError(t, err)
		assert.Equal(t, "front", web.Labels["tier"])
	})
}

// TestFactoryStreamsLists runs New's informers on an API server that streams lists, and on one that does not.
func TestFactoryStreamsLists(t *testing.T) {
	web := workload("shop", "web", nil)
	web.ResourceVersion = "7"
	bookmark := &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "8", Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}}}
	for name, test := range map[string]struct {
		streams bool
		lists   int64
	}{
		"streams":         {true, 0},
		"does not stream": {false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var lists, streamed atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				query := r.URL.Query()
				switch {
				case query.Get("watch") == "":
					lists.Add(1)
					w.Header().Set("Content-Type", runtime.ContentTypeJSON)
					list := &fleetv1.WorkloadList{ListMeta: metav1.ListMeta{ResourceVersion: "8"}, Items: []fleetv1.Workload{*web}}
					_, err := w.Write(encode(t, list))
					assert.NoError(t, err)
				case query.Get("sendInitialEvents") != "true":
					stream(w, r)
				case !test.streams:
					streamed.Add(1)
					refusal := apierrors.NewInvalid(fleetv1.SchemeGroupVersion.WithKind("ListOptions").GroupKind(), "", nil).Status()
					w.Header().Set("Content-Type", runtime.ContentTypeJSON)
					w.WriteHeader(int(refusal.Code))
					assert.NoError(t, json.NewEncoder(w).Encode(refusal))
				default:
					streamed.Add(1)
					stream(w, r, event(t, watch.Added, web), event(t, watch.Bookmark, bookmark))
				}
			}))
			defer server.Close()

			factory, err := informers.New(newClient(t, server), informer.WithNamespaces("shop"))
			require.NoError(t, err)
			lister := factory.Fleet().V1().Workloads().Lister()
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			defer factory.Shutdown()
			defer cancel()
			factory.StartWithContext(ctx)
			require.NoError(t, factory.WaitForSync(ctx))
			_, err = lister.Workloads("shop").Get("web")
			require.NoError(t, err)
			assert.EqualValues(t, 1, streamed.Load(), "streaming is tried")
			assert.Equal(t, test.lists, lists.Load())
			assert.Empty(t, factory.Errors())
		})
	}
}
