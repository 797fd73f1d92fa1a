package informer_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	fleetv1listers "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/listers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

var workloadsByRegion = lister.NewIndex("spec.regionName", func(w *fleetv1.Workload) []string { return []string{w.Spec.RegionName} })

func TestOptionsPerKind(t *testing.T) {
	heavy, light := workload("a", "heavy", map[string]string{"size": "heavy"}), workload("a", "light", map[string]string{"size": "light"})
	client := fake.NewClientset(heavy, light, workload("b", "other", map[string]string{"size": "heavy"}), region("north"))
	ctx, factory := newFactory(t,
		informer.WithLabels(labels.SelectorFromSet(labels.Set{"size": "heavy"})),
		informer.ForKind[*fleetv1.Workload](
			informer.WithNamespaces("a"),
			informer.WithTransform(func(obj any) (any, error) {
				obj.(*fleetv1.Workload).Spec.Template.Image = "dropped"
				return obj, nil
			}),
		),
		informer.ForKind[*fleetv1.Workload](informer.WithResync(time.Hour)),
	)
	workloads := informer.For(factory, workloadSource(client),
		informer.WithFields(fields.OneTermNotEqualSelector("metadata.name", "none")),
		informer.WithIndexers(lister.Indexers(workloadsByRegion)))
	regions := informer.For(factory, regionSource(client), informer.WithLabels(labels.Everything()))
	start(ctx, t, factory)
	found, err := workloadsByRegion.Get(workloads, "north")
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "a/heavy", cache.MetaObjectToName(found[0]).String())
	assert.Equal(t, "dropped", found[0].Spec.Template.Image)
	assert.Equal(t, []string{"north"}, names(regions), "the informer's selector replaces the factory's")
	status := workloads.Describe()
	assert.Equal(t, "size=heavy", status.LabelSelector)
	assert.Equal(t, "metadata.name!=none", status.FieldSelector)
	assert.Equal(t, []string{"a"}, workloads.Namespaces())
}

// option returns the error of a factory with these options.
func errOf(options ...informer.Option) error { return informer.NewFactory(options...).Err() }

func TestOptionsThatContradict(t *testing.T) {
	labeled := informer.WithLabels(labels.SelectorFromSet(labels.Set{"a": "b"}))
	selecting := informer.WithFields(fields.OneTermEqualSelector("c", "d"))
	tweaked := informer.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = "c=d" })
	transform := informer.WithTransform(func(obj any) (any, error) { return obj, nil })
	index := func(name string) informer.Option {
		return informer.WithIndexers(cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc, name: cache.MetaNamespaceIndexFunc})
	}
	for want, options := range map[string][]informer.Option{
		`WithNamespaces("b") contradicts WithNamespaces("a")`:                  {informer.WithNamespaces("a"), informer.WithNamespaces("b")},
		`WithNamespaces(): no namespace`:                                       {informer.WithNamespaces()},
		`WithNamespaces("a", "a"): duplicate namespace "a"`:                    {informer.WithNamespaces("a", "a")},
		`metav1.NamespaceAll cannot be combined with other namespaces`:         {informer.WithNamespaces("a", "")},
		`WithTweakListOptions contradicts WithLabels("a=b"): it selects "c=d"`: {labeled, tweaked},
		`WithFields("e=f") contradicts WithFields("c=d")`:                      {selecting, informer.WithFields(fields.OneTermEqualSelector("e", "f"))},
		`WithResync(1m0s) contradicts WithResync(1h0m0s)`:                      {informer.WithResync(time.Hour), informer.WithResync(time.Minute)},
		`WithResync(-1h0m0s): negative period`:                                 {informer.WithResync(-time.Hour)},
		`WithTransform contradicts WithTransform`:                              {transform, transform},
		`WithWatchErrorHandler contradicts WithWatchErrorHandler`:              {quiet(), quiet()},
		`WithManagedFields("b") contradicts WithManagedFields("a")`:            {informer.WithManagedFields("a"), informer.WithManagedFields("b")},
		`WithManagedFields("a") contradicts WithManagedFields()`:               {informer.WithManagedFields(), informer.WithManagedFields("a")},
		`WithIndexers: duplicate index "x"`:                                    {index("x"), index("x")},
		`ForKind[*v1.Region]: WithMutationDetector only applies to the whole`:  {informer.ForKind[*fleetv1.Region](informer.WithMutationDetector(t))},
		`ForKind[*v1.Region]: WithInformerName only applies to the whole`:      {informer.ForKind[*fleetv1.Region](informer.WithInformerName(nil))},
		`ForKind[*v1.Region]: ForKind is an option of NewFactory`:              {informer.ForKind[*fleetv1.Region](informer.ForKind[*fleetv1.Workload]())},
		`ForKind[*v1.Region]: WithResync(1m0s) contradicts WithResync(1h0m0s)`: {informer.ForKind[*fleetv1.Region](informer.WithResync(time.Hour)), informer.ForKind[*fleetv1.Region](informer.WithResync(time.Minute))},
	} {
		require.ErrorContains(t, errOf(options...), want)
		factory := informer.NewFactory(options...)
		informer.For(factory, regionSource(fake.NewClientset()))
		factory.StartWithContext(t.Context()) // does nothing
		assert.ErrorContains(t, factory.WaitForSync(t.Context()), want)
		assert.ErrorContains(t, factory.WaitForCacheSyncWithContext(t.Context()).AsError(), want)
		factory.Shutdown()
	}
	assert.NoError(t, errOf(informer.WithNamespaces("a"), informer.WithNamespaces("a"), index("x"), index("y")), "the same twice is no contradiction")
}

func TestForIsShared(t *testing.T) {
	client := fake.NewClientset()
	selector := informer.WithLabels(labels.SelectorFromSet(labels.Set{"a": "b"}))
	factory := informer.NewFactory()
	defer factory.Shutdown()
	first := informer.For(factory, workloadSource(client), selector)
	assert.Same(t, first, informer.For(factory, workloadSource(client), selector))
	indexed := informer.For(factory, workloadSource(client).WithIndexers(lister.Indexers(workloadsByRegion)), selector)
	assert.Same(t, first, indexed)
	_, err := workloadsByRegion.Get(first, "north")
	require.NoError(t, err, "indexes are added")
	require.NoError(t, factory.Err())
	assert.NotSame(t, first, informer.For(factory, informer.Namespaced(client, fleetv1.SchemeGroupVersion.WithResource("others"), client.FleetV1().Workloads)))
	assert.Same(t, factory, first.Factory())
	assert.Equal(t, "workloads", first.Source().Resource().Resource)

	for want, options := range map[string][]informer.Option{
		`in For[*v1.Workload]: WithResync(1m0s): the informer exists already, with other options`: {informer.WithResync(time.Minute)},
		`in For[*v1.Workload]: WithWatchErrorHandler: the informer exists already`:                {quiet()},
		`in For[*v1.Workload]: WithNamespaces(): no namespace`:                                    {informer.WithNamespaces()},
		`in For[*v1.Workload]: ForKind is an option of NewFactory`:                                {informer.ForKind[*fleetv1.Workload]()},
	} {
		factory := informer.NewFactory()
		informer.For(factory, workloadSource(client))
		require.NotNil(t, informer.For(factory, workloadSource(client), options...))
		assert.ErrorContains(t, factory.Err(), want)
		_, err := informer.For(factory, workloadSource(client)).Acquire(t.Context())
		assert.ErrorContains(t, err, want)
		assert.ErrorContains(t, informer.For(factory, workloadSource(client)).StartWhenServed(t.Context()), want)
	}
}

func TestForHasScopes(t *testing.T) {
	client, kube := fake.NewClientset(), kubefake.NewClientset()
	labeled := func(value string) informer.Option {
		return informer.WithLabels(labels.SelectorFromSet(labels.Set{"a": value}))
	}
	factory := informer.NewFactory(informer.WithFields(fields.OneTermEqualSelector("metadata.name", "x")),
		informer.ForKind[*fleetv1.Workload](labeled("b")), informer.ForKind[*corev1.ConfigMap](informer.WithNamespaces("c"), labeled("d")))
	defer factory.Shutdown()
	shared := informer.For(factory, workloadSource(client))
	assert.Same(t, shared, informer.For(factory, workloadSource(client), labeled("b")), "the scope is the same")
	for _, other := range []informer.Option{
		labeled("c"), informer.WithNamespaces("n"), informer.WithFields(fields.OneTermEqualSelector("metadata.name", "y")),
		informer.WithTransform(func(object any) (any, error) { return object, nil }),
	} {
		own := informer.For(factory, workloadSource(client), other)
		assert.NotSame(t, shared, own)
	}
	var made int
	got := factory.InformerFor(&fleetv1.Workload{}, func(time.Duration) cache.SharedIndexInformer { made++; return nil })
	assert.Same(t, shared.Shared(), got)
	assert.Zero(t, made)

	reduced, err := informer.MetadataOf(configMapSource(kube))
	require.NoError(t, err)
	metadata := informer.For(factory, reduced, informer.WithVersionsOnly())
	assert.Equal(t, []string{"c"}, metadata.Namespaces(), "the options for whole objects select their metadata, too")
	assert.Equal(t, "a=d", metadata.Describe().LabelSelector)
	assert.NotSame(t, metadata, informer.For(factory, reduced), "who reads labels does not get an informer that drops them")
	require.NoError(t, factory.Err())
}

func TestInformerForIgnoresScopes(t *testing.T) {
	client := fake.NewClientset()
	factory := informer.NewFactory()
	defer factory.Shutdown()
	scoped := informer.For(factory, workloadSource(client), informer.WithNamespaces("n"))
	all := factory.InformerFor(&fleetv1.Workload{}, func(time.Duration) cache.SharedIndexInformer {
		return informer.For(factory, workloadSource(client)).Shared()
	})
	assert.NotSame(t, scoped.Shared(), all)
	assert.Same(t, informer.For(factory, workloadSource(client)).Shared(), all)
}

func TestNamespacesOfClusterScopedResources(t *testing.T) {
	client := fake.NewClientset()
	ctx, factory := newFactory(t, informer.WithNamespaces("a"))
	regions := informer.For(factory, regionSource(client))
	start(ctx, t, factory)
	require.NoError(t, factory.SetNamespaces(ctx, "b"))
	assert.Equal(t, []string{metav1.NamespaceAll}, regions.Namespaces())

	wrong := informer.NewFactory(informer.ForKind[*fleetv1.Region](informer.WithNamespaces("a")))
	informer.For(wrong, regionSource(client))
	assert.EqualError(t, wrong.Err(), `in ForKind[*v1.Region]: WithNamespaces("a") has no effect on a cluster-scoped resource`)
	wrong = informer.NewFactory()
	informer.For(wrong, regionSource(client), informer.WithNamespaces("a"))
	assert.EqualError(t, wrong.Err(), `in For[*v1.Region]: WithNamespaces("a") has no effect on a cluster-scoped resource`)
}

// TestIndexes has indexes of the factory, of the kind, of the call and of the source.
func TestIndexes(t *testing.T) {
	client := fake.NewClientset(workload("a", "x", nil))
	key := func(key string) cache.IndexFunc { return func(any) ([]string, error) { return []string{key}, nil } }
	source := workloadSource(client).WithIndexers(cache.Indexers{"source": key("source")}).WithIndexers(lister.Indexers(workloadsByRegion))
	ctx, factory := newFactory(t,
		informer.WithIndexers(cache.Indexers{"factory": key("factory"), "kind": key("wrong")}),
		informer.ForKind[*fleetv1.Workload](informer.WithIndexers(cache.Indexers{"kind": key("kind")})),
	)
	workloads := informer.For(factory, source, informer.WithIndexers(cache.Indexers{"call": key("call")}))
	start(ctx, t, factory)
	for _, name := range []string{"factory", "kind", "call", "source"} {
		found, err := workloads.ByIndex(name, name)
		require.NoError(t, err)
		assert.Len(t, found, 1, name)
	}
	assert.Len(t, workloads.Indexer().GetIndexers(), 7)

	factory = informer.NewFactory(informer.WithIndexers(lister.Indexers(workloadsByRegion)))
	informer.For(factory, source)
	assert.ErrorContains(t, factory.Err(), `duplicate index "spec.regionName", which the source of workloads.fleet.example.com has`)
}

func TestManagedFields(t *testing.T) {
	object := workload("a", "x", nil)
	object.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "us"}, {Manager: "them"}}
	for name, test := range map[string]struct {
		factory, call []informer.Option
		want          int
	}{
		"dropped":  {nil, nil, 0},
		"kept":     {[]informer.Option{informer.WithManagedFields()}, nil, 2},
		"ours":     {nil, []informer.Option{informer.WithManagedFields("us")}, 1},
		"override": {[]informer.Option{informer.WithManagedFields("none")}, []informer.Option{informer.WithManagedFields("us")}, 1},
	} {
		ctx, factory := newFactory(t, test.factory...)
		workloads := informer.For(factory, workloadSource(fake.NewSimpleClientset(object)), test.call...)
		start(ctx, t, factory)
		cached, err := workloads.Lister().Get("a", "x")
		require.NoError(t, err)
		assert.Len(t, cached.ManagedFields, test.want, name)
		assert.Equal(t, test.want > 0, factory.KeepsManagedFields(), name)
	}
}

func TestGeneratedListers(t *testing.T) {
	client := fake.NewClientset(workload("a", "x", nil), region("north"))
	ctx, factory := newFactory(t)
	workloads := fleetv1listers.NewWorkloadLister(informer.For(factory, workloadSource(client)).Indexer())
	regions := fleetv1listers.NewRegionLister(informer.For(factory, regionSource(client)).Indexer())
	start(ctx, t, factory)
	_, err := workloads.Workloads("a").Get("x")
	require.NoError(t, err)
	_, err = regions.Get("north")
	require.NoError(t, err)
}

func TestInformerName(t *testing.T) {
	name, err := cache.NewInformerName("factory")
	require.NoError(t, err)
	factory := informer.NewFactory(informer.WithInformerName(name))
	assert.Same(t, name, factory.InformerName())
	informer.For(factory, workloadSource(fake.NewClientset()))
	factory.Shutdown()
	again, err := cache.NewInformerName("factory")
	require.NoError(t, err, "Shutdown releases the name")
	again.Release()
	informer.NewFactory().Shutdown()
}

// TestSeveralAPIs has informers for the kinds of two clientsets in one factory.
func TestSeveralAPIs(t *testing.T) {
	client, kube := fake.NewClientset(workload("a", "x", nil)), kubefake.NewClientset(configMap("a", "y"), configMap("b", "y"), configMap("c", "y"))
	ctx, factory := newFactory(t, informer.WithNamespaces("a", "b"))
	workloads, configMaps := informer.For(factory, workloadSource(client)), informer.For(factory, configMapSource(kube))
	start(ctx, t, factory)
	assert.Equal(t, []string{"a/x"}, names(workloads))
	assert.Equal(t, []string{"a/y", "b/y"}, names(configMaps))
	require.NoError(t, factory.SetNamespaces(ctx, "c"))
	assert.Empty(t, names(workloads))
	assert.Equal(t, []string{"c/y"}, names(configMaps))
}

func TestValue(t *testing.T) {
	type key struct{}
	factory := informer.NewFactory()
	assert.Nil(t, factory.Value(key{}, nil))
	assert.Equal(t, 1, factory.Value(key{}, func() any { return 1 }))
	assert.Equal(t, 1, factory.Value(key{}, func() any { return 2 }), "the first one stays")
	assert.Equal(t, 1, factory.Value(key{}, nil))
	assert.Nil(t, informer.NewFactory().Value(key{}, nil), "each factory has its own")
}
