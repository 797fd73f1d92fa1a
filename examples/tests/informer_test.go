package tests

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	fleetv1informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions/fleet/v1"
)

// change creates, changes and deletes one workload.
func change(t *testing.T, client *fake.Clientset, namespace, name string) {
	t.Helper()
	workloads := client.FleetV1().Workloads(namespace)
	created, err := workloads.Create(t.Context(), workload(namespace, name, nil), metav1.CreateOptions{})
	require.NoError(t, err)
	created.Spec.Paused = true
	_, err = workloads.Update(t.Context(), created, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.NoError(t, workloads.Delete(t.Context(), name, metav1.DeleteOptions{}))
}

func TestTypedHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset()
		factory := informers.NewSharedInformerFactory(client, 0)
		informer := factory.Fleet().V1().Workloads().TypedInformer()
		var seen recorder
		registration, err := informer.AddTypedEventHandler(fleetv1informers.WorkloadHandlerFuncs{
			AddFunc: func(added *fleetv1.Workload) { seen.note("add %s paused=%t", added.Name, added.Spec.Paused) },
			UpdateFunc: func(before, after *fleetv1.Workload) {
				seen.note("update %s paused=%t..%t", after.Name, before.Spec.Paused, after.Spec.Paused)
			},
			DeleteFunc: func(deleted fleetv1informers.DeletedWorkload) {
				assert.Nil(t, deleted.FinalStateUnknown)
				seen.note("delete %s paused=%t", deleted.GetKey(), deleted.OptionalObj.Spec.Paused)
			},
		})
		require.NoError(t, err)
		settle(t, factory)
		require.True(t, cache.WaitFor(within(t), "", registration.HasSyncedChecker()))

		change(t, client, "shop", "web")
		assert.Equal(t, []string{
			"add web paused=false",
			"update web paused=false..true",
			"delete shop/web paused=true",
		}, seen.take())

		require.NoError(t, informer.RemoveEventHandler(registration))
		change(t, client, "shop", "web")
		assert.Empty(t, seen.take(), "a removed handler hears nothing")
	})
}

func TestDetailedHandlersTellTheInitialState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset(region("north"))
		factory := informers.NewSharedInformerFactory(client, 0)
		var seen recorder
		_, err := factory.Fleet().V1().Regions().TypedInformer().AddTypedEventHandler(fleetv1informers.RegionDetailedHandlerFuncs{
			AddFunc: func(added *fleetv1.Region, isInInitialList bool) { seen.note("%s %t", added.Name, isInInitialList) },
		})
		require.NoError(t, err)
		settle(t, factory)
		assert.Equal(t, []string{"north true"}, seen.take())

		_, err = client.FleetV1().Regions().Create(t.Context(), region("south"), metav1.CreateOptions{})
		require.NoError(t, err)
		assert.Equal(t, []string{"south false"}, seen.take())
	})
}

func TestFilteringHandlerSeesOnlyItsShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset()
		factory := informers.NewSharedInformerFactory(client, 0)
		var seen recorder
		_, err := factory.Fleet().V1().Workloads().TypedInformer().AddTypedEventHandler(fleetv1informers.WorkloadFilteringHandler{
			FilterFunc: func(object *fleetv1.Workload) bool { return !object.Spec.Paused },
			Handler: fleetv1informers.WorkloadHandlerFuncs{
				AddFunc:    func(added *fleetv1.Workload) { seen.note("add %s", added.Name) },
				UpdateFunc: func(_, after *fleetv1.Workload) { seen.note("update %s", after.Name) },
				DeleteFunc: func(deleted fleetv1informers.DeletedWorkload) { seen.note("delete %s", deleted.GetName()) },
			},
		})
		require.NoError(t, err)
		settle(t, factory)

		change(t, client, "shop", "web")
		assert.Equal(t, []string{"add web", "delete web"}, seen.take(), "pausing takes an object out of the filter")
	})
}

// TestTombstone misses the deletion of an object while the watch is broken.
func TestTombstone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset(workload("shop", "web", nil), workload("shop", "db", nil))
		broken := watch.NewRaceFreeFake()
		watches := 0
		client.PrependWatchReactor("workloads", func(clienttesting.Action) (bool, watch.Interface, error) {
			watches++
			return watches == 1, broken, nil
		})
		factory := informers.NewSharedInformerFactory(client, 0)
		deletions := make(chan fleetv1informers.DeletedWorkload, 1)
		_, err := factory.Fleet().V1().Workloads().TypedInformer().AddTypedEventHandler(fleetv1informers.WorkloadHandlerFuncs{
			DeleteFunc: func(deleted fleetv1informers.DeletedWorkload) { deletions <- deleted },
		})
		require.NoError(t, err)
		settle(t, factory)

		require.NoError(t, client.FleetV1().Workloads("shop").Delete(t.Context(), "web", metav1.DeleteOptions{}))
		broken.Error(&apierrors.NewResourceExpired("start over").ErrStatus)

		deleted := next(t, deletions)
		require.NotNil(t, deleted.FinalStateUnknown)
		assert.Equal(t, "shop/web", deleted.FinalStateUnknown.Key)
		assert.Equal(t, cache.NewObjectName("shop", "web"), deleted.GetObjectName())
		assert.Equal(t, workload("shop", "web", nil), deleted.OptionalObj, "the last known state")
		synctest.Wait()
		assert.Empty(t, deletions, "the other workload is still there")
	})
}

func TestTypedIndexers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		south := workload("shop", "db", nil)
		south.Spec.RegionName = "south"
		client := fake.NewSimpleClientset(workload("shop", "web", nil), workload("blog", "web", nil), south)
		factory := informers.NewSharedInformerFactory(client, 0)
		informer := factory.Fleet().V1().Workloads().TypedInformer()
		require.NoError(t, informer.AddTypedIndexers(fleetv1informers.WorkloadIndexers{
			"region": func(object *fleetv1.Workload) ([]string, error) { return []string{object.Spec.RegionName}, nil },
		}))
		settle(t, factory)
		indexer := informer.GetTypedIndexer()

		found, err := indexer.ByTypedIndex("region", "south")
		require.NoError(t, err)
		assert.Equal(t, []*fleetv1.Workload{south}, found)

		found, err = indexer.TypedIndex("region", workload("any", "any", nil))
		require.NoError(t, err)
		assert.ElementsMatch(t, []*fleetv1.Workload{workload("shop", "web", nil), workload("blog", "web", nil)}, found)

		found, err = indexer.ByTypedIndex(cache.NamespaceIndex, "shop")
		require.NoError(t, err)
		assert.ElementsMatch(t, []*fleetv1.Workload{workload("shop", "web", nil), south}, found, "factories index by namespace")

		moved := south.DeepCopy()
		moved.Spec.RegionName = "west"
		_, err = client.FleetV1().Workloads("shop").Update(t.Context(), moved, metav1.UpdateOptions{})
		require.NoError(t, err)
		synctest.Wait()
		for regionName, want := range map[string][]*fleetv1.Workload{"south": {}, "west": {moved}} {
			found, err := indexer.ByTypedIndex("region", regionName)
			require.NoError(t, err)
			assert.Equal(t, want, found, regionName)
		}
	})
}

func TestInformerResync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset(region("north"))
		factory := informers.NewSharedInformerFactory(client, time.Minute)
		resyncs := make(chan time.Duration)
		started := time.Now()
		_, err := factory.Fleet().V1().Regions().TypedInformer().AddTypedEventHandler(fleetv1informers.RegionHandlerFuncs{
			UpdateFunc: func(before, after *fleetv1.Region) {
				assert.Same(t, before, after, "a resync repeats what is known")
				resyncs <- time.Since(started)
			},
		})
		require.NoError(t, err)
		settle(t, factory)
		assert.Equal(t, time.Minute, <-resyncs)
		assert.Equal(t, 2*time.Minute, <-resyncs)
		assert.Len(t, client.Actions(), 2, "one list and one watch: a resync asks the server for nothing")
	})
}

func TestInformerConversions(t *testing.T) {
	factory := informers.NewSharedInformerFactory(fake.NewSimpleClientset(), 0)
	typed := factory.Fleet().V1().Workloads()
	var untyped fleetv1informers.WorkloadInformer = typed

	assert.Equal(t, typed, fleetv1informers.ToTypedWorkloadInformer(untyped), "what is typed stays as it is")
	wrapped := fleetv1informers.ToTypedWorkloadInformer(struct {
		fleetv1informers.WorkloadInformer
	}{untyped})
	assert.NotNil(t, wrapped.TypedInformer().GetTypedIndexer())
	assert.NotNil(t, wrapped.Lister())

	index := typed.TypedInformer()
	assert.Same(t, index, fleetv1informers.ToWorkloadIndexInformer(index))
	plain := cache.NewSharedIndexInformer(&cache.ListWatch{}, &fleetv1.Workload{}, 0, cache.Indexers{})
	require.NoError(t, plain.GetIndexer().Add(workload("shop", "web", nil)))
	assert.Equal(t, []string{"shop/web"}, fleetv1informers.ToWorkloadIndexInformer(plain).GetTypedIndexer().ListKeys())
}
