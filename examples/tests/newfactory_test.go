package tests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	kubefake "k8s.io/client-go/kubernetes/fake"
	appslisters "k8s.io/client-go/listers/apps/v1"
	metadatafake "k8s.io/client-go/metadata/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
)

// newFactory returns a factory, and a context that stops it at the end of the test.
func newFactory(t *testing.T, client *fake.Clientset, options ...informers.SharedInformerOption) (context.Context, *informers.Factory) {
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

// refuse makes the API server answer lists and watches of a resource with an error, in one namespace or, with "*", in all.
func refuse(client *fake.Clientset, resource, namespace string, err error) {
	refused := func(action clienttesting.Action) bool { return namespace == "*" || action.GetNamespace() == namespace }
	client.PrependReactor("list", resource, func(action clienttesting.Action) (bool, runtime.Object, error) {
		return refused(action), nil, err
	})
	client.PrependWatchReactor(resource, func(action clienttesting.Action) (bool, watch.Interface, error) {
		return refused(action), nil, err
	})
}

func forbidden(resource string) error {
	return apierrors.NewForbidden(fleetv1.Resource(resource), "", fmt.Errorf("User %q cannot list resource %q", "x", resource))
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
	ctx, factory := newFactory(t, client, informers.WithNamespaces("a", "b"))
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

func TestOptionsPerKind(t *testing.T) {
	heavy, light := workload("a", "heavy", map[string]string{"size": "heavy"}), workload("a", "light", map[string]string{"size": "light"})
	client := fake.NewStrictClientset(heavy, light, workload("b", "other", map[string]string{"size": "heavy"}), region("north"))
	ctx, factory := newFactory(t, client,
		informers.WithLabels(labels.SelectorFromSet(labels.Set{"size": "heavy"})),
		informers.For[*fleetv1.Workload](
			informers.WithNamespaces("a"),
			informers.WithFields(fields.OneTermNotEqualSelector("metadata.name", "none")),
			informers.WithTransform(func(obj any) (any, error) {
				obj.(*fleetv1.Workload).Spec.Template.Image = "dropped"
				return obj, nil
			}),
			informers.WithIndexers(cache.Indexers{"size": func(obj any) ([]string, error) {
				return []string{obj.(*fleetv1.Workload).Labels["size"]}, nil
			}}),
		),
		informers.For[*fleetv1.Region](informers.WithLabels(labels.Everything()), informers.WithResync(time.Hour)),
	)
	informer := factory.Fleet().V1().Workloads().Informer()
	regions := factory.Fleet().V1().Regions().Lister()
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	found, err := informer.GetIndexer().ByIndex("size", "heavy")
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "a", found[0].(*fleetv1.Workload).Namespace)
	assert.Equal(t, "dropped", found[0].(*fleetv1.Workload).Spec.Template.Image)
	_, err = regions.Get("north")
	require.NoError(t, err, "a kind's selector replaces the factory's")
	status := factory.Describe()[0]
	assert.Equal(t, "size=heavy", status.LabelSelector)
	assert.Equal(t, "metadata.name!=none", status.FieldSelector)
}

func TestOptionsThatContradict(t *testing.T) {
	labelled := informers.WithLabels(labels.SelectorFromSet(labels.Set{"a": "b"}))
	tweaked := informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = "c=d" })
	for _, test := range []struct {
		options []informers.SharedInformerOption
		want    string
	}{
		{[]informers.SharedInformerOption{informers.WithNamespaces("a"), informers.WithNamespaces("b")}, `WithNamespaces("b") contradicts WithNamespaces("a")`},
		{[]informers.SharedInformerOption{informers.WithNamespace("a"), informers.WithNamespaces("b", "c")}, `WithNamespace("a") contradicts WithNamespaces("b", "c")`},
		{[]informers.SharedInformerOption{informers.WithNamespaces()}, `WithNamespaces(): no namespace`},
		{[]informers.SharedInformerOption{informers.WithNamespaces("a", "a")}, `WithNamespaces("a", "a"): duplicate namespace "a"`},
		{[]informers.SharedInformerOption{informers.WithNamespaces("a", "")}, `metav1.NamespaceAll cannot be combined with other namespaces`},
		{[]informers.SharedInformerOption{labelled, tweaked}, `WithTweakListOptions contradicts WithLabels("a=b"): it selects "c=d"`},
		{[]informers.SharedInformerOption{informers.WithResync(time.Hour), informers.WithResync(time.Minute)}, `WithResync(1m0s) contradicts WithResync(1h0m0s)`},
		{[]informers.SharedInformerOption{informers.WithResync(-time.Hour)}, `negative period`},
		{[]informers.SharedInformerOption{informers.For[*metav1.Status](informers.WithManagedFields())}, `For[*v1.Status]: no informer for this type`},
		{[]informers.SharedInformerOption{informers.For[*fleetv1.Region](informers.WithNamespaces("a"))}, `For[*v1.Region]: WithNamespaces("a") has no effect on a cluster-scoped kind`},
		{[]informers.SharedInformerOption{informers.For[*fleetv1.Region](informers.WithMutationDetector(t))}, `For[*v1.Region]: WithMutationDetector only applies to the whole factory`},
		{[]informers.SharedInformerOption{informers.For[*fleetv1.Region](informers.For[*fleetv1.Workload]())}, `For[*v1.Region]: For cannot be nested`},
		{[]informers.SharedInformerOption{
			informers.For[*fleetv1.Region](informers.WithResync(time.Hour)), informers.For[*fleetv1.Region](informers.WithResync(time.Minute)),
		}, `For[*v1.Region]: WithResync(1m0s) contradicts WithResync(1h0m0s)`},
	} {
		_, err := informers.New(fake.NewStrictClientset(), test.options...)
		assert.ErrorContains(t, err, test.want)

		// The constructor without an error result reports the error to callers that wait for sync.
		factory := informers.NewSharedInformerFactoryWithOptions(fake.NewStrictClientset(), 0, append(test.options, informers.WithManagedFields())...)
		factory.Fleet().V1().Regions().Informer()
		factory.StartWithContext(t.Context())
		assert.ErrorContains(t, factory.WaitForCacheSyncWithContext(t.Context()).AsError(), test.want)
		factory.Shutdown()
	}
	_, err := informers.New(fake.NewStrictClientset(), informers.WithNamespaces("a"), informers.WithNamespaces("a"))
	assert.NoError(t, err, "the same twice is no contradiction")
}

func TestWaitForSyncSaysWhy(t *testing.T) {
	for name, answer := range map[string]struct {
		err  error
		want string
	}{
		"forbidden": {forbidden("workloads"), `workloads.fleet.example.com in namespace "b": forbidden: User "x" cannot list resource "workloads"`},
		"unknown":   {apierrors.NewNotFound(fleetv1.Resource("workloads"), ""), `workloads.fleet.example.com in namespace "b": not served: `},
	} {
		t.Run(name, func(t *testing.T) {
			client := fake.NewStrictClientset(workload("a", "x", nil), region("north"))
			refuse(client, "workloads", "b", answer.err)
			ctx, factory := newFactory(t, client, informers.WithNamespaces("a", "b", "c"))
			workloads, regions := factory.Fleet().V1().Workloads().Informer(), factory.Fleet().V1().Regions().Informer()
			factory.StartWithContext(ctx)
			waiting := within(t)
			result := factory.WaitForCacheSyncWithContext(waiting)
			assert.NoError(t, waiting.Err(), "it ends with the answer, not with the context")
			require.ErrorContains(t, result.AsError(), answer.want)
			assert.NotContains(t, result.AsError().Error(), `namespace "a"`)
			var status apierrors.APIStatus
			assert.ErrorAs(t, result.Err, &status, "the answer itself")
			assert.False(t, workloads.HasSynced())
			assert.True(t, regions.HasSynced())
			assert.Len(t, factory.Errors(), 1)
			assert.Contains(t, factory.Describe().String(), answer.want)

			client.ReactionChain = client.ReactionChain[1:]
			client.WatchReactionChain = client.WatchReactionChain[1:]
		})
	}
}

// TestShutdownAfterAFailedSync starts informers as the documentation does, with a client that may not list anything: the deferred
// Shutdown must not wait for the end of the context.
func TestShutdownAfterAFailedSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewStrictClientset()
		refuse(client, "*", "*", forbidden("workloads"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		start := func() error {
			// client-go's handler would sleep since an error outside of the bubble, for years.
			ignore := informers.WithWatchErrorHandler(func(context.Context, *cache.Reflector, error) {})
			factory, err := informers.New(client, ignore)
			if err != nil {
				return err
			}
			defer factory.Shutdown()
			factory.Fleet().V1().Workloads().Lister()
			regions := factory.Fleet().V1().Regions()
			regions.Informer()
			if err := factory.StartWhenServed(ctx, &fleetv1.Region{}); err != nil {
				return err
			}
			if _, err := factory.Acquire(ctx, &fleetv1.Workload{}); err != nil {
				return err
			}
			factory.StartWithContext(ctx)
			return factory.WaitForSync(ctx)
		}
		assert.ErrorContains(t, start(), "forbidden")
		assert.NoError(t, ctx.Err(), "it does not wait for the context")
	})
}

func TestWaitForSyncWaitsOutOutages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset(workload("a", "x", nil))
		var outage atomic.Bool
		outage.Store(true)
		client.PrependReactor("list", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) {
			return outage.Load(), nil, apierrors.NewInternalError(errors.New("etcd is away"))
		})
		ctx, factory := newFactory(t, client)
		workloads := factory.Fleet().V1().Workloads().Lister()
		factory.StartWithContext(ctx)
		deadline, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		err := factory.WaitForSync(deadline)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, "workloads.fleet.example.com: Internal error occurred: etcd is away")
		outage.Store(false)
		require.NoError(t, factory.WaitForSync(ctx))
		assert.Empty(t, factory.Errors())
		list, err := workloads.List(labels.Everything())
		assert.Equal(t, []string{"a/x"}, names(t, list, err))
	})
}

func TestWaitForSyncNeedsInformers(t *testing.T) {
	ctx, factory := newFactory(t, fake.NewStrictClientset())
	factory.StartWithContext(ctx)
	assert.ErrorContains(t, factory.WaitForSync(ctx), "no informer was requested")
	factory.Fleet().V1().Workloads().Informer()
	assert.ErrorContains(t, factory.WaitForSync(ctx), "not started: *v1.Workload; call Start after requesting informers")
	factory.StartWithContext(ctx)
	assert.NoError(t, factory.WaitForSync(ctx))
}

// addedTo returns a channel with the objects that are added.
func addedTo(t *testing.T, informer cache.SharedIndexInformer) (added, deleted chan string) {
	t.Helper()
	added, deleted = make(chan string, 100), make(chan string, 100)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { added <- obj.(metav1.Object).GetName() },
		DeleteFunc: func(obj any) {
			name, err := cache.DeletionHandlingObjectToName(obj)
			if err == nil {
				deleted <- name.Name
			}
		},
	})
	require.NoError(t, err)
	return added, deleted
}

func TestStopAndStartAgain(t *testing.T) {
	client := fake.NewStrictClientset(workload("a", "x", nil), region("north"))
	ctx, factory := newFactory(t, client)
	workloads := factory.Fleet().V1().Workloads()
	added, _ := addedTo(t, workloads.Informer())
	regions, _ := addedTo(t, factory.Fleet().V1().Regions().Informer())
	first, end := context.WithCancel(ctx)
	factory.StartWithContext(first)
	require.NoError(t, factory.WaitForSync(ctx))
	assert.Equal(t, "x", <-added)
	assert.Equal(t, "north", <-regions)

	require.NoError(t, factory.Stop(&fleetv1.Workload{}))
	assert.True(t, workloads.Informer().IsStopped())
	_, err := client.FleetV1().Workloads("a").Create(ctx, workload("a", "y", nil), metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = client.FleetV1().Regions().Create(ctx, region("south"), metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "south", <-regions, "the others go on")
	_, err = workloads.Lister().Workloads("a").Get("y")
	assert.True(t, apierrors.IsNotFound(err))
	factory.StartWithContext(first)
	require.NoError(t, factory.WaitForSync(ctx))
	_, err = workloads.Lister().Workloads("a").Get("y")
	require.NoError(t, err)
	assert.Equal(t, "y", <-added)

	end() // of the first context: all stop
	_, err = client.FleetV1().Regions().Create(ctx, region("east"), metav1.CreateOptions{})
	require.NoError(t, err)
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	assert.Equal(t, "east", <-regions)
	assert.Error(t, factory.Stop(&metav1.Status{}))
}

func TestAcquireAndRelease(t *testing.T) {
	client := fake.NewStrictClientset(workload("a", "x", nil))
	ctx, factory := newFactory(t, client)
	before := goleak.IgnoreCurrent()
	for range 3 {
		first, err := factory.Acquire(ctx, &fleetv1.Workload{})
		require.NoError(t, err)
		second, err := factory.Acquire(ctx, &fleetv1.Workload{})
		require.NoError(t, err)
		require.NoError(t, factory.WaitForSync(ctx))
		first()
		first()
		assert.False(t, factory.Fleet().V1().Workloads().Informer().IsStopped(), "one still holds it")
		second()
		assert.True(t, factory.Fleet().V1().Workloads().Informer().IsStopped())
		goleak.VerifyNone(t, before)
	}
	_, err := factory.Acquire(ctx, &fleetv1.Workload{})
	require.NoError(t, err)
	factory.Shutdown()
	goleak.VerifyNone(t, before)
	_, err = factory.Acquire(ctx, &fleetv1.Workload{})
	assert.ErrorContains(t, err, "shut down")
}

func TestStartWhenServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset(workload("a", "x", nil), region("north"))
		var served atomic.Bool
		unknown := apierrors.NewNotFound(fleetv1.Resource("workloads"), "")
		client.PrependReactor("get", "resource", func(clienttesting.Action) (bool, runtime.Object, error) { return !served.Load(), nil, unknown })
		client.PrependReactor("list", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) { return !served.Load(), nil, unknown })
		client.Resources = []*metav1.APIResourceList{{GroupVersion: "fleet.example.com/v1", APIResources: []metav1.APIResource{{Name: "workloads"}}}}
		watches := make(chan *watch.RaceFreeFakeWatcher, 10)
		client.PrependWatchReactor("workloads", func(clienttesting.Action) (bool, watch.Interface, error) {
			if !served.Load() {
				return true, nil, unknown
			}
			opened := watch.NewRaceFreeFake()
			watches <- opened
			return true, opened, nil
		})
		ctx, factory := newFactory(t, client)
		workloads := factory.Fleet().V1().Workloads()
		added, deleted := addedTo(t, workloads.Informer())
		require.NoError(t, factory.StartWhenServed(ctx, &fleetv1.Workload{}))
		require.Error(t, factory.StartWhenServed(ctx, &fleetv1.Workload{}), "it runs")
		require.Error(t, factory.StartWhenServed(ctx, &metav1.Status{}), "there is none")
		factory.Fleet().V1().Regions().Informer()
		factory.StartWithContext(ctx)
		require.NoError(t, factory.WaitForSync(ctx), "what is not served is not waited for")
		assert.True(t, factory.Describe()[0].Unserved)
		assert.Contains(t, factory.Describe().String(), "not served")

		for range 2 {
			served.Store(true)
			assert.Equal(t, "x", <-added)
			require.NoError(t, factory.WaitForSync(ctx))
			assert.True(t, workloads.Informer().HasSynced())
			assert.False(t, factory.Describe()[0].Unserved)
			synctest.Wait() // until the watch is open

			served.Store(false)
			(<-watches).Stop()
			assert.Equal(t, "x", <-deleted)
			synctest.Wait()
			assert.Empty(t, workloads.Informer().GetStore().ListKeys())
			lists := len(client.Actions())
			time.Sleep(time.Hour)
			for _, action := range client.Actions()[lists:] {
				assert.Equal(t, "get", action.GetVerb(), "discovery alone")
			}
		}
	})
}

func TestMetadata(t *testing.T) {
	scheme := runtime.NewScheme()
	require.NoError(t, metav1.AddMetaToScheme(scheme))
	object := &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: fleetv1.SchemeGroupVersion.String(), Kind: "Workload"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "x", Labels: map[string]string{"k": "v"}},
	}
	other := object.DeepCopy()
	other.Namespace = "b"
	client := metadatafake.NewSimpleMetadataClient(scheme, object, other)
	ctx, factory := newFactory(t, fake.NewStrictClientset(), informers.WithMetadataClient(client),
		informers.For[*fleetv1.Workload](informers.WithNamespaces("a"), informers.WithIndexers(cache.Indexers{
			"region": func(obj any) ([]string, error) { return []string{obj.(*fleetv1.Workload).Spec.RegionName}, nil }, // not of metadata
		})))
	metadata, err := factory.Metadata(&fleetv1.Workload{})
	require.NoError(t, err)
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	found, err := metadata.Lister().List(labels.Everything())
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "x", found[0].Name)
	assert.True(t, factory.Describe()[0].Metadata)

	_, factory = newFactory(t, fake.NewStrictClientset())
	_, err = factory.Metadata(&fleetv1.Workload{})
	assert.ErrorContains(t, err, "WithMetadataClient")
	_, err = factory.Metadata(&metav1.Status{})
	assert.ErrorContains(t, err, "no informer for *v1.Status")
}

func TestDescribe(t *testing.T) {
	client := fake.NewStrictClientset(workload("a", "x", nil), workload("b", "x", nil))
	ctx, factory := newFactory(t, client, informers.WithNamespaces("b", "a"))
	addedTo(t, factory.Fleet().V1().Workloads().Informer())
	assert.Contains(t, factory.Describe().String(), "stopped")
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	require.Eventually(t, func() bool { return factory.Describe()[0].Watches == 2 && factory.Describe()[0].Pending == 0 }, deadline, time.Millisecond)
	status := factory.Describe()[0]
	assert.Equal(t, "workloads.fleet.example.com", status.Resource)
	assert.Equal(t, "v1", status.Version)
	assert.Equal(t, []string{"a", "b"}, status.Namespaces)
	assert.Equal(t, 2, status.Objects)
	assert.Positive(t, status.Bytes)
	assert.Equal(t, 1, status.Handlers)
	assert.True(t, status.Synced)
	assert.True(t, status.Running)
	lines := strings.Split(strings.TrimSpace(factory.Describe().String()), "\n")
	require.Len(t, lines, 2)
	assert.Regexp(t, `^workloads.fleet.example.com  v1 +a,b +2 +\d+ +1 +synced `, lines[1])
	text, err := json.Marshal(factory.Describe())
	require.NoError(t, err)
	assert.Contains(t, string(text), `"resource":"workloads.fleet.example.com","version":"v1","namespaces":["a","b"]`)
}

func TestMutationDetectorOfFactory(t *testing.T) {
	told := &failures{}
	client := fake.NewStrictClientset(workload("a", "x", nil))
	ctx, factory := newFactory(t, client, informers.WithMutationDetector(told))
	registration, err := factory.Fleet().V1().Workloads().TypedInformer().AddTypedEventHandler(cache.TypedResourceEventHandlerFuncs[*fleetv1.Workload]{
		AddFunc: func(object *fleetv1.Workload) { object.Spec.RegionName = "changed" },
	})
	require.NoError(t, err)
	factory.StartWithContext(ctx)
	cache.WaitFor(ctx, "", registration.HasSyncedChecker())
	require.Len(t, told.messages, 1)
	assert.Contains(t, told.messages[0], `workloads.fleet.example.com a/x in the cache was changed by handler`)
	assert.Contains(t, told.messages[0], `.Spec.RegionName: "changed", was "north"`)
}

// failures replaces a *testing.T and records its failures.
type failures struct{ messages []string }

func (f *failures) Errorf(format string, args ...any) {
	f.messages = append(f.messages, fmt.Sprintf(format, args...))
}

func TestInformerForOfFactory(t *testing.T) {
	client := fake.NewStrictClientset(workload("a", "x", nil))
	ctx, factory := newFactory(t, client)
	mine := cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return client.FleetV1beta1().Workloads("a").List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return client.FleetV1beta1().Workloads("a").Watch(ctx, options)
		},
	}, &fleetv1beta1.Workload{}, 0, cache.Indexers{})
	factory.InformerFor(&fleetv1beta1.Workload{}, func(versioned.Interface, time.Duration) cache.SharedIndexInformer { return mine })
	assert.Same(t, mine, factory.InformerFor(&fleetv1beta1.Workload{}, nil))
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	assert.True(t, mine.HasSynced())
	assert.Empty(t, factory.Describe())
}

func TestReleaseLeavesWhatStartRuns(t *testing.T) {
	client := fake.NewStrictClientset(workload("a", "x", nil))
	ctx, factory := newFactory(t, client)
	release, err := factory.Acquire(ctx, &fleetv1.Workload{})
	require.NoError(t, err)
	started, end := context.WithCancel(ctx)
	factory.StartWithContext(started)
	require.NoError(t, factory.WaitForSync(ctx))
	release()
	workloads := factory.Fleet().V1().Workloads()
	added, _ := addedTo(t, workloads.Informer())
	assert.Equal(t, "x", <-added)
	_, err = client.FleetV1().Workloads("a").Create(ctx, workload("a", "y", nil), metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "y", <-added, "it goes on")
	end()
	require.Eventually(t, workloads.Informer().IsStopped, deadline, time.Millisecond)
}

// TestSetNamespacesWhileInformersAreMade is for the race detector. Whatever comes first, all informers end up in the last
// namespace.
func TestSetNamespacesWhileInformersAreMade(t *testing.T) {
	client := fake.NewStrictClientset(workload("a", "x", nil), workload("b", "x", nil))
	ctx, factory := newFactory(t, client, informers.WithNamespaces("a"))
	made := make(chan struct{})
	go func() {
		defer close(made)
		factory.Fleet().V1().Workloads().Informer()
		factory.Fleet().V1beta1().Gateways().Informer()
		factory.StartWithContext(ctx)
	}()
	for _, namespace := range []string{"b", "a", "b"} {
		require.NoError(t, factory.SetNamespaces(ctx, namespace))
	}
	<-made
	require.NoError(t, factory.WaitForSync(ctx))
	for _, status := range factory.Describe() {
		assert.Equal(t, []string{"b"}, status.Namespaces, status.Resource)
	}
	list, err := factory.Fleet().V1().Workloads().Lister().List(labels.Everything())
	assert.Equal(t, []string{"b/x"}, names(t, list, err))
}

// TestInformerOfAnotherAPI uses an informer for deployments in a factory for the kinds of this API.
func TestInformerOfAnotherAPI(t *testing.T) {
	managed := func(namespace string) *appsv1.Deployment {
		return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: "x", ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "m"}},
		}}
	}
	kube := kubefake.NewClientset(managed("a"), managed("b"), managed("c"))
	ctx, factory := newFactory(t, fake.NewStrictClientset(), informers.WithNamespaces("a", "b"))
	of := func() cache.SharedIndexInformer {
		return informers.InformerOf[*appsv1.Deployment](factory, appsv1.SchemeGroupVersion.WithResource("deployments"), true, kube, kube.AppsV1().Deployments)
	}
	lister := appslisters.NewDeploymentLister(of().GetIndexer())
	assert.Same(t, of(), of())
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
	list, err := lister.List(labels.Everything())
	require.NoError(t, err)
	require.Len(t, list, 2)
	assert.Empty(t, list[0].ManagedFields)
	require.NoError(t, factory.SetNamespaces(ctx, "c"))
	_, err = lister.Deployments("c").Get("x")
	require.NoError(t, err)
	assert.Equal(t, "deployments.apps", factory.Describe()[0].Resource)
}
