package informer_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	metadatafake "k8s.io/client-go/metadata/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

func configMap(namespace, name string) *corev1.ConfigMap {
	return informertest.ConfigMap(namespace, name)
}

var configMaps = corev1.SchemeGroupVersion.WithResource("configmaps")

func configMapSource(kube kubernetes.Interface) informer.Source[*corev1.ConfigMap] {
	return informer.Namespaced(kube, configMaps, kube.CoreV1().ConfigMaps)
}

// patcher is implemented by all clients.
type patcher[T any] interface {
	Patch(ctx context.Context, name string, kind types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string) (T, error)
}

// checkSource runs an informer on a source with the objects a/x and b/x, limited to namespace a, and calls its client.
func checkSource[T informer.Object](t *testing.T, source informer.Source[T]) *informer.Informer[T] {
	t.Helper()
	assert.Equal(t, configMaps, source.Resource())
	assert.True(t, source.Namespaced())
	ctx, factory := newFactory(t)
	objects := informer.For(factory, source, informer.WithNamespaces("a"))
	start(ctx, t, factory)
	assert.Equal(t, []string{"a/x"}, names(objects))
	require.NoError(t, factory.Err())

	object, err := source.Client("a").Get(ctx, "x", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "x", object.GetName())
	_, err = source.Client("a").Get(ctx, "none", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err))
	list, err := source.Client("").List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	assert.NotNil(t, list)
	opened, err := source.Client("a").Watch(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	opened.Stop()
	_, ok := source.Underlying("a").(patcher[T])
	assert.True(t, ok)
	assert.Equal(t, configMaps, objects.Resource())

	all := informer.NewFactory()
	t.Cleanup(all.Shutdown)
	everywhere := informer.For(all, source)
	start(ctx, t, all)
	assert.Equal(t, []string{"a/x", "b/x"}, names(everywhere))
	return objects
}

func metadataOf(namespace, name string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"k": "v"}},
	}
}

func TestSources(t *testing.T) {
	t.Run("typed", func(t *testing.T) {
		checkSource(t, configMapSource(kubefake.NewClientset(configMap("a", "x"), configMap("b", "x"))))
	})
	t.Run("metadata", func(t *testing.T) {
		scheme := metadatafake.NewTestScheme()
		require.NoError(t, metav1.AddMetaToScheme(scheme))
		client := metadatafake.NewSimpleMetadataClient(scheme, metadataOf("a", "x"), metadataOf("b", "x"))
		objects := checkSource(t, informer.Metadata(client, configMaps, true))
		assert.True(t, objects.Describe().Metadata)
		assert.Contains(t, objects.Factory().Describe().String(), "configmaps (metadata)")
		found, err := objects.Lister().List(labels.SelectorFromSet(labels.Set{"k": "v"}))
		require.NoError(t, err)
		assert.Len(t, found, 1)
		assert.ErrorContains(t, objects.StartWhenServed(t.Context()), "cannot find out whether configmaps is served: a *fake.FakeMetadataClient has no method Discovery")
		assert.False(t, informer.Metadata(client, configMaps, false).Namespaced())
		none := informer.FromListerWatcher[*corev1.ConfigMap](nil, configMaps)
		assert.ErrorContains(t, informer.For(informer.NewFactory(), none).StartWhenServed(t.Context()), "a <nil> has no method Discovery")
	})
	t.Run("dynamic", func(t *testing.T) {
		scheme := runtime.NewScheme()
		require.NoError(t, corev1.AddToScheme(scheme))
		client := dynamicfake.NewSimpleDynamicClient(scheme, configMap("a", "x"), configMap("b", "x"))
		objects := checkSource(t, informer.Dynamic(client, configMaps, true))
		object, err := objects.Lister().Get("a", "x")
		require.NoError(t, err)
		assert.IsType(t, &unstructured.Unstructured{}, object)
	})
	t.Run("several resources of one type", func(t *testing.T) {
		client := dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{
			configMaps: "ConfigMapList", corev1.SchemeGroupVersion.WithResource("secrets"): "SecretList",
		})
		ctx, factory := newFactory(t)
		first := informer.For(factory, informer.Dynamic(client, configMaps, true))
		assert.NotSame(t, first, informer.For(factory, informer.Dynamic(client, corev1.SchemeGroupVersion.WithResource("secrets"), true)))
		start(ctx, t, factory)
		assert.Len(t, factory.WaitForCacheSyncWithContext(ctx).Synced, 1)
	})
}

func TestFromListerWatcher(t *testing.T) {
	server := informertest.NewServer(configMap("a", "x"), configMap("b", "x"), configMap("c", "x"))
	source := informer.FromListerWatcher[*corev1.ConfigMap](server.ListerWatcher(""), informertest.Resource)
	assert.Nil(t, source.Client(""))
	assert.Nil(t, source.Underlying(""))
	ctx, factory := newFactory(t, informer.WithNamespaces("a"))
	objects := informer.For(factory, source)
	server.Label("b", "x", "1")
	selected := informer.NewFactory(informer.WithLabels(labels.SelectorFromSet(labels.Set{"label": "1"})))
	t.Cleanup(selected.Shutdown)
	some := informer.For(selected, source)
	start(ctx, t, factory)
	start(ctx, t, selected)
	assert.Equal(t, []string{"a/x", "b/x", "c/x"}, names(objects), "it cannot be limited to namespaces")
	assert.Equal(t, []string{"b/x"}, names(some))
	server.Create(configMap("d", "x"))
	eventually(t, objects, "a/x", "b/x", "c/x", "d/x")
	assert.Equal(t, server.Version(), objects.Reached(""))
}

// TestReached has namespaces with different versions.
func TestReached(t *testing.T) {
	server := informertest.NewServer(configMap("a", "x"))
	ctx, factory := newFactory(t, informer.WithNamespaces("a", "b"))
	objects := informer.For(factory, informer.Namespaced(server, informertest.Resource, server.ConfigMaps))
	start(ctx, t, factory)
	release := server.Hold("a")
	created := server.Create(configMap("b", "x"))
	eventually(t, objects, "a/x", "b/x")
	assert.Equal(t, created.ResourceVersion, objects.Reached("b"))
	assert.Equal(t, "1", objects.Reached("a"))
	assert.Equal(t, "1", objects.Reached(""))
	assert.Empty(t, objects.Reached("c"))
	release()
}

// TestObjectsOfTrackersAreNotModified reads the tracker of a fake clientset while an informer caches its objects. The fake's watch
// sends objects of the tracker that were created between list and watch, and the race detector reports any write to them.
func TestObjectsOfTrackersAreNotModified(t *testing.T) {
	meta := metav1.ObjectMeta{
		Namespace: "a", Name: "x", Labels: map[string]string{"l": "v"}, Annotations: map[string]string{"k": "v"}, Finalizers: []string{"f"},
		ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "m", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1"}},
	}
	simple, full, kube := fake.NewSimpleClientset(), fake.NewClientset(), kubefake.NewClientset()
	t.Run("NewSimpleClientset", func(t *testing.T) {
		checkTracker(t, &simple.Fake, simple.Tracker(), workloadSource(simple), &fleetv1.Workload{ObjectMeta: meta})
	})
	t.Run("NewClientset", func(t *testing.T) {
		checkTracker(t, &full.Fake, full.Tracker(), workloadSource(full), &fleetv1.Workload{ObjectMeta: meta})
	})
	t.Run("kubernetes/fake", func(t *testing.T) {
		checkTracker(t, &kube.Fake, kube.Tracker(), configMapSource(kube), &corev1.ConfigMap{ObjectMeta: meta})
	})
}

func checkTracker[T informer.Object](
	t *testing.T, client *clienttesting.Fake, tracker clienttesting.ObjectTracker, source informer.Source[T], object T,
) {
	t.Helper()
	created, reading := make(chan struct{}), make(chan struct{})
	betweenListAndWatch := sync.OnceFunc(func() {
		assert.NoError(t, tracker.Create(source.Resource(), object, "a"))
		close(created)
		<-reading
	})
	client.PrependWatchReactor("*", func(clienttesting.Action) (bool, watch.Interface, error) {
		betweenListAndWatch()
		return false, nil, nil
	})
	ctx, factory := newFactory(t, informer.WithNamespaces("a"))
	cached := make(chan struct{})
	_, err := informer.For(factory, source).AddHandler(informer.HandlerFuncs[T]{Added: func(T, bool) { close(cached) }})
	require.NoError(t, err)
	factory.StartWithContext(ctx)
	<-created
	get := func() any {
		object, err := tracker.Get(source.Resource(), "a", "x")
		assert.NoError(t, err)
		return object
	}
	want := get()
	close(reading)
	for reading := true; reading; {
		select {
		case <-cached:
			reading = false
		default:
		}
		require.Equal(t, want, get())
	}
}

var _ cache.SharedIndexInformer = informer.For(informer.NewFactory(), informer.FromListerWatcher[*corev1.ConfigMap](nil, configMaps)).Shared()
