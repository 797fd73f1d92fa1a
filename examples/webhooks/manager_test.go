package webhooks

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager"
)

// slowAPI is an API server that waits, as for a conversion, before it lists the workloads.
type slowAPI struct {
	t *testing.T
	// listed receives a value when a client lists workloads. They are sent once converted is closed.
	listed, converted chan struct{}
	// workload is the only one, in the version that clients list.
	workload json.RawMessage
}

// ServeHTTP implements http.Handler.
func (a *slowAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	assert.Equal(a.t, "/apis/fleet.example.com/v1beta1/workloads", r.URL.Path)
	assert.Equal(a.t, "true", r.URL.Query().Get("sendInitialEvents"), "a list is a watch that starts with all objects")
	select {
	case a.listed <- struct{}{}:
	default:
	}
	select {
	case <-a.converted:
	case <-r.Context().Done():
		return
	}
	w.Header().Set("Content-Type", "application/json")
	a.send(w, watch.Added, a.workload)
	a.send(w, watch.Bookmark, json.RawMessage(`{"apiVersion":"fleet.example.com/v1beta1","kind":"Workload","metadata":{"resourceVersion":"7",
"annotations":{"`+metav1.InitialEventsAnnotationKey+`":"true"}}}`))
	<-r.Context().Done()
}

func (a *slowAPI) send(w http.ResponseWriter, event watch.EventType, object json.RawMessage) {
	assert.NoError(a.t, json.NewEncoder(w).Encode(map[string]any{"type": event, "object": object}))
	assert.NoError(a.t, http.NewResponseController(w).Flush())
}

// receive waits for a value.
func receive[T any](t *testing.T, from <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-from:
	case <-time.After(deadline):
		require.Fail(t, "nothing is received")
	}
	return value
}

// TestManager runs the webhooks of an operator whose caches do not fill before they have answered.
func TestManager(t *testing.T) {
	api := &slowAPI{t: t, listed: make(chan struct{}, 1), converted: make(chan struct{})}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	synced := make(chan string, 1)
	h := startWith(t, func(ctx context.Context, options Options) error {
		m, err := manager.New("fleet-operator", &rest.Config{Host: server.URL})
		if err != nil {
			return err
		}
		client, err := manager.Client(m, versioned.NewForConfig)
		if err != nil {
			return err
		}
		workloads := informer.For(m.Factory(), externalversions.FleetV1beta1WorkloadSource(client))
		m.Run("webhooks", func(ctx context.Context) error { return Serve(ctx, m.Config(), options) }, manager.BeforeCaches())
		m.Run("reader", func(context.Context) error {
			one, err := workloads.Lister().Get("shop", "web")
			if err == nil {
				synced <- one.Spec.Image
			}
			return err
		})
		return m.Start(ctx)
	})
	receive(t, api.listed)
	response := h.convert(t, workload("north"), "v1beta1")
	require.Equal(t, metav1.StatusSuccess, response.Result.Status, response.Result.Message)
	assert.Empty(t, synced)
	api.workload = response.ConvertedObjects[0].Raw
	close(api.converted)
	assert.Equal(t, "web:1", receive(t, synced))
}
