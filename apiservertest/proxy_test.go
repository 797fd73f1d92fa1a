package apiservertest_test

import (
	"net/http"
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/endpoints/request"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestProxy uses a server in another process: that of $E2E_SERVER, or this test program. Clients see no difference.
func TestProxy(t *testing.T) {
	if os.Getenv(apiservertest.ProgramEnv) == "" {
		program, err := os.Executable()
		require.NoError(t, err)
		t.Setenv(apiservertest.ProgramEnv, program)
	}
	var created atomic.Value
	server := apiservertest.Start(t, apiservertest.Options{Wrap: func(api http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if info, ok := request.RequestInfoFrom(r.Context()); ok && info.Verb == "create" {
				created.Store(*info)
			}
			api.ServeHTTP(w, r)
		})
	}})
	client := connect(t, server.Config()).CoreV1().ConfigMaps("default")
	only := metav1.ListOptions{FieldSelector: "metadata.name=a"}

	watch, err := client.Watch(t.Context(), only)
	require.NoError(t, err)
	defer watch.Stop()
	want, err := client.Create(t.Context(), configMap("a"), metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, want, (<-watch.ResultChan()).Object, "not held back while the watch goes on")
	info, _ := created.Load().(request.RequestInfo)
	assert.Equal(t, "default configmaps", info.Namespace+" "+info.Resource, "what handlers go by")

	server.Sever()
	for event := range watch.ResultChan() {
		assert.Fail(t, "unexpected event", "%v", event)
	}
	host := server.Config().Host
	require.NoError(t, server.Restart(t.Context()))
	assert.Equal(t, host, server.Config().Host)
	got, err := client.Get(t.Context(), "a", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, want, got)

	stranger := server.Config()
	stranger.BearerToken = "stranger"
	_, err = connect(t, stranger).CoreV1().ConfigMaps("default").Get(t.Context(), "a", metav1.GetOptions{})
	assert.ErrorContains(t, err, "Unauthorized", "it is the server that lets in")
}

// TestProxyWithoutServer uses a program that cannot serve.
func TestProxyWithoutServer(t *testing.T) {
	t.Setenv(apiservertest.ProgramEnv, t.TempDir())
	_, err := apiservertest.StartServer(t.Context(), apiservertest.Options{})
	assert.ErrorContains(t, err, "permission denied")
}
