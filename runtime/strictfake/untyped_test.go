package strictfake

import (
	stdtesting "testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
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

// TestServeUntypedWrites patches and applies objects and subresources without Go types.
func TestServeUntypedWrites(t *stdtesting.T) {
	kube, server := newKube(t)
	untyped := dynamicfake.NewSimpleDynamicClient(kubescheme.Scheme)
	partial := metadatafake.NewSimpleMetadataClient(metadatafake.NewTestScheme())
	require.NoError(t, server.ServeUntyped(untyped))
	require.NoError(t, server.ServeUntyped(partial))
	require.NoError(t, server.Add(&appsv1.Deployment{ObjectMeta: inShop("web"), Spec: appsv1.DeploymentSpec{Replicas: new(int32(1))}}))
	resource := appsv1.SchemeGroupVersion.WithResource("deployments")
	deployments := untyped.Resource(resource).Namespace("shop")

	patched, err := deployments.Patch(t.Context(), "web", types.MergePatchType, []byte(`{"spec":{"paused":true}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	assert.Equal(t, "Deployment", patched.GetKind())
	applied, err := deployments.Apply(t.Context(), "web", &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "web", "labels": map[string]any{"a": "b"}},
	}}, metav1.ApplyOptions{FieldManager: "m", Force: true})
	require.NoError(t, err)
	assert.Equal(t, "b", applied.GetLabels()["a"])
	scale, err := deployments.Patch(t.Context(), "web", types.MergePatchType, []byte(`{"spec":{"replicas":3}}`), metav1.PatchOptions{}, "scale")
	require.NoError(t, err)
	assert.Equal(t, "Scale", scale.GetKind())
	applied.Object["status"] = map[string]any{"replicas": int64(2)}
	applied.SetResourceVersion("")
	_, err = deployments.UpdateStatus(t.Context(), applied, metav1.UpdateOptions{})
	require.NoError(t, err)
	metadata, err := partial.Resource(resource).Namespace("shop").Patch(t.Context(), "web", types.MergePatchType,
		[]byte(`{"metadata":{"labels":{"c":"d"}}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"a": "b", "c": "d"}, metadata.Labels)

	seen, err := kube.AppsV1().Deployments("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.True(t, seen.Spec.Paused)
	assert.EqualValues(t, 3, *seen.Spec.Replicas)
	assert.EqualValues(t, 2, seen.Status.Replicas)
}

// TestServeUntypedUnknownFields sends fields that the Go type lacks, and metadata of a wrong type.
func TestServeUntypedUnknownFields(t *stdtesting.T) {
	kube, server := newKube(t)
	untyped := dynamicfake.NewSimpleDynamicClient(kubescheme.Scheme)
	require.NoError(t, server.ServeUntyped(untyped))
	maps := untyped.Resource(corev1.SchemeGroupVersion.WithResource("configmaps")).Namespace("shop")
	sent := func(metadata map[string]any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "color": "red", "data": map[string]any{"a": "b"},
		}}
	}
	_, err := maps.Create(t.Context(), sent(map[string]any{"name": "web", "size": "big"}),
		metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	assert.EqualError(t, err, `ConfigMap in version "v1" cannot be handled as a ConfigMap: `+
		`strict decoding error: unknown field "metadata.size", unknown field "color"`)
	assert.True(t, apierrors.IsBadRequest(err), "%v", err)
	_, err = maps.Create(t.Context(), sent(map[string]any{"name": "web", "labels": "red"}), metav1.CreateOptions{})
	assert.EqualError(t, err, `ConfigMap in version "v1" cannot be handled as a ConfigMap: `+
		`json: cannot unmarshal string into Go struct field ObjectMeta.labels of type map[string]string`)
	created, err := maps.Create(t.Context(), sent(map[string]any{"name": "web", "size": "big"}), metav1.CreateOptions{})
	require.NoError(t, err)
	assert.NotContains(t, created.Object, "color")
	assert.NotContains(t, created.Object["metadata"], "size")
	seen, err := kube.CoreV1().ConfigMaps("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"a": "b"}, seen.Data)
}
