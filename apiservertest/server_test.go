package apiservertest_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

func TestRestart(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{})
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

// TestRestore checks that a server goes back to a backup, in objects and in resource versions.
func TestRestore(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{})
	client := connect(t, server.Config()).CoreV1().ConfigMaps("default")
	kept, err := client.Create(t.Context(), configMap("kept"), metav1.CreateOptions{})
	require.NoError(t, err)
	backup := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, server.Backup(t.Context(), backup))
	lost, err := client.Create(t.Context(), configMap("lost"), metav1.CreateOptions{})
	require.NoError(t, err)
	var last *corev1.ConfigMap
	for range 500 { // more than a server writes when it starts
		last, err = client.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "more-"}}, metav1.CreateOptions{})
		require.NoError(t, err)
	}

	require.NoError(t, server.Restore(t.Context(), backup))
	after, err := client.Get(t.Context(), "kept", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, kept, after)
	_, err = client.Get(t.Context(), "lost", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
	again, err := client.Create(t.Context(), configMap("lost"), metav1.CreateOptions{})
	require.NoError(t, err)
	assert.NotEqual(t, lost.UID, again.UID)
	order, err := resourceversion.CompareResourceVersion(again.ResourceVersion, last.ResourceVersion)
	require.NoError(t, err)
	assert.Negative(t, order, "%s was written after %s", again.ResourceVersion, last.ResourceVersion)
	require.Error(t, server.Restore(t.Context(), filepath.Join(backup, "none")))
}

func TestStopTwice(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{}) // its cleanup stops the server again
	require.NoError(t, server.Stop())
	_, err := connect(t, server.Config()).CoreV1().ConfigMaps("default").List(t.Context(), metav1.ListOptions{})
	assert.Error(t, err)
}

// TestSever checks that Sever ends watches without an error event, and that the server keeps working.
func TestSever(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{})
	client := connect(t, server.Config()).CoreV1().ConfigMaps("default")
	watch, err := client.Watch(t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=a"})
	require.NoError(t, err)
	defer watch.Stop()
	server.Sever()
	for event := range watch.ResultChan() {
		assert.Fail(t, "unexpected event", "%v", event)
	}
	_, err = client.List(t.Context(), metav1.ListOptions{})
	assert.NoError(t, err)
}

// TestTwoServers writes through one server and reads through the other.
func TestTwoServers(t *testing.T) {
	first := apiservertest.Start(t, apiservertest.Options{})
	second := apiservertest.Start(t, apiservertest.Options{Etcd: first.Etcd()})
	require.NotEqual(t, first.Config().Host, second.Config().Host)
	reader := connect(t, second.Config()).CoreV1().ConfigMaps("default")
	watch, err := reader.Watch(t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=a"})
	require.NoError(t, err)
	defer watch.Stop()
	want, err := connect(t, first.Config()).CoreV1().ConfigMaps("default").Create(t.Context(), configMap("a"), metav1.CreateOptions{})
	require.NoError(t, err)

	event := <-watch.ResultChan()
	assert.Equal(t, want, event.Object)
	got, err := reader.Get(t.Context(), "a", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

// TestDiscovery uses aggregated discovery, as kubectl does, and the older form.
func TestDiscovery(t *testing.T) {
	config, err := clientcmd.BuildConfigFromFlags("", shared.Kubeconfig())
	require.NoError(t, err)
	client := connect(t, config).Discovery()
	version, err := client.ServerVersion()
	require.NoError(t, err)
	t.Log("version of the server:", version.GitVersion)
	for name, client := range map[string]discovery.DiscoveryInterface{"aggregated": client, "plain": client.WithLegacy()} {
		t.Run(name, func(t *testing.T) {
			_, lists, err := client.ServerGroupsAndResources()
			require.NoError(t, err)
			var resources []string
			for _, list := range lists {
				for _, resource := range list.APIResources {
					resources = append(resources, list.GroupVersion+" "+resource.Name)
				}
			}
			assert.Subset(t, resources, []string{
				"v1 namespaces", "v1 namespaces/status", "v1 namespaces/finalize", "v1 configmaps", "v1 secrets", "v1 events",
				"v1 pods", "v1 pods/status", "v1 services", "v1 serviceaccounts", "apps/v1 deployments", "apps/v1 deployments/status",
				"batch/v1 jobs", "coordination.k8s.io/v1 leases", "events.k8s.io/v1 events", "rbac.authorization.k8s.io/v1 roles",
				"admissionregistration.k8s.io/v1 validatingwebhookconfigurations",
				"apiextensions.k8s.io/v1 customresourcedefinitions", "example.com/v1 widgets", "example.com/v1 widgets/status",
			})
		})
	}
}
