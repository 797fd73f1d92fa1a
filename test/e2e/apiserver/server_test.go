package apiserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/test/e2e/apiserver"
)

func start(t *testing.T, options apiserver.Options) *apiserver.Server {
	t.Helper()
	if options.Dir == "" {
		options.Dir = t.TempDir()
	}
	server, err := apiserver.Start(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Stop()) })
	return server
}

// connect returns a client whose connections end with the test.
func connect(t *testing.T, config *rest.Config) kubernetes.Interface {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	t.Cleanup(httpClient.CloseIdleConnections)
	client, err := kubernetes.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	return client
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"key": "value"}}
}

func TestRestart(t *testing.T) {
	server := start(t, apiserver.Options{})
	client := connect(t, server.Config()).CoreV1().ConfigMaps("default")
	before, err := client.Create(t.Context(), configMap("a"), metav1.CreateOptions{})
	require.NoError(t, err)

	host := server.Config().Host
	require.NoError(t, server.Restart(t.Context()))
	assert.Equal(t, host, server.Config().Host)
	after, err := client.Get(t.Context(), "a", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, before, after)
}
