package apiservertest_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// patience is the timeout of everything that a test waits for. Working code needs far less, also while something else is compiled.
const patience = 3 * time.Minute

var (
	widgets    = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}
	fleets     = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "fleets"}
	configMaps = corev1.SchemeGroupVersion.WithResource("configmaps")
)

// connect returns a client whose connections end with the test.
func connect(t testing.TB, config *rest.Config) kubernetes.Interface {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	t.Cleanup(httpClient.CloseIdleConnections)
	client, err := kubernetes.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	return client
}

// connectDynamic is like connect, but returns a dynamic client.
func connectDynamic(t testing.TB, config *rest.Config) dynamic.Interface {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	t.Cleanup(httpClient.CloseIdleConnections)
	client, err := dynamic.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	return client
}

// onlyHere skips tests of behavior that is specific to the in-process server.
func onlyHere(t *testing.T) {
	t.Helper()
	if os.Getenv(apiservertest.ProgramEnv) != "" {
		t.Skip("specific to the in-process server: $" + apiservertest.ProgramEnv + " names another one")
	}
}

// eventually waits until holds returns true.
func eventually(t *testing.T, holds func() bool, message string, args ...any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	err := wait.PollUntilContextCancel(ctx, 5*time.Millisecond, true, func(context.Context) (bool, error) { return holds(), nil })
	require.NoError(t, err, append([]any{message}, args...)...)
}

// gone waits until an object does not exist.
func gone(t *testing.T, client dynamic.ResourceInterface, name string) {
	t.Helper()
	eventually(t, func() bool {
		_, err := client.Get(t.Context(), name, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	}, "%s is still there", name)
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"key": "value"}}
}

// item returns an object without content.
func item(apiVersion, kind, name string, owners ...metav1.OwnerReference) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetAPIVersion(apiVersion)
	object.SetKind(kind)
	object.SetName(name)
	object.SetOwnerReferences(owners)
	return object
}

func widget(name string, owners ...metav1.OwnerReference) *unstructured.Unstructured {
	return item("example.com/v1", "Widget", name, owners...)
}
