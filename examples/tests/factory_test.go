package tests

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	fleetv1informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions/fleet/v1"
)

func TestFactoryStartsRequestedInformers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset(region("north"))
		factory := informers.NewSharedInformerFactory(client, 0)
		stop := make(chan struct{})
		defer factory.Shutdown()
		defer close(stop)
		regionType, workloadType := reflect.TypeFor[*fleetv1.Region](), reflect.TypeFor[*fleetv1.Workload]()

		regions := factory.Fleet().V1().Regions().Lister()
		factory.Start(stop)
		assert.Equal(t, map[reflect.Type]bool{regionType: true}, factory.WaitForCacheSync(stop))
		north, err := regions.Get("north")
		require.NoError(t, err)
		assert.Equal(t, region("north"), north)

		workloads := factory.Fleet().V1().Workloads().Informer()
		synctest.Wait()
		assert.False(t, workloads.HasSynced(), "it was asked for after the start")
		factory.Start(stop)
		assert.Equal(t, map[reflect.Type]bool{regionType: true, workloadType: true}, factory.WaitForCacheSync(stop))
		synctest.Wait()
		assert.Len(t, client.Actions(), 4, "a list and a watch each, although the factory was started twice")
	})
}

func TestFactoryReportsUnsyncedInformers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset()
		client.PrependReactor("list", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, errors.New("the server is out for lunch")
		})
		factory := informers.NewSharedInformerFactory(client, 0)
		factory.Fleet().V1().Workloads().Informer()
		factory.Fleet().V1().Regions().Informer()
		impatient := errors.New("no time to wait")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, impatient)
		defer factory.Shutdown()
		defer cancel()

		factory.StartWithContext(ctx)
		result := factory.WaitForCacheSyncWithContext(ctx)
		assert.Equal(t, map[reflect.Type]bool{
			reflect.TypeFor[*fleetv1.Region]():   true,
			reflect.TypeFor[*fleetv1.Workload](): false,
		}, result.Synced)
		require.ErrorIs(t, result.AsError(), impatient)
		assert.ErrorContains(t, result.AsError(), "*v1.Workload")
	})
}

func TestFactorySharesInformers(t *testing.T) {
	factory := informers.NewSharedInformerFactory(fake.NewSimpleClientset(), time.Hour)
	build := func(versioned.Interface, time.Duration) cache.SharedIndexInformer {
		t.Error("there is one already")
		return nil
	}
	first := factory.Fleet().V1().Workloads().Lister()
	assert.Equal(t, first, factory.Fleet().V1().Workloads().Lister())
	require.NotNil(t, factory.InformerFor(&fleetv1.Workload{}, build))

	beta := factory.Fleet().V1beta1().Workloads().Informer()
	assert.NotSame(t, factory.InformerFor(&fleetv1.Workload{}, build), factory.InformerFor(&fleetv1beta1.Workload{}, build))
	assert.NotNil(t, beta)

	own := cache.NewSharedIndexInformer(&cache.ListWatch{}, &fleetv1.Quota{}, 0, cache.Indexers{})
	got := factory.InformerFor(&fleetv1.Quota{}, func(_ versioned.Interface, resync time.Duration) cache.SharedIndexInformer {
		assert.Equal(t, time.Hour, resync)
		return own
	})
	assert.Same(t, own, got)
}

func TestFactoryFilters(t *testing.T) {
	tests := map[string]struct {
		build     func(client versioned.Interface) informers.SharedInformerFactory
		namespace string
		selector  string
		want      []string
	}{
		"nothing": {
			func(client versioned.Interface) informers.SharedInformerFactory {
				return informers.NewSharedInformerFactory(client, 0)
			}, "", "", []string{"shop/web", "shop/db", "blog/web"},
		},
		"namespace": {
			func(client versioned.Interface) informers.SharedInformerFactory {
				return informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace("shop"))
			}, "shop", "", []string{"shop/web", "shop/db"},
		},
		"labels": {
			func(client versioned.Interface) informers.SharedInformerFactory {
				return informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTweakListOptions(onlyFront))
			}, "", "tier=front", []string{"shop/web", "blog/web"},
		},
		"both, the old way": {
			func(client versioned.Interface) informers.SharedInformerFactory {
				//nolint:staticcheck // Deprecated, but others still call it.
				return informers.NewFilteredSharedInformerFactory(client, 0, "shop", onlyFront)
			}, "shop", "tier=front", []string{"shop/web"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := fake.NewSimpleClientset(
					workload("shop", "web", map[string]string{"tier": "front"}),
					workload("shop", "db", map[string]string{"tier": "back"}),
					workload("blog", "web", map[string]string{"tier": "front"}),
				)
				factory := test.build(client)
				informer := factory.Fleet().V1().Workloads()
				informer.Informer()
				settle(t, factory)

				assert.ElementsMatch(t, test.want, informer.Informer().GetIndexer().ListKeys())
				assertListsAndWatches(t, client, sent{Resource: "workloads.fleet.example.com/v1", Namespace: test.namespace}, test.selector)
				_, err := informer.Lister().Workloads("shop").Get("web")
				assert.NoError(t, err)
			})
		})
	}
}

// TestFactoryPassesItsLimitsToEveryKind runs all informers with one namespace and one selector. Requests for cluster-scoped kinds
// must not have a namespace.
func TestFactoryPassesItsLimitsToEveryKind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset()
		factory := informers.NewFilteredSharedInformerFactory(client, 0, "shop", onlyFront) //nolint:staticcheck // Deprecated, but short.
		var want []sent
		for resource := range resources {
			_, err := factory.ForResource(resource)
			require.NoError(t, err)
			namespace := "shop"
			if slices.Contains([]string{"regions", "chassis", "trafficclasses"}, resource.Resource) {
				namespace = ""
			}
			name := resource.GroupResource().String() + "/" + resource.Version
			want = append(want, sent{"list", name, "", namespace, ""}, sent{"watch", name, "", namespace, ""})
		}
		settle(t, factory)

		assert.ElementsMatch(t, want, sentBy(client))
		for _, action := range client.Actions() {
			switch action := action.(type) {
			case clienttesting.ListActionImpl:
				assert.Equal(t, "tier=front", action.GetListRestrictions().Labels.String(), action.GetResource())
			case clienttesting.WatchActionImpl:
				assert.Equal(t, "tier=front", action.GetWatchRestrictions().Labels.String(), action.GetResource())
			}
		}
	})
}

func TestFactoryTransform(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := workload("shop", "web", nil)
		before.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "tests"}}
		client := fake.NewSimpleClientset(before)
		factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(func(object any) (any, error) {
			object.(metav1.Object).SetManagedFields(nil)
			return object, nil
		}))
		lister := factory.Fleet().V1().Workloads().Lister()
		settle(t, factory)
		cached, err := lister.Workloads("shop").Get("web")
		require.NoError(t, err)
		assert.Equal(t, workload("shop", "web", nil), cached)
	})
}

func TestFactoryCustomResync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset(region("north"), workload("shop", "web", nil))
		factory := informers.NewSharedInformerFactoryWithOptions(client, time.Hour,
			informers.WithCustomResyncConfig(map[metav1.Object]time.Duration{&fleetv1.Workload{}: time.Minute}))
		started := time.Now()
		resyncs := make(chan string)
		_, err := factory.Fleet().V1().Workloads().TypedInformer().AddTypedEventHandler(fleetv1informers.WorkloadHandlerFuncs{
			UpdateFunc: func(_, after *fleetv1.Workload) { resyncs <- after.Name },
		})
		require.NoError(t, err)
		_, err = factory.Fleet().V1().Regions().TypedInformer().AddTypedEventHandler(fleetv1informers.RegionHandlerFuncs{
			UpdateFunc: func(_, after *fleetv1.Region) { resyncs <- after.Name },
		})
		require.NoError(t, err)
		settle(t, factory)
		assert.Equal(t, "web", <-resyncs)
		assert.Equal(t, time.Minute, time.Since(started))
		assert.Equal(t, "web", <-resyncs)
		assert.Equal(t, 2*time.Minute, time.Since(started))
	})
}

// resources are all resources with informers, with the objects in these informers.
var resources = map[schema.GroupVersionResource]runtime.Object{
	fleetV1.WithResource("workloads"):              &fleetv1.Workload{},
	fleetV1.WithResource("workloadrevisions"):      &fleetv1.WorkloadRevision{},
	fleetV1.WithResource("quotas"):                 &fleetv1.Quota{},
	fleetV1.WithResource("regions"):                &fleetv1.Region{},
	fleetV1.WithResource("chassis"):                &fleetv1.Chassis{},
	fleetV1.WithResource("heartbeats"):             &fleetv1.Heartbeat{},
	fleetV1beta1.WithResource("workloads"):         &fleetv1beta1.Workload{},
	fleetV1beta1.WithResource("gateways"):          &fleetv1beta1.Gateway{},
	fleetV1beta1.WithResource("placementpolicies"): &fleetv1beta1.PlacementPolicy{},
	fleetV1beta1.WithResource("alarms"):            &fleetv1beta1.Alarm{},
	edgeV1alpha1.WithResource("tunnels"):           &edgev1alpha1.Tunnel{},
	edgeV1alpha1.WithResource("relays"):            &edgev1alpha1.Relay{},
	edgeV1alpha1.WithResource("trafficclasses"):    &edgev1alpha1.TrafficClass{},
}

func TestForResource(t *testing.T) {
	factory := informers.NewSharedInformerFactory(fake.NewSimpleClientset(), 0)
	for resource, object := range resources {
		generic, err := factory.ForResource(resource)
		require.NoError(t, err)
		shared := factory.InformerFor(object, func(versioned.Interface, time.Duration) cache.SharedIndexInformer {
			t.Errorf("the informer of %v holds something else", resource)
			return nil
		})
		require.NoError(t, shared.GetIndexer().Add(object))
		found, err := generic.Lister().List(labels.Everything())
		require.NoError(t, err)
		assert.Equal(t, []runtime.Object{object}, found)
		assert.Equal(t, []any{object}, generic.Informer().GetStore().List())

		_, err = generic.Lister().ByNamespace("shop").Get("x")
		assert.EqualError(t, err, resource.GroupResource().String()+` "x" not found`)
	}

	for _, unknown := range []schema.GroupVersionResource{
		fleetV1.WithResource("chassises"),
		fleetV1beta1.WithResource("evacuations"),
		reviewV1.WithResource("capacityreports"),
	} {
		_, err := factory.ForResource(unknown)
		assert.ErrorContains(t, err, unknown.String())
	}
}

// TestInformerNameUsesTrueResources checks the names under which informers publish metrics: each has its own, with the resource
// as the API spells it.
func TestInformerNameUsesTrueResources(t *testing.T) {
	name, err := cache.NewInformerName("examples")
	require.NoError(t, err)
	factory := informers.NewSharedInformerFactoryWithOptions(fake.NewSimpleClientset(), 0, informers.WithInformerName(name))
	assert.Same(t, name, factory.InformerName())
	for resource := range resources {
		_, err := factory.ForResource(resource)
		require.NoError(t, err)
	}
	for resource := range resources {
		assert.False(t, name.WithResource(resource).Reserved(), "%v should be taken by its informer", resource)
	}

	factory.Shutdown()
	again, err := cache.NewInformerName("examples")
	require.NoError(t, err, "a shutdown gives the name back")
	again.Release()
}

func TestFactoryShutdownWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		factory := informers.NewSharedInformerFactory(fake.NewSimpleClientset(), 0)
		informer := factory.Fleet().V1().Workloads().Informer()
		ctx, cancel := context.WithCancel(t.Context())
		factory.StartWithContext(ctx)

		done := make(chan struct{})
		go func() {
			defer close(done)
			factory.Shutdown()
		}()
		synctest.Wait()
		select {
		case <-done:
			t.Error("Shutdown returned while an informer was running")
		default:
		}
		cancel()
		<-done
		assert.True(t, informer.IsStopped())

		late := factory.Fleet().V1().Regions().Informer()
		factory.StartWithContext(t.Context())
		synctest.Wait()
		assert.False(t, late.HasSynced(), "nothing starts after a shutdown")
		assert.Empty(t, factory.WaitForCacheSyncWithContext(t.Context()).Synced[reflect.TypeFor[*fleetv1.Region]()])
	})
}

func TestFactoryShutdownLeavesNoGoroutine(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	factory := informers.NewSharedInformerFactory(fake.NewSimpleClientset(workload("shop", "web", nil)), time.Minute)
	added := make(chan string, 1)
	_, err := factory.Fleet().V1().Workloads().TypedInformer().AddTypedEventHandler(fleetv1informers.WorkloadHandlerFuncs{
		AddFunc: func(object *fleetv1.Workload) { added <- object.Name },
	})
	require.NoError(t, err)
	for resource := range resources {
		_, err := factory.ForResource(resource)
		require.NoError(t, err)
	}

	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	factory.StartWithContext(ctx)
	result := factory.WaitForCacheSyncWithContext(ctx)
	assert.NoError(t, result.AsError())
	assert.Len(t, result.Synced, len(resources))
	assert.Equal(t, "web", next(t, added))
	cancel()
	factory.Shutdown()
}
