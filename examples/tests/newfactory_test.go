package tests

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"
	appslisters "k8s.io/client-go/listers/apps/v1"
	metadatafake "k8s.io/client-go/metadata/fake"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

// Package informer is tested in its own module. These tests cover the factory of generated kinds that is built on it.

var _ informers.SharedInformerFactory = &informers.Factory{}

// newFactory returns a factory, and a context that stops it at the end of the test.
func newFactory(t *testing.T, client *fake.Clientset, options ...informer.Option) (context.Context, *informers.Factory) {
	t.Helper()
	factory, err := informers.New(client, options...)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() {
		cancel()
		factory.Shutdown()
	})
	return ctx, factory
}

func names(t *testing.T, list []*fleetv1.Workload, err error) (all []string) {
	t.Helper()
	require.NoError(t, err)
	for _, object := range list {
		all = append(all, object.Namespace+"/"+object.Name)
	}
	return all
}

func TestFactoryOfSeveralNamespaces(t *testing.T) {
	client := fake.NewStrictClientset(workload("a", "x", nil), workload("b", "x", nil), workload("c", "x", nil), region("north"))
	ctx, factory := newFactory(t, client, informer.WithNamespaces("a", "b"))
	workloads, regions := factory.Fleet().V1().Workloads().Lister(), factory.Fleet().V1().Regions().Lister()
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	list, err := workloads.List(labels.Everything())
	assert.ElementsMatch(t, []string{"a/x", "b/x"}, names(t, list, err))
	_, err = regions.Get("north")
	require.NoError(t, err, "a kind without namespaces is watched as a whole")

	require.NoError(t, factory.SetNamespaces(ctx, "c"))
	list, err = workloads.List(labels.Everything())
	assert.Equal(t, []string{"c/x"}, names(t, list, err))
	for _, action := range client.Actions() {
		assert.True(t, action.GetResource().Resource == "regions" || action.GetNamespace() != "", "least privilege: %v", action)
	}
	gateways := factory.Fleet().V1beta1().Gateways().Informer()
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	assert.Equal(t, []string{"c"}, factory.Describe()[2].Namespaces, "later informers follow")
	assert.True(t, gateways.HasSynced())
}

func TestFactoryOptionsPerKind(t *testing.T) {
	heavy := map[string]string{"size": "heavy"}
	client := fake.NewStrictClientset(workload("a", "heavy", heavy), workload("a", "light", nil), workload("b", "other", heavy), region("north"))
	ctx, factory := newFactory(t, client,
		informer.ForKind[*fleetv1.Workload](informer.WithNamespaces("a"), informer.WithLabels(labels.SelectorFromSet(heavy))))
	workloads, regions := factory.Fleet().V1().Workloads().Lister(), factory.Fleet().V1().Regions().Lister()
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	list, err := workloads.List(labels.Everything())
	assert.Equal(t, []string{"a/heavy"}, names(t, list, err))
	_, err = regions.Get("north")
	assert.NoError(t, err, "the options are for workloads")
}

func TestFactoryOptionsThatContradict(t *testing.T) {
	_, err := informers.New(fake.NewStrictClientset(), informer.WithNamespaces("a"), informer.WithNamespaces("b"))
	assert.EqualError(t, err, `WithNamespaces("b") contradicts WithNamespaces("a")`)
	_, err = informers.New(fake.NewStrictClientset(), informer.WithNamespaces("a"), informer.WithNamespaces("a"))
	assert.NoError(t, err, "the same twice is no contradiction")
}

// TestFactoryInformersAreThoseOfTheLibrary requests one informer in all ways that there are.
func TestFactoryInformersAreThoseOfTheLibrary(t *testing.T) {
	client := fake.NewStrictClientset(workload("a", "x", nil))
	ctx, factory := newFactory(t, client)
	typed := informer.For(factory.Factory, informers.FleetV1WorkloadSource(client))
	shared := factory.Fleet().V1().Workloads()
	assert.Same(t, typed.Shared(), factory.InformerFor(&fleetv1.Workload{}, nil))
	assert.Same(t, typed.Indexer(), shared.Informer().GetIndexer())
	generic, err := factory.ForResource(fleetV1.WithResource("workloads"))
	require.NoError(t, err)
	assert.Same(t, typed.Indexer(), generic.Informer().GetIndexer())
	assert.Same(t, typed.Shared(), informers.NewFor(client, factory.Factory).InformerFor(&fleetv1.Workload{}, nil), "the library's factory has the informers")

	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	require.Len(t, factory.Describe(), 1)
	web, err := typed.Lister().Get("a", "x")
	require.NoError(t, err)
	listed, err := shared.Lister().Workloads("a").Get("x")
	require.NoError(t, err)
	assert.Same(t, web, listed)
}

// TestFactoryForEveryResource runs the informers of all kinds.
func TestFactoryForEveryResource(t *testing.T) {
	client := fake.NewStrictClientset()
	ctx, factory := newFactory(t, client)
	for resource := range resources {
		_, err := factory.ForResource(resource)
		require.NoError(t, err)
	}
	_, err := factory.ForResource(fleetV1.WithResource("chassises"))
	assert.ErrorContains(t, err, "chassises")
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	var served []string
	for _, status := range factory.Describe() {
		served = append(served, status.Resource+"/"+status.Version)
	}
	var want []string
	for resource := range resources {
		want = append(want, resource.GroupResource().String()+"/"+resource.Version)
	}
	assert.ElementsMatch(t, want, served)
}

// TestFactoryOfAKindWithoutClient has an informer that the caller creates.
func TestFactoryOfAKindWithoutClient(t *testing.T) {
	client := fake.NewStrictClientset()
	_, factory := newFactory(t, client, informer.WithResync(time.Hour))
	mine := cache.NewSharedIndexInformer(&cache.ListWatch{}, &fleetv1beta1.Evacuation{}, 0, cache.Indexers{})
	made := factory.InformerFor(&fleetv1beta1.Evacuation{}, func(passed versioned.Interface, resync time.Duration) cache.SharedIndexInformer {
		assert.Same(t, client, passed)
		assert.Equal(t, time.Hour, resync)
		return mine
	})
	assert.Same(t, mine, made)
	assert.Same(t, mine, factory.InformerFor(&fleetv1beta1.Evacuation{}, nil))
}

// TestFactoryWithOtherSources adds informers for metadata and for a kind of client-go to a factory of generated kinds.
func TestFactoryWithOtherSources(t *testing.T) {
	scheme := runtime.NewScheme()
	require.NoError(t, metav1.AddMetaToScheme(scheme))
	heartbeat := &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: fleetV1.String(), Kind: "Heartbeat"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "x"},
	}
	kube := kubefake.NewClientset(
		&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "x"}},
		&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "b", Name: "x"}},
	)
	ctx, factory := newFactory(t, fake.NewStrictClientset(workload("a", "x", nil)), informer.WithNamespaces("a"))
	client := metadatafake.NewSimpleMetadataClient(scheme, heartbeat)
	heartbeats := informer.For(factory.Factory, informer.Metadata(client, fleetV1.WithResource("heartbeats"), true))
	source := informer.Namespaced(kube, appsv1.SchemeGroupVersion.WithResource("deployments"), kube.AppsV1().Deployments)
	deployments := informer.For(factory.Factory, source)
	workloads := factory.Fleet().V1().Workloads().Lister()

	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	assert.Len(t, factory.Describe(), 3, "one factory starts all")
	assert.True(t, lister.Exists(heartbeats.Lister().In("a"), "x"))
	assert.Equal(t, 1, lister.Len(workloads))
	listed, err := appslisters.NewDeploymentLister(deployments.Indexer()).List(labels.Everything())
	require.NoError(t, err)
	assert.Len(t, listed, 1, "the namespaces of the factory count for all")
}
