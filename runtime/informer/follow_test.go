package informer_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

// namespaced are clients whose namespaces have labels.
type namespaced struct {
	client *fake.Clientset
	kube   kubernetes.Interface
}

// newNamespaced returns clients with workloads in namespaces that exist or not.
func newNamespaced(t *testing.T, workloads ...string) namespaced {
	t.Helper()
	n := namespaced{client: fake.NewClientset(), kube: kubetest.NewClientset()}
	for _, namespace := range workloads {
		require.NoError(t, n.client.Tracker().Add(workload(namespace, "x", nil)))
	}
	return n
}

// label creates or changes a namespace.
func (n namespaced) label(ctx context.Context, t *testing.T, name, team string) {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"team": team}}}
	_, err := n.kube.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		_, err = n.kube.CoreV1().Namespaces().Update(ctx, namespace, metav1.UpdateOptions{})
	}
	require.NoError(t, err)
}

func (n namespaced) selected() informer.Option {
	source := informer.Cluster(n.kube, corev1.SchemeGroupVersion.WithResource("namespaces"), n.kube.CoreV1().Namespaces())
	return informer.WithNamespaceSelector(source, labels.SelectorFromSet(labels.Set{"team": "fleet"}))
}

func TestNamespaceSelector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNamespaced(t, "a", "b", "c")
		// Fields of the factory do not concern namespaces.
		ctx, factory := newFactory(t, n.selected(), quiet(), informer.WithFields(fields.OneTermEqualSelector("metadata.name", "x")))
		n.label(ctx, t, "a", "fleet")
		n.label(ctx, t, "b", "other")
		workloads := informer.For(factory, workloadSource(n.client))
		own := informer.For(factory, workloadSource(n.client), informer.WithNamespaces("c"))
		regions := informer.For(factory, regionSource(n.client))
		start(ctx, t, factory)
		assert.Equal(t, []string{"a/x"}, names(workloads), "WaitForSync waits for the namespaces")
		assert.Equal(t, []string{"c/x"}, names(own), "an informer with namespaces of its own does not follow")
		assert.Equal(t, []string{metav1.NamespaceAll}, regions.Namespaces())
		assert.False(t, workloads.Pending("a"))
		assert.False(t, workloads.Pending("b"), "it is not wanted")

		began := time.Now()
		n.label(ctx, t, "b", "fleet")
		synctest.Wait()
		assert.Equal(t, []string{"a/x", "b/x"}, names(workloads))
		n.label(ctx, t, "a", "other")
		require.NoError(t, n.kube.CoreV1().Namespaces().Delete(ctx, "b", metav1.DeleteOptions{}))
		synctest.Wait()
		assert.Empty(t, names(workloads))
		assert.Less(t, time.Since(began), 2*time.Second)
		assert.Contains(t, factory.Describe().String(), "  none  ")

		later := informer.For(factory, configMapSource(n.kube))
		start(ctx, t, factory) // also without a namespace
		n.label(ctx, t, "c", "fleet")
		synctest.Wait()
		assert.Equal(t, []string{"c"}, later.Namespaces())
		assert.Equal(t, []string{"c/x"}, names(workloads))
		for _, action := range n.client.Actions() {
			assert.True(t, action.GetResource().Resource == "regions" || action.GetNamespace() != "", "least privilege: %v", action)
		}
	})
}

// TestNamespaceSelectorWaits has no namespace that matches, and then one that cannot be listed.
func TestNamespaceSelectorWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNamespaced(t, "good")
		refuse(&n.client.Fake, "workloads", "bad", errors.New("no"))
		ctx, factory := newFactory(t, n.selected(), quiet())
		workloads := informer.For(factory, workloadSource(n.client))
		start(ctx, t, factory)
		assert.Empty(t, names(workloads))
		n.label(ctx, t, "bad", "fleet")
		n.label(ctx, t, "good", "fleet")
		synctest.Wait()
		assert.Equal(t, []string{"good/x"}, names(workloads), "one that cannot be listed does not keep others away")
		assert.True(t, workloads.Pending("bad"))
		assert.NotEmpty(t, workloads.Errors())
		n.label(ctx, t, "bad", "other")
		synctest.Wait()
		assert.Empty(t, workloads.Errors())
	})
}

// TestNamespaceSelectorOfHeldInformers runs an informer as controllers do.
func TestNamespaceSelectorOfHeldInformers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNamespaced(t, "a")
		ctx, factory := newFactory(t, n.selected(), quiet())
		n.label(ctx, t, "a", "fleet")
		workloads := informer.For(factory, workloadSource(n.client))
		for range 2 {
			release, err := workloads.Acquire(ctx)
			require.NoError(t, err)
			synctest.Wait()
			assert.Equal(t, []string{"a/x"}, names(workloads))
			assert.True(t, workloads.HasSynced())
			release()
			synctest.Wait()
			for _, informer := range factory.Describe() {
				assert.False(t, informer.Running, informer.Resource)
			}
		}
	})
}

func TestNamespaceSelectorErrors(t *testing.T) {
	n := newNamespaced(t)
	factory := informer.NewFactory(n.selected(), informer.WithNamespaces("a"))
	require.ErrorContains(t, factory.Err(), `WithNamespaces("a") contradicts WithNamespaceSelector("team=fleet")`)
	factory = informer.NewFactory(n.selected())
	require.ErrorContains(t, factory.SetNamespaces(t.Context(), "a"), `SetNamespaces contradicts WithNamespaceSelector("team=fleet")`)
	informer.For(factory, workloadSource(n.client), n.selected())
	require.ErrorContains(t, factory.Err(), `in For[*v1.Workload]: WithNamespaceSelector("team=fleet") only applies to the whole factory`)
}

func TestWhenServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newCustomResource()
		ctx, factory := newFactory(t, quiet())
		workloads := informer.For(factory, workloadSource(client), informer.WhenServed())
		release, err := workloads.Acquire(ctx)
		require.NoError(t, err)
		start(ctx, t, factory) // what is not served is not waited for
		assert.True(t, workloads.Describe().Unserved)
		client.served.Store(true)
		time.Sleep(10 * time.Second)
		assert.Equal(t, []string{"a/x"}, names(workloads))
		release()
		synctest.Wait()
		assert.True(t, workloads.Describe().Running, "Start runs it, too")
		require.NoError(t, workloads.Stop(ctx))
		assert.False(t, workloads.Describe().Running)

		untold := informer.NewFactory()
		informer.For(untold, informer.FromListerWatcher[*corev1.Pod](nil, corev1.SchemeGroupVersion.WithResource("pods")), informer.WhenServed())
		require.ErrorContains(t, untold.Err(), "has no method Discovery")
	})
}

// TestNamespaceSelectorEndsWithTheLastInformer stops it.
func TestNamespaceSelectorEndsWithTheLastInformer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNamespaced(t, "a")
		ctx, factory := newFactory(t, n.selected(), quiet())
		n.label(ctx, t, "a", "fleet")
		workloads := informer.For(factory, workloadSource(n.client))
		factory.StartWithContext(ctx)
		synctest.Wait()
		assert.Equal(t, []string{"a/x"}, names(workloads))
		require.NoError(t, workloads.Stop(ctx))
		synctest.Wait()
		for _, i := range factory.Describe() {
			assert.False(t, i.Running, i.Resource)
		}
	})
}

// TestNamespaceSelectorWhenServed has no informer that Start runs.
func TestNamespaceSelectorWhenServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNamespaced(t)
		client := newCustomResource()
		client.served.Store(true)
		ctx, factory := newFactory(t, n.selected(), quiet())
		n.label(ctx, t, "a", "fleet")
		workloads := informer.For(factory, workloadSource(client))
		require.NoError(t, workloads.StartWhenServed(ctx))
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.True(t, workloads.HasSynced())
		assert.Equal(t, []string{"a/x"}, names(workloads))
	})
}
