package apiservertest_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
)

// TestFaults checks that requests of clients fail and those of the server's controllers do not.
func TestFaults(t *testing.T) {
	var seen atomic.Int32
	server := apiservertest.Start(t, apiservertest.Options{
		CRDPaths: []string{"testdata/crd"},
		Wrap: func(api http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				seen.Add(1)
				api.ServeHTTP(w, r)
			})
		},
	})
	f := newFamily(t, server)
	conflict := server.Faults.Add(faults.Rule{Verbs: []string{"create"}, Resource: "widgets", Times: 1, Do: faults.Fail(http.StatusConflict)})
	lost := server.Faults.Add(faults.Rule{Verbs: []string{"delete"}, Resource: "widgets", Times: 1, Do: faults.LoseReply()})
	for range 2 {
		server.Faults.Add(faults.Rule{Verbs: []string{"delete", "patch"}, Resource: "configmaps", Do: faults.Fail(http.StatusInternalServerError)})
	}
	before := seen.Load()
	_, err := f.widgets.Create(t.Context(), widget("a"), metav1.CreateOptions{})
	assert.True(t, apierrors.IsConflict(err), "%v", err)
	assert.Equal(t, before, seen.Load(), "the handler is behind the faults")
	owner := create1(t, f.widgets, widget("a"))
	assert.Less(t, before, seen.Load())
	create1(t, f.configs, config("child", ownedBy(owner, false)))

	assert.Error(t, f.widgets.Delete(t.Context(), "a", metav1.DeleteOptions{}))
	gone(t, f.configs, "child")
	assert.Equal(t, 1, conflict.Hits())
	assert.Equal(t, 1, lost.Hits())
	server.Faults.Clear()
}

// TestLag delays the events of a real watch.
func TestLag(t *testing.T) {
	const lag = 200 * time.Millisecond
	server := apiservertest.Start(t, apiservertest.Options{})
	server.Faults.Add(faults.Rule{Verbs: []string{"watch"}, Resource: "configmaps", Do: faults.Lag(lag)})
	client := connect(t, server.Config()).CoreV1().ConfigMaps(server.Namespace(t))
	watch, err := client.Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	defer watch.Stop()
	created := time.Now()
	want, err := client.Create(t.Context(), configMap("a"), metav1.CreateOptions{})
	require.NoError(t, err)
	for event := range watch.ResultChan() {
		if config, ok := event.Object.(*corev1.ConfigMap); ok && config.Name == want.Name {
			break // kube-controller-manager creates another config map
		}
	}
	assert.GreaterOrEqual(t, time.Since(created), lag)
}
