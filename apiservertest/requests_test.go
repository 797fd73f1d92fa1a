package apiservertest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestRequests checks that the log has each request of a test once, including rejected ones.
func TestRequests(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{RBAC: true})
	namespace := server.Namespace(t)
	admin, alice := connect(t, server.Config()).CoreV1(), connect(t, server.As("alice")).CoreV1()
	ended, err := admin.ConfigMaps(namespace).Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	_, err = admin.ConfigMaps(namespace).Create(t.Context(), configMap("a"), metav1.CreateOptions{})
	require.NoError(t, err)
	<-ended.ResultChan()
	ended.Stop()
	_, err = alice.Pods(namespace).UpdateStatus(t.Context(), pod("p"), metav1.UpdateOptions{})
	require.Error(t, err)
	stranger := server.Config()
	stranger.BearerToken = "stranger"
	_, err = connect(t, stranger).CoreV1().Secrets(namespace).Get(t.Context(), "s", metav1.GetOptions{})
	require.Error(t, err)
	open, err := admin.Secrets(namespace).Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	defer open.Stop()

	requests, err := server.Requests()
	require.NoError(t, err)
	requests = slices.DeleteFunc(requests, func(r apiservertest.Request) bool { return r.Namespace != namespace || r.Resource == "namespaces" })
	var got []string
	for _, r := range requests {
		got = append(got, strings.ReplaceAll(r.String(), namespace, "ns"))
		assert.NotZero(t, r.Received)
		assert.NotEmpty(t, r.UserAgent)
	}
	assert.Equal(t, []string{
		"watch configmaps ns by admin: 200",
		"create configmaps ns/a by admin: 201",
		"update pods/status ns/p by alice: 403",
		"get secrets ns/s by : 401",
		"watch secrets ns by admin: 200",
	}, got)
}

// TestRequestsOverRestart checks that the log keeps earlier requests.
func TestRequestsOverRestart(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{})
	_, err := connect(t, server.Config()).Discovery().ServerVersion()
	require.NoError(t, err)
	require.NoError(t, server.Restart(t.Context()))
	requests, err := server.Requests()
	require.NoError(t, err)
	require.NotEmpty(t, requests)
	assert.Equal(t, "get /version by admin: 200", requests[len(requests)-1].String())
}
