package strictfake

import (
	stdtesting "testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	metadatafake "k8s.io/client-go/metadata/fake"
)

// TestServeUntyped reads and writes with a dynamic and a metadata client what a clientset writes and reads.
func TestServeUntyped(t *stdtesting.T) {
	kube, server := newKube(t)
	untyped := dynamicfake.NewSimpleDynamicClient(kubescheme.Scheme)
	partial := metadatafake.NewSimpleMetadataClient(metadatafake.NewTestScheme())
	require.NoError(t, server.ServeUntyped(untyped))
	require.NoError(t, server.ServeUntyped(partial))
	assert.ErrorIs(t, server.ServeUntyped(untyped), errServed)
	assert.ErrorContains(t, server.ServeUntyped(kubefake.NewClientset()), "neither a dynamic client nor a metadata client")

	resource := corev1.SchemeGroupVersion.WithResource("configmaps")
	maps := untyped.Resource(resource).Namespace("shop")
	w, err := maps.Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	defer w.Stop()
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "web"}, "data": map[string]any{"a": "b"},
	}}
	created, err := maps.Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.NotEmpty(t, created.GetUID())
	assert.Equal(t, "web", (<-w.ResultChan()).Object.(*unstructured.Unstructured).GetName())
	seen, err := kube.CoreV1().ConfigMaps("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"a": "b"}, seen.Data)
	created.SetResourceVersion("1")
	_, err = maps.Update(t.Context(), created, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsConflict(err), "%v", err)
	list, err := maps.List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	assert.Equal(t, "ConfigMap", list.Items[0].GetKind())

	metas := partial.Resource(resource).Namespace("shop")
	found, err := metas.Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, seen.UID, found.UID)
	all, err := metas.List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	assert.Len(t, all.Items, 1)
	require.NoError(t, metas.Delete(t.Context(), "web", metav1.DeleteOptions{}))
	_, err = maps.Get(t.Context(), "web", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
}
