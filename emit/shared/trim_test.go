package shared

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

// untrimmed has every field that trimming changes.
func untrimmed() metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: "a", Name: "x", Labels: map[string]string{"l": "v"}, Annotations: map[string]string{"k": "v"},
		Finalizers:      []string{"example.com/f"},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "o", UID: "u"}},
		ManagedFields:   []metav1.ManagedFieldsEntry{{Manager: "m", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1"}},
	}
}

func TestTrimChangesACopy(t *testing.T) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&fleetv1.Workload{ObjectMeta: untrimmed()})
	require.NoError(t, err)
	for name, object := range map[string]runtime.Object{
		"typed":        &fleetv1.Workload{ObjectMeta: untrimmed()},
		"metadata":     &metav1.PartialObjectMetadata{ObjectMeta: untrimmed()},
		"unstructured": &unstructured.Unstructured{Object: content},
	} {
		t.Run(name, func(t *testing.T) {
			before := object.DeepCopyObject()
			i := New(Kind{Object: object}, Options{ShareStrings: true})
			trimmed, err := i.trim(object)
			require.NoError(t, err)
			assert.Equal(t, before, object)
			assert.Empty(t, trimmed.(metav1.Object).GetManagedFields())
			trimmed.(metav1.Object).SetManagedFields(before.(metav1.Object).GetManagedFields())
			assert.Equal(t, before, trimmed, "nothing else is lost")
		})
	}
	tombstone := cache.DeletedFinalStateUnknown{Key: "a/x"}
	trimmed, err := New(Kind{Object: &fleetv1.Workload{}}, Options{ShareStrings: true}).trim(tombstone)
	require.NoError(t, err)
	assert.Equal(t, tombstone, trimmed)
}

// TestObjectsOfTrackersAreNotModified reads the tracker of a fake clientset while an informer caches its objects. The fake's watch
// sends objects of the tracker that were created between list and watch, and the race detector reports any write to them.
func TestObjectsOfTrackersAreNotModified(t *testing.T) {
	workloadKind := func(client *fake.Clientset) Kind {
		kind := workloads(client)
		listerWatcher := kind.ListerWatcher
		kind.ListerWatcher = func(namespace string, tweak func(*metav1.ListOptions)) cache.ListerWatcher {
			made := listerWatcher(namespace, tweak)
			made = cache.ToListWatcherWithWatchListSemantics(made.(*cache.ListWatch), client) //emit:if WatchListSemantics
			return made
		}
		return kind
	}
	simple, full, kube := fake.NewSimpleClientset(), fake.NewClientset(), kubefake.NewClientset()
	for name, test := range map[string]struct {
		fake    *clienttesting.Fake
		tracker clienttesting.ObjectTracker
		kind    Kind
		object  runtime.Object
	}{
		"NewSimpleClientset": {&simple.Fake, simple.Tracker(), workloadKind(simple), &fleetv1.Workload{ObjectMeta: untrimmed()}},
		"NewClientset":       {&full.Fake, full.Tracker(), workloadKind(full), &fleetv1.Workload{ObjectMeta: untrimmed()}},
		"kubernetes/fake":    {&kube.Fake, kube.Tracker(), configMaps(kube), &corev1.ConfigMap{ObjectMeta: untrimmed()}},
	} {
		t.Run(name, func(t *testing.T) {
			created, reading := make(chan struct{}), make(chan struct{})
			betweenListAndWatch := sync.OnceFunc(func() {
				assert.NoError(t, test.tracker.Create(test.kind.Resource, test.object, "a"))
				close(created)
				<-reading
			})
			test.fake.PrependWatchReactor("*", func(clienttesting.Action) (bool, watch.Interface, error) {
				betweenListAndWatch()
				return false, nil, nil
			})
			informer := New(test.kind, Options{Namespaces: []string{"a"}, ShareStrings: true})
			cached := make(chan struct{})
			_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { close(cached) }})
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				informer.RunWithContext(ctx)
			}()
			<-created
			get := func() metav1.Object {
				object, err := test.tracker.Get(test.kind.Resource, "a", "x")
				assert.NoError(t, err)
				return object.(metav1.Object)
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
			cancel()
			<-ended
		})
	}
}

// configMaps is the kind of ConfigMaps.
func configMaps(client kubernetes.Interface) Kind {
	return Kind{
		Object:     &corev1.ConfigMap{},
		Resource:   corev1.SchemeGroupVersion.WithResource("configmaps"),
		Namespaced: true,
		ListerWatcher: func(namespace string, _ func(*metav1.ListOptions)) cache.ListerWatcher {
			var made cache.ListerWatcher = &cache.ListWatch{
				ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
					return client.CoreV1().ConfigMaps(namespace).List(ctx, options)
				},
				WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
					return client.CoreV1().ConfigMaps(namespace).Watch(ctx, options)
				},
			}
			made = cache.ToListWatcherWithWatchListSemantics(made.(*cache.ListWatch), client) //emit:if WatchListSemantics
			return made
		},
	}
}
