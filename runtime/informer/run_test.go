package informer_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

func TestStopAndStartAgain(t *testing.T) {
	client := fake.NewClientset(workload("a", "x", nil), region("north"))
	ctx, factory := newFactory(t)
	workloads, regions := informer.For(factory, workloadSource(client)), informer.For(factory, regionSource(client))
	events, others := record(t, workloads), record(t, regions)
	require.NoError(t, workloads.Stop(ctx), "it does not run")
	first, end := context.WithCancel(ctx)
	start(first, t, factory)
	assert.Equal(t, "initial x", <-events)
	assert.Equal(t, "initial north", <-others)

	require.NoError(t, workloads.Stop(ctx))
	assert.True(t, workloads.Shared().IsStopped())
	create(t, client, workload("a", "y", nil))
	_, err := client.FleetV1().Regions().Create(ctx, region("south"), metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "add south", <-others, "the others go on")
	assert.Equal(t, []string{"a/x"}, names(workloads))
	start(first, t, factory)
	assert.Equal(t, []string{"a/x", "a/y"}, names(workloads))
	for event := range events {
		if event == "add y" {
			break
		}
		assert.Equal(t, "update x", event)
	}

	end() // of the first context: all stop
	_, err = client.FleetV1().Regions().Create(ctx, region("east"), metav1.CreateOptions{})
	require.NoError(t, err)
	start(ctx, t, factory)
	for event := range others {
		if event == "add east" {
			break
		}
	}
}

// TestStopWaitsForHandlers stops an informer whose handler does not return.
func TestStopWaitsForHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewClientset(workload("a", "x", nil))
		ctx, factory := newFactory(t)
		workloads := informer.For(factory, workloadSource(client))
		block := make(chan struct{})
		_, err := workloads.AddHandler(informer.HandlerFuncs[*fleetv1.Workload]{Added: func(*fleetv1.Workload, bool) { <-block }})
		require.NoError(t, err)
		start(ctx, t, factory)
		synctest.Wait()
		soon, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		err = workloads.Stop(soon)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, "waiting for the handlers of workloads.fleet.example.com (*v1.Workload) to return")
		close(block)
		require.NoError(t, workloads.Stop(ctx))
	})
}

func TestAcquireAndRelease(t *testing.T) {
	client := fake.NewClientset(workload("a", "x", nil))
	ctx, factory := newFactory(t)
	workloads := informer.For(factory, workloadSource(client))
	before := goleak.IgnoreCurrent()
	for range 3 {
		first, err := workloads.Acquire(ctx)
		require.NoError(t, err)
		second, err := workloads.Acquire(ctx)
		require.NoError(t, err)
		require.NoError(t, factory.WaitForSync(ctx))
		first()
		first()
		assert.False(t, workloads.Shared().IsStopped(), "one still holds it")
		second()
		require.NoError(t, workloads.Stop(ctx))
		assert.True(t, workloads.Shared().IsStopped())
		goleak.VerifyNone(t, before)
	}
	_, err := workloads.Acquire(ctx)
	require.NoError(t, err)
	factory.Shutdown()
	goleak.VerifyNone(t, before)
	_, err = workloads.Acquire(ctx)
	assert.ErrorContains(t, err, "shut down")
	assert.ErrorContains(t, workloads.StartWhenServed(ctx), "shut down")
	factory.StartWithContext(ctx) // does nothing
	assert.True(t, workloads.Shared().IsStopped())
}

func TestReleaseLeavesStartedInformers(t *testing.T) {
	client := fake.NewClientset(workload("a", "x", nil))
	ctx, factory := newFactory(t)
	workloads := informer.For(factory, workloadSource(client))
	release, err := workloads.Acquire(ctx)
	require.NoError(t, err)
	started, end := context.WithCancel(ctx)
	start(started, t, factory)
	release()
	events := record(t, workloads)
	assert.Equal(t, "initial x", <-events)
	create(t, client, workload("a", "y", nil))
	assert.Equal(t, "add y", <-events, "it goes on")
	end()
	require.Eventually(t, workloads.Shared().IsStopped, deadline, time.Millisecond)
}

// customResource is a server that serves workloads at times.
type customResource struct {
	*fake.Clientset

	served  atomic.Bool
	watches chan *watch.RaceFreeFakeWatcher
}

func newCustomResource() *customResource {
	c := &customResource{Clientset: fake.NewClientset(workload("a", "x", nil), region("north")), watches: make(chan *watch.RaceFreeFakeWatcher, 10)}
	unknown := apierrors.NewNotFound(fleetv1.Resource("workloads"), "")
	refused := func(clienttesting.Action) (bool, runtime.Object, error) { return !c.served.Load(), nil, unknown }
	c.PrependReactor("get", "resource", refused)
	c.PrependReactor("list", "workloads", refused)
	c.Resources = []*metav1.APIResourceList{{GroupVersion: "fleet.example.com/v1", APIResources: []metav1.APIResource{{Name: "regions"}, {Name: "workloads"}}}}
	c.PrependWatchReactor("workloads", func(clienttesting.Action) (bool, watch.Interface, error) {
		if !c.served.Load() {
			return true, nil, unknown
		}
		opened := watch.NewRaceFreeFake()
		c.watches <- opened
		return true, opened, nil
	})
	return c
}

func TestStartWhenServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newCustomResource()
		ctx, factory := newFactory(t, quiet())
		workloads := informer.For(factory, workloadSource(client))
		events := record(t, workloads)
		require.NoError(t, workloads.StartWhenServed(ctx))
		require.ErrorContains(t, workloads.StartWhenServed(ctx), "already running: call StartWhenServed before Start")
		informer.For(factory, regionSource(client))
		start(ctx, t, factory) // what is not served is not waited for
		assert.True(t, workloads.Describe().Unserved)
		assert.Contains(t, factory.Describe().String(), "not served")

		for n := range 2 {
			client.served.Store(true)
			assert.Equal(t, []string{"initial x", "add x"}[n], <-events)
			require.NoError(t, factory.WaitForSync(ctx))
			assert.True(t, workloads.HasSynced())
			assert.False(t, workloads.Describe().Unserved)
			synctest.Wait() // until the watch is open

			client.served.Store(false)
			(<-client.watches).Stop()
			assert.Equal(t, "delete x", <-events)
			synctest.Wait()
			assert.Empty(t, names(workloads))
			before := len(client.Actions())
			time.Sleep(time.Minute)
			for _, action := range client.Actions()[before:] {
				assert.Equal(t, "get", action.GetVerb(), "discovery alone")
			}
		}
	})
}

// TestStartWhenServedSurvivesOutages has a server whose discovery fails for a while.
func TestStartWhenServedSurvivesOutages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newCustomResource()
		client.served.Store(true)
		var mended atomic.Bool
		client.PrependReactor("get", "resource", func(clienttesting.Action) (bool, runtime.Object, error) {
			return !mended.Load(), nil, errors.New("no")
		})
		ctx, factory := newFactory(t, quiet())
		workloads := informer.For(factory, workloadSource(client))
		running, end := context.WithCancel(ctx)
		require.NoError(t, workloads.StartWhenServed(running))
		time.Sleep(20 * time.Second)
		assert.True(t, workloads.Describe().Unserved)
		mended.Store(true)
		time.Sleep(20 * time.Second)
		require.NoError(t, factory.WaitForSync(ctx))
		end()
		require.NoError(t, workloads.Stop(ctx))
		assert.False(t, workloads.Describe().Running)
		start(ctx, t, factory) // and can be started like any other
	})
}

func TestDescribe(t *testing.T) {
	client := fake.NewClientset(workload("a", "x", nil), workload("b", "x", nil))
	ctx, factory := newFactory(t, informer.WithNamespaces("b", "a"))
	workloads := informer.For(factory, workloadSource(client))
	record(t, workloads)
	assert.Contains(t, factory.Describe().String(), "stopped")
	start(ctx, t, factory)
	require.Eventually(t, func() bool { return workloads.Describe().Watches == 2 && workloads.Describe().Pending == 0 }, deadline, time.Millisecond)
	status := factory.Describe()[0]
	assert.Equal(t, "workloads.fleet.example.com", status.Resource)
	assert.Equal(t, "v1", status.Version)
	assert.Equal(t, []string{"a", "b"}, status.Namespaces)
	assert.Equal(t, 2, status.Objects)
	assert.Positive(t, status.Bytes)
	assert.Equal(t, 1, status.Handlers)
	assert.True(t, status.Synced && status.Running)
	lines := strings.Split(strings.TrimSpace(factory.Describe().String()), "\n")
	require.Len(t, lines, 2)
	assert.Regexp(t, `^workloads.fleet.example.com  v1 +a,b +2 +\d+ +1 +synced `, lines[1])
	text, err := json.Marshal(factory.Describe())
	require.NoError(t, err)
	assert.Contains(t, string(text), `"resource":"workloads.fleet.example.com","version":"v1","namespaces":["a","b"]`)
}

func TestSetNamespaces(t *testing.T) {
	client := fake.NewClientset(workload("a", "x", nil), workload("b", "x", nil), workload("c", "x", nil), region("north"))
	ctx, factory := newFactory(t, informer.WithNamespaces("a", "b"))
	workloads, regions := informer.For(factory, workloadSource(client)), informer.For(factory, regionSource(client))
	start(ctx, t, factory)
	assert.Equal(t, []string{"a/x", "b/x"}, names(workloads))
	assert.Equal(t, []string{"north"}, names(regions), "a kind without namespaces is watched as a whole")

	require.NoError(t, factory.SetNamespaces(ctx, "c"))
	assert.Equal(t, []string{"c/x"}, names(workloads))
	for _, action := range client.Actions() {
		assert.True(t, action.GetResource().Resource == "regions" || action.GetNamespace() != "", "least privilege: %v", action)
	}
	revisions := informer.For(factory, informer.Namespaced(client, fleetv1.SchemeGroupVersion.WithResource("workloadrevisions"), client.FleetV1().WorkloadRevisions))
	own := informer.For(factory, configMapSource(kubefake.NewClientset()), informer.WithNamespaces("own"))
	assert.Equal(t, []string{"c"}, revisions.Namespaces(), "later informers follow")
	require.ErrorContains(t, factory.SetNamespaces(ctx), "no namespace")
	require.NoError(t, factory.SetNamespaces(ctx, metav1.NamespaceAll))
	assert.Equal(t, []string{"own"}, own.Namespaces())
}

// TestSetNamespacesIsAllOrNothing has one informer that cannot follow the others.
func TestSetNamespacesIsAllOrNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewClientset(workload("a", "x", nil), workload("b", "x", nil))
		refuse(&client.Fake, "workloadrevisions", "b", forbidden("workloadrevisions"))
		ctx, factory := newFactory(t, informer.WithNamespaces("a"), quiet())
		workloads := informer.For(factory, workloadSource(client))
		revisions := informer.For(factory, informer.Namespaced(client, fleetv1.SchemeGroupVersion.WithResource("workloadrevisions"), client.FleetV1().WorkloadRevisions))
		start(ctx, t, factory)
		soon, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		err := factory.SetNamespaces(soon, "b")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, `waiting for workloadrevisions.fleet.example.com in namespace "b": context deadline exceeded`)
		assert.ErrorContains(t, err, `workloadrevisions.fleet.example.com in namespace "b": forbidden: User "x" cannot list`)
		for _, namespaces := range [][]string{workloads.Namespaces(), revisions.Namespaces()} {
			assert.Equal(t, []string{"a"}, namespaces)
		}
		synctest.Wait()
		assert.Equal(t, []string{"a/x"}, names(workloads))
	})
}

// TestSetNamespacesWhileInformersAreMade is for the race detector. Whatever comes first, all informers end up in the last
// namespace.
func TestSetNamespacesWhileInformersAreMade(t *testing.T) {
	client := fake.NewClientset(workload("a", "x", nil), workload("b", "x", nil))
	ctx, factory := newFactory(t, informer.WithNamespaces("a"))
	made := make(chan struct{})
	go func() {
		defer close(made)
		informer.For(factory, workloadSource(client))
		informer.For(factory, informer.Namespaced(client, fleetv1.SchemeGroupVersion.WithResource("workloadrevisions"), client.FleetV1().WorkloadRevisions))
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
	assert.Equal(t, []string{"b/x"}, names(informer.For(factory, workloadSource(client))))
}
