package apiservertest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestNamespaceDeletion deletes a namespace with objects of several kinds. A finalizer delays one of them.
func TestNamespaceDeletion(t *testing.T) {
	client, kube := connectDynamic(t, shared.Config()), connect(t, shared.Config())
	namespaces := kube.CoreV1().Namespaces()
	created, err := namespaces.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "doomed-"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	name := created.Name
	assert.Equal(t, []corev1.FinalizerName{corev1.FinalizerKubernetes}, created.Spec.Finalizers)
	assert.Equal(t, name, created.Labels[corev1.LabelMetadataName])
	configs := client.Resource(configMaps).Namespace(name)
	for i := range 20 {
		create1(t, configs, config(fmt.Sprint("c", i)))
	}
	slow := widget("slow")
	slow.SetFinalizers([]string{"example.com/test"})
	create1(t, client.Resource(widgets).Namespace(name), slow)

	require.NoError(t, namespaces.Delete(t.Context(), name, metav1.DeleteOptions{}))
	eventually(t, func() bool {
		list, err := configs.List(t.Context(), metav1.ListOptions{})
		return err == nil && len(list.Items) == 0
	}, "the config maps are still there")
	terminating, err := namespaces.Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, corev1.NamespaceTerminating, terminating.Status.Phase)
	_, err = configs.Create(t.Context(), config("late"), metav1.CreateOptions{})
	assert.True(t, apierrors.IsForbidden(err), "%v", err)

	_, err = client.Resource(widgets).Namespace(name).Patch(t.Context(), "slow", types.MergePatchType, []byte(`{"metadata":{"finalizers":[]}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	gone(t, client.Resource(corev1.SchemeGroupVersion.WithResource("namespaces")), name)
}

// TestNamespacesOfTests checks that each test gets its own namespace, which is deleted afterwards.
func TestNamespacesOfTests(t *testing.T) {
	client := connect(t, shared.Config()).CoreV1()
	var name string
	t.Run("Inner test, with a name!", func(t *testing.T) {
		name = shared.Namespace(t)
		assert.Regexp(t, "^testnamespacesoftests-inner-test-with-a-name-[a-z0-9]{5}$", name)
		assert.NotEqual(t, name, shared.Namespace(t))
		_, err := client.ConfigMaps(name).Create(t.Context(), configMap("a"), metav1.CreateOptions{})
		require.NoError(t, err)
	})
	eventually(t, func() bool {
		_, err := client.Namespaces().Get(t.Context(), name, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	}, "the namespace is still there")
}

// TestMissingNamespace creates an object in a namespace that does not exist.
func TestMissingNamespace(t *testing.T) {
	client := connect(t, shared.Config()).CoreV1()
	_, err := client.ConfigMaps("missing").Create(t.Context(), configMap("a"), metav1.CreateOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
	for _, name := range []string{"default", "kube-system", "kube-public", "kube-node-lease"} {
		_, err := client.Namespaces().Get(t.Context(), name, metav1.GetOptions{})
		assert.NoError(t, err)
	}
	err = client.Namespaces().Delete(t.Context(), "default", metav1.DeleteOptions{})
	assert.True(t, apierrors.IsForbidden(err), "%v", err)

	lenient := apiservertest.Start(t, apiservertest.Options{AnyNamespace: true})
	_, err = connect(t, lenient.Config()).CoreV1().ConfigMaps("missing").Create(t.Context(), configMap("a"), metav1.CreateOptions{})
	assert.NoError(t, err)
}
