package manager

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
)

// missingFields receives metrics.
type missingFields struct {
	controller.NoMetrics
	http.Handler

	get func() int
}

func (*missingFields) Informers(func() informer.Description) {}

func (m *missingFields) MissingFields(_ string, missing func() int) { m.get = missing }

// published is an API server whose definition of pods has, or has not, a field.
type published struct{ upgraded atomic.Bool }

func (p *published) RoundTrip(request *http.Request) (*http.Response, error) {
	hash, limit := "old", ""
	if p.upgraded.Load() {
		hash, limit = "new", `"limit": {}`
	}
	body := fmt.Sprintf(`{"paths": {"api/v1": {"serverRelativeURL": "/openapi/v3/api/v1?hash=%s"}}}`, hash)
	if request.URL.Path != "/openapi/v3" {
		body = fmt.Sprintf(`{"components": {"schemas": {"Pod": {"properties": {"spec": {"type": "object", "properties": {%s}}},
			"x-kubernetes-group-version-kind": [{"group": "", "version": "v1", "kind": "Pod"}]}}}}`, limit)
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: request}, nil
}

func TestWithStaleDefinitions(t *testing.T) {
	for _, how := range []StaleDefinitions{Warn, Refuse} {
		synctest.Test(t, func(t *testing.T) {
			kube, server, reconciler, metrics := kubetest.NewClientset(), &published{}, &counter{}, &missingFields{}
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
			_, err := kube.CoreV1().Pods("shop").Create(t.Context(), pod, metav1.CreateOptions{})
			require.NoError(t, err)
			m, err := New("operator", &rest.Config{Host: "http://api.example.com", Transport: server},
				WithStaleDefinitions(how), WithMetrics(metrics))
			require.NoError(t, err)
			source := informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods).
				WithFields("v1/pods Pod core/v1.Pod\ncore/v1.Pod: metadata spec=core/v1.PodSpec\ncore/v1.PodSpec: limit\n")
			c, err := controller.New(source, reconciler, m.ControllerOptions("pods")...)
			require.NoError(t, err)
			require.NoError(t, m.Add(c))
			end := begin(t, m)
			name, reconciles := cache.NewObjectName("shop", "web"), int64(1)
			if how == Refuse {
				reconciles = 0
			}
			time.Sleep(time.Minute + time.Second)
			synctest.Wait()
			assert.Equal(t, reconciles, reconciler.reconciled.Load())
			const line = "the definition of pods.v1 lacks the fields spec.limit\n"
			code, text := call(m.serveReadiness, http.MethodGet, "")
			assert.Equal(t, http.StatusOK, code)
			assert.Equal(t, line, text)
			assert.Equal(t, 1, metrics.get())
			assert.Equal(t, []string{"spec.limit"}, c.Describe().Informers[0].MissingFields)
			if how == Refuse {
				assert.Equal(t, controller.ObjectHeldBack, c.DescribeObject(name).State)
				assert.Equal(t, []string{"a definition of pods.v1 with the fields spec.limit"}, c.DescribeObject(name).HeldBack)
			}
			server.upgraded.Store(true)
			time.Sleep(time.Minute + 5*time.Second)
			synctest.Wait()
			assert.EqualValues(t, 1, reconciler.reconciled.Load(), "without a restart")
			_, text = call(m.serveReadiness, http.MethodGet, "")
			assert.Empty(t, text)
			assert.Zero(t, metrics.get())
			require.NoError(t, end())
		})
	}
}
