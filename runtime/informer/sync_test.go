package informer_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

func TestWaitForSyncSaysWhy(t *testing.T) {
	for name, answer := range map[string]struct {
		err  error
		want string
	}{
		"forbidden": {forbidden("workloads"), `workloads.fleet.example.com in namespace "b": forbidden: User "x" cannot list resource "workloads"`},
		"unknown":   {apierrors.NewNotFound(fleetv1.Resource("workloads"), ""), `workloads.fleet.example.com in namespace "b": not served: `},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // informers have a second to sync after an error, however busy the machine is
				client := fake.NewClientset(workload("a", "x", nil), region("north"))
				refuse(&client.Fake, "workloads", "b", answer.err)
				ctx, factory := newFactory(t, informer.WithNamespaces("a", "b", "c"), quiet())
				workloads, regions := informer.For(factory, workloadSource(client)), informer.For(factory, regionSource(client))
				factory.StartWithContext(ctx)
				result := factory.WaitForCacheSyncWithContext(ctx)
				assert.NoError(t, ctx.Err(), "it ends with the answer, not with the context")
				require.ErrorContains(t, result.AsError(), answer.want)
				assert.NotContains(t, result.AsError().Error(), `namespace "a"`)
				var status apierrors.APIStatus
				assert.ErrorAs(t, result.Err, &status, "the answer itself")
				var reason *informer.Error
				require.ErrorAs(t, result.Err, &reason)
				assert.Equal(t, "b", reason.Namespace)
				assert.False(t, workloads.HasSynced())
				assert.True(t, regions.HasSynced())
				assert.Len(t, factory.Errors(), 1)
				assert.Equal(t, factory.Errors(), workloads.Errors())
				assert.Contains(t, factory.Describe().String(), answer.want)
				assert.NotNil(t, workloads.Describe().LastErrorTime)
				logged := recordErrors(t)
				synced := factory.WaitForCacheSync(ctx.Done())
				assert.False(t, synced[reflect.TypeFor[*fleetv1.Workload]()])
				assert.True(t, synced[reflect.TypeFor[*fleetv1.Region]()])
				assert.ErrorContains(t, *logged, answer.want)
			})
		})
	}
}

// recordErrors returns where to find the last error that would be logged, until the test ends. Default handlers would sleep, see quiet.
func recordErrors(t *testing.T) *error {
	t.Helper()
	before, last := utilruntime.ErrorHandlers, new(error)
	t.Cleanup(func() { utilruntime.ErrorHandlers = before })                                                                       //nolint:reassign // it is a hook
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{func(_ context.Context, err error, _ string, _ ...any) { *last = err }} //nolint:reassign // it is a hook
	return last
}

// TestShutdownAfterAFailedSync starts informers as the documentation does, with a client that may not list anything: the deferred
// Shutdown must not wait for the end of the context.
func TestShutdownAfterAFailedSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewClientset()
		refuse(&client.Fake, "*", "*", forbidden("workloads"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		start := func() error {
			factory := informer.NewFactory(quiet())
			defer factory.Shutdown()
			workloads := informer.For(factory, workloadSource(client))
			if err := informer.For(factory, regionSource(client)).StartWhenServed(ctx); err != nil {
				return err
			}
			if _, err := workloads.Acquire(ctx); err != nil {
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
		client := fake.NewClientset(workload("a", "x", nil))
		var outage atomic.Bool
		outage.Store(true)
		client.PrependReactor("list", "workloads", func(clienttesting.Action) (bool, runtime.Object, error) {
			return outage.Load(), nil, apierrors.NewInternalError(errors.New("etcd is away"))
		})
		ctx, factory := newFactory(t, quiet())
		workloads := informer.For(factory, workloadSource(client))
		factory.StartWithContext(ctx)
		deadline, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		err := factory.WaitForSync(deadline)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.EqualError(t, err, "waiting for workloads.fleet.example.com (*v1.Workload): context deadline exceeded\n"+
			"workloads.fleet.example.com: Internal error occurred: etcd is away")
		outage.Store(false)
		require.NoError(t, factory.WaitForSync(ctx))
		assert.Empty(t, factory.Errors())
		assert.Equal(t, []string{"a/x"}, names(workloads))
	})
}

func TestWaitForSyncNeedsInformers(t *testing.T) {
	ctx, factory := newFactory(t)
	factory.StartWithContext(ctx)
	assert.ErrorContains(t, factory.WaitForSync(ctx), "no informer was requested")
	informer.For(factory, workloadSource(fake.NewClientset()))
	assert.ErrorContains(t, factory.WaitForSync(ctx), "not started: workloads.fleet.example.com (*v1.Workload); call Start after requesting informers")
	factory.Start(ctx.Done())
	assert.NoError(t, factory.WaitForSync(ctx))
}

func TestErrorsOfTransforms(t *testing.T) {
	client := fake.NewClientset(workload("a", "x", nil))
	ctx, factory := newFactory(t, quiet(), informer.WithTransform(func(any) (any, error) { return nil, errors.New("no") }))
	workloads := informer.For(factory, workloadSource(client))
	factory.StartWithContext(ctx)
	require.Eventually(t, func() bool { return len(workloads.Errors()) > 0 }, deadline, time.Millisecond)
	assert.EqualError(t, workloads.Errors()[0], "workloads.fleet.example.com: unable to sync list result: workloads.fleet.example.com a/x: transform: no")
}

func TestForeignInformers(t *testing.T) {
	client := fake.NewClientset(workload("a", "x", nil), region("north"))
	listWatch := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return client.FleetV1().Workloads("a").List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return client.FleetV1().Workloads("a").Watch(ctx, options)
		},
	}
	ctx, factory := newFactory(t, informer.WithResync(time.Minute), informer.ForKind[*fleetv1.Workload](informer.WithResync(time.Hour)))
	var mine cache.SharedIndexInformer
	made := factory.InformerFor(&fleetv1.Workload{}, func(resync time.Duration) cache.SharedIndexInformer {
		assert.Equal(t, time.Hour, resync)
		mine = cache.NewSharedIndexInformer(cache.ToListWatcherWithWatchListSemantics(listWatch, client), &fleetv1.Workload{}, 0, cache.Indexers{})
		return mine
	})
	assert.Same(t, mine, made)
	assert.Same(t, mine, factory.InformerFor(&fleetv1.Workload{}, nil))
	regions := informer.For(factory, regionSource(client))
	assert.Same(t, regions.Shared(), factory.InformerFor(&fleetv1.Region{}, nil))
	assert.ErrorContains(t, factory.WaitForSync(ctx), "not started: *v1.Workload, regions.fleet.example.com (*v1.Region)")
	start(ctx, t, factory)
	assert.True(t, mine.HasSynced())
	assert.Len(t, factory.Describe(), 1)
	assert.Empty(t, factory.Errors())
	require.NoError(t, factory.SetNamespaces(ctx, "b"))
}

// failures replaces a *testing.T and records its failures.
type failures struct{ messages []string }

func (f *failures) Errorf(format string, args ...any) {
	f.messages = append(f.messages, fmt.Sprintf(format, args...))
}

func TestMutationDetectorOfFactory(t *testing.T) {
	told := &failures{}
	client := fake.NewClientset(workload("a", "x", nil))
	ctx, factory := newFactory(t, informer.WithMutationDetector(told))
	registration, err := informer.For(factory, workloadSource(client)).AddHandler(informer.HandlerFuncs[*fleetv1.Workload]{
		Added: func(object *fleetv1.Workload, _ bool) { object.Spec.RegionName = "changed" },
	})
	require.NoError(t, err)
	factory.StartWithContext(ctx)
	cache.WaitFor(ctx, "", registration.HasSyncedChecker())
	factory.Shutdown()
	assert.Equal(t, []string{`workloads.fleet.example.com a/x in the cache was changed by handler informer.HandlerFuncs[` +
		`*github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1.Workload]: ` +
		`.Spec.RegionName: "changed", was "north"; call DeepCopy before changing it`}, told.messages)
}
