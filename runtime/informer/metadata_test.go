package informer

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

func secretSource(kube kubernetes.Interface) Source[*corev1.Secret] {
	return Namespaced(kube, corev1.SchemeGroupVersion.WithResource("secrets"), kube.CoreV1().Secrets)
}

// TestMetadataOf uses the connection of a clientset.
func TestMetadataOf(t *testing.T) {
	var path, accept, token string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, accept, token = r.URL.Path, r.Header.Get("Accept"), r.Header.Get("Authorization")
		w.Header().Set("Content-Type", "application/json")
		_, err := w.Write([]byte(`{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": {"resourceVersion": "5"},
			"items": [{"metadata": {"name": "a", "resourceVersion": "4"}}]}`))
		assert.NoError(t, err)
	}))
	defer server.Close()
	kube, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL + "/prefix", BearerToken: "secret"})
	require.NoError(t, err)
	source, err := MetadataOf(secretSource(kube))
	require.NoError(t, err)
	list, err := source.Client("shop").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	assert.Equal(t, "a", list.(*metav1.PartialObjectMetadataList).Items[0].Name)
	assert.Equal(t, "/prefix/api/v1/namespaces/shop/secrets", path)
	assert.Contains(t, accept, "as=PartialObjectMetadataList")
	assert.Equal(t, "Bearer secret", token)
	assert.True(t, source.Namespaced())
}

// TestMetadataOfFake reduces the objects of a fake clientset.
func TestMetadataOfFake(t *testing.T) {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "a"}, Data: map[string][]byte{"a": nil}}
	kube := kubefake.NewSimpleClientset(secret)
	source, err := MetadataOf(secretSource(kube))
	require.NoError(t, err)
	client := source.Client("shop")
	object, err := client.Get(t.Context(), "a", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "a", object.Name)
	_, err = client.Get(t.Context(), "b", metav1.GetOptions{})
	require.Error(t, err)
	list, err := client.List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	assert.Len(t, list.(*metav1.PartialObjectMetadataList).Items, 1)
	changes, err := client.Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	defer changes.Stop()
	require.NoError(t, kube.Tracker().Update(corev1.SchemeGroupVersion.WithResource("secrets"), secret, "shop"))
	event := <-changes.ResultChan()
	assert.Equal(t, "a", event.Object.(*metav1.PartialObjectMetadata).Name)

	_, err = MetadataOf(FromListerWatcher[*corev1.Secret](&cache.ListWatch{}, source.Resource()))
	require.EqualError(t, err, "metadata of secrets: the source has no client")
}
