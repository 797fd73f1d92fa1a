package controller

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

// reconcilerOf is a reconciler without Finalize that notes its calls.
type reconcilerOf[T Object] struct{ *recorder }

func (r reconcilerOf[T]) Reconcile(_ context.Context, object T) (Result, error) {
	r.note("reconcile %s", cache.MetaObjectToName(object))
	return Result{}, nil
}

func (r reconcilerOf[T]) ReconcileDeleted(_ context.Context, name cache.ObjectName) error {
	r.note("deleted %s", name)
	return nil
}

// finalizerOf is a reconciler with Finalize.
type finalizerOf[T Object] struct{ reconcilerOf[T] }

func (r finalizerOf[T]) Finalize(_ context.Context, object T) error {
	r.note("finalize %s", cache.MetaObjectToName(object))
	return nil
}

func TestFinalizerNeeds(t *testing.T) {
	finalizer := WithFinalizer("example.com/cleanup")
	_, err := New(deploymentSource(kubefake.NewClientset()), reconcilerOf[*appsv1.Deployment]{}, finalizer)
	assert.EqualError(t, err, "controller deployments.apps: WithFinalizer: a controller.reconcilerOf[*k8s.io/api/apps/v1.Deployment] "+
		"has no method Finalize(context.Context, *v1.Deployment) error")

	server := informertest.NewServer()
	readOnly := informer.Namespaced(server, informertest.Resource, func(namespace string) readOnlyClient {
		return readOnlyClient{server.ConfigMaps(namespace)}
	})
	_, err = New(readOnly, finalizerFor(readOnly), finalizer)
	assert.EqualError(t, err, "controller configmaps: WithFinalizer: the client of configmaps, a controller.readOnlyClient, has no method "+
		"Patch: allow the verb patch, or remove the finalizer")

	noClient := informer.FromListerWatcher[*appsv1.Deployment](nil, appsv1.SchemeGroupVersion.WithResource("deployments"))
	_, err = New(noClient, finalizerFor(noClient), finalizer)
	assert.ErrorContains(t, err, "has no method Patch")
}

// readOnlyClient has no verb that writes.
type readOnlyClient struct {
	informer.Client[*corev1.ConfigMap, *corev1.ConfigMapList]
}

func finalizerFor[T Object](informer.Source[T]) finalizerOf[T] { return finalizerOf[T]{} }

func TestKind(t *testing.T) {
	c, err := New(workloadSource(fake.NewClientset()), &steps{})
	require.NoError(t, err)
	assert.Equal(t, workloadKind, c.Kind())
	other := schema.GroupVersionKind{Group: "fleet.example.com", Version: "v2", Kind: "Load"}
	c, err = New(workloadSource(fake.NewClientset()), &steps{}, WithKind(other))
	require.NoError(t, err)
	assert.Equal(t, other, c.Kind())
}

// TestUnstructured reconciles objects whose Go type is not known, with a finalizer.
func TestUnstructured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		object := &unstructured.Unstructured{}
		object.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind("Deployment"))
		object.SetNamespace("shop")
		object.SetName("web")
		client := dynamicfake.NewSimpleDynamicClient(kubescheme.Scheme, object)
		resource := appsv1.SchemeGroupVersion.WithResource("deployments")
		source := informer.Dynamic(client, resource, true)
		notes := &recorder{}
		r := finalizerOf[*unstructured.Unstructured]{reconcilerOf[*unstructured.Unstructured]{notes}}
		_, err := New(source, r)
		require.EqualError(t, err, "controller deployments.apps: the type *unstructured.Unstructured does not say what the kind of "+
			"deployments.apps is: use WithKind")
		c, err := New(source, r, WithKind(appsv1.SchemeGroupVersion.WithKind("Deployment")), WithFinalizer("example.com/cleanup"))
		require.NoError(t, err)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Run(ctx) }()
		assert.Contains(t, notes.take(), "reconcile shop/web")
		got, err := client.Resource(resource).Namespace("shop").Get(ctx, "web", metav1.GetOptions{})
		require.NoError(t, err)
		assert.Equal(t, []string{"example.com/cleanup"}, got.GetFinalizers())
		stop()
		require.NoError(t, <-done)
	})
}

// TestOwnerOfUnknownScope has owners from a source that does not say whether they are namespaced.
func TestOwnerOfUnknownScope(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, kube, notes := fake.NewSimpleClientset(held("web")), kubefake.NewSimpleClientset(), &recorder{}
		all := cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
			ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
				return client.FleetV1().Workloads("").List(ctx, options)
			},
			WatchFuncWithContext: client.FleetV1().Workloads("").Watch,
		}, client)
		source := informer.FromListerWatcher[*fleetv1.Workload](all, fleetv1.SchemeGroupVersion.WithResource("workloads"))
		c, err := New(source, reconcilerOf[*fleetv1.Workload]{notes})
		require.NoError(t, err)
		_, err = Own(c, deploymentSource(kube))
		require.NoError(t, err)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Run(ctx) }()
		assert.Equal(t, []string{"reconcile shop/web"}, notes.take())
		require.NoError(t, ignoreResult(kube.AppsV1().Deployments("shop").Create(ctx, deployment("web-1", held("web")), metav1.CreateOptions{})))
		assert.Equal(t, []string{"reconcile shop/web"}, notes.take())
		stop()
		require.NoError(t, <-done)
	})
}

// TestClusterScopedOwner owns objects in a namespace.
func TestClusterScopedOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		north := &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north", UID: "uid"}}
		client, kube, notes := fake.NewSimpleClientset(north), kubefake.NewSimpleClientset(), &recorder{}
		c, err := New(regionSource(client), reconcilerOf[*fleetv1.Region]{notes})
		require.NoError(t, err)
		owned, err := Own(c, deploymentSource(kube))
		require.NoError(t, err)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Run(ctx) }()
		assert.Equal(t, []string{"reconcile north"}, notes.take())
		child := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "north-1", OwnerReferences: []metav1.OwnerReference{
			*metav1.NewControllerRef(north, c.Kind()),
		}}}
		require.NoError(t, ignoreResult(kube.AppsV1().Deployments("shop").Create(ctx, child, metav1.CreateOptions{})))
		assert.Equal(t, []string{"reconcile north"}, notes.take())
		assert.Len(t, owned.Informer().Indexer().List(), 1)
		stop()
		require.NoError(t, <-done)
		_, err = Own(c, workloadSource(client))
		assert.EqualError(t, err, "controller regions.fleet.example.com: already started: call Own before Run")
	})
}

// TestOwnWithContradictingOptions requests the informer with other options than the factory allows.
func TestOwnWithContradictingOptions(t *testing.T) {
	client, kube := fake.NewClientset(), kubefake.NewClientset()
	c, err := New(workloadSource(client), &steps{})
	require.NoError(t, err)
	informer.For(c.Factory(), deploymentSource(kube), informer.WithLabels(labels.Everything()))
	informer.For(c.Factory(), deploymentSource(kube), informer.WithManagedFields())
	_, err = Own(c, deploymentSource(kube))
	assert.ErrorContains(t, err, "controller workloads.fleet.example.com: in For[*v1.Deployment]: WithManagedFields()")
}
