package consistency

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
)

var podResource = corev1.SchemeGroupVersion.WithResource("pods")

// newPods returns a recording client for pods of a strict fake clientset, and a tracker whose cache is empty.
func newPods(t *testing.T) (*kubefake.Clientset, Client[*corev1.Pod], *Tracker, *Cache) {
	t.Helper()
	kube := kubetest.NewClientset()
	source := informer.Namespaced(kube, podResource, kube.CoreV1().Pods)
	tracker, c := newTracked(source)
	return kube, NewClient(source).In("shop"), tracker, c
}

// pending returns the pending writes of a session, as strings.
func pending(s *Session) (all []string) {
	for _, w := range s.Pending() {
		all = append(all, w.String())
	}
	return all
}

func TestClient(t *testing.T) {
	_, pods, tracker, c := newPods(t)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-0"}}
	created, err := pods.Create(t.Context(), pod, metav1.CreateOptions{})
	require.NoError(t, err, "without a session, it only writes")
	require.NoError(t, c.indexer.Add(created))
	got, err := pods.Get(t.Context(), "web-0", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, created, got)

	name := cache.NewObjectName("shop", "web-0")
	for verb, write := range map[string]func(context.Context) error{
		"update": func(ctx context.Context) error {
			changed := created.DeepCopy()
			changed.Labels = map[string]string{"app": "web"}
			created, err = pods.Update(ctx, changed, metav1.UpdateOptions{})
			return err
		},
		"update status": func(ctx context.Context) error {
			changed := created.DeepCopy()
			changed.Status.Phase = corev1.PodRunning
			created, err = pods.UpdateStatus(ctx, changed, metav1.UpdateOptions{})
			return err
		},
		"patch": func(ctx context.Context) error {
			created, err = pods.Patch(ctx, "web-0", types.MergePatchType, []byte(`{"metadata":{"annotations":{"a":"b"}}}`), metav1.PatchOptions{})
			return err
		},
		"create": func(ctx context.Context) error {
			_, err := pods.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-1"}}, metav1.CreateOptions{})
			return err
		},
	} {
		t.Run(verb, func(t *testing.T) {
			ctx, session := tracker.Begin(t.Context(), name)
			require.NoError(t, write(ctx))
			assert.Len(t, session.Pending(), 1)
		})
	}

	ctx, session := tracker.Begin(t.Context(), name)
	require.NoError(t, pods.Delete(ctx, "web-0", metav1.DeleteOptions{}))
	assert.Equal(t, []string{"the deletion of pods shop/web-0"}, pending(session))
	require.NoError(t, c.indexer.Delete(created))
	assert.Empty(t, session.Pending())

	_, session = tracker.Begin(t.Context(), name)
	_, err = pods.WithSession(session).Create(t.Context(), pod, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Len(t, session.Pending(), 1, "the session need not be in the context")
}

// TestClientFindsObjectsGone writes to an object that only the cache has.
func TestClientFindsObjectsGone(t *testing.T) {
	_, pods, tracker, c := newPods(t)
	gone := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", ResourceVersion: "7", UID: "uid"}}
	require.NoError(t, c.indexer.Add(gone))
	for verb, write := range map[string]func(context.Context) error{
		"update": func(ctx context.Context) error {
			_, err := pods.Update(ctx, gone.DeepCopy(), metav1.UpdateOptions{})
			return err
		},
		"patch": func(ctx context.Context) error {
			_, err := pods.Patch(ctx, "web-0", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{})
			return err
		},
		"delete": func(ctx context.Context) error { return pods.Delete(ctx, "web-0", metav1.DeleteOptions{}) },
	} {
		ctx, session := tracker.Begin(t.Context(), web)
		require.True(t, apierrors.IsNotFound(write(ctx)), verb)
		assert.Equal(t, []string{"the deletion of pods shop/web-0"}, pending(session), verb)
	}
	ctx, session := tracker.Begin(t.Context(), web)
	require.Error(t, pods.Delete(ctx, "unknown", metav1.DeleteOptions{}))
	assert.Empty(t, session.Pending(), "the cache does not have it")
}

func TestApply(t *testing.T) {
	kube, _, tracker, _ := newPods(t)
	ctx, session := tracker.Begin(t.Context(), web)
	options := metav1.ApplyOptions{FieldManager: "us"}
	applied, err := Apply(ctx, kube.CoreV1().Pods("shop"), corev1apply.Pod("web-0", "shop"), options)
	require.NoError(t, err)
	assert.Equal(t, "web-0", applied.Name)
	assert.Len(t, session.Pending(), 1)
	kube.PrependReactor("patch", "pods", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, errBroken })
	_, err = Apply(ctx, kube.CoreV1().Pods("shop"), corev1apply.Pod("web-1", "shop"), options)
	require.ErrorIs(t, err, errBroken)
	assert.Len(t, session.Pending(), 1)
}

// TestDynamicClient writes with a client whose methods take subresources.
func TestDynamicClient(t *testing.T) {
	client := dynamicfake.NewSimpleDynamicClient(kubescheme.Scheme)
	versioned := untyped("v1", "Pod", "web-0")
	for _, verb := range []string{"create", "update", "patch"} {
		client.PrependReactor(verb, "pods", func(clienttesting.Action) (bool, runtime.Object, error) { return true, versioned, nil })
	}
	client.PrependReactor("delete", "pods", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, nil })
	source := informer.Dynamic(client, podResource, true)
	tracker, c := newTracked(source)
	ctx, session := tracker.Begin(t.Context(), web)
	pods := NewClient(source).In("shop")
	_, err := pods.Create(ctx, versioned, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = pods.Update(ctx, versioned, metav1.UpdateOptions{})
	require.NoError(t, err)
	_, err = pods.UpdateStatus(ctx, versioned, metav1.UpdateOptions{})
	require.NoError(t, err)
	_, err = pods.Patch(ctx, "web-0", types.MergePatchType, nil, metav1.PatchOptions{})
	require.NoError(t, err)
	assert.Len(t, session.Pending(), 4)
	require.NoError(t, c.indexer.Add(versioned))
	require.NoError(t, pods.Delete(ctx, "web-0", metav1.DeleteOptions{}))
	assert.Equal(t, []string{"the deletion of pods shop/web-0"}, pending(session))
}

// readOnly hides further methods of a client.
type readOnly struct {
	informer.Client[*corev1.ConfigMap, *corev1.ConfigMapList]
}

// TestClientWithoutVerbs has a client that only reads, and a source without a client.
func TestClientWithoutVerbs(t *testing.T) {
	configMap, server := at("web", 7), informertest.NewServer()
	for name, client := range map[string]Client[*corev1.ConfigMap]{
		"read-only": NewClient(informer.Namespaced(server, informertest.Resource, func(namespace string) readOnly {
			return readOnly{server.ConfigMaps(namespace)}
		})),
		"none": NewClient(informer.FromListerWatcher[*corev1.ConfigMap](nil, informertest.Resource)),
	} {
		ctx := t.Context()
		_, create := client.Create(ctx, configMap, metav1.CreateOptions{})
		_, update := client.Update(ctx, configMap, metav1.UpdateOptions{})
		_, status := client.UpdateStatus(ctx, configMap, metav1.UpdateOptions{})
		_, patch := client.Patch(ctx, "web", types.MergePatchType, nil, metav1.PatchOptions{})
		remove := client.Delete(ctx, "web", metav1.DeleteOptions{})
		for _, err := range []error{create, update, status, patch, remove} {
			assert.True(t, apierrors.IsMethodNotSupported(err), "%s: %v", name, err)
		}
		_, err := client.Get(ctx, "web", metav1.GetOptions{})
		assert.Error(t, err)
	}
}
