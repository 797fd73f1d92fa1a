package tests

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
)

// deadline ends tests that hang. Passing tests need far less.
const deadline = 2 * time.Minute

// workload returns a small, complete workload.
func workload(namespace, name string, labels map[string]string) *fleetv1.Workload {
	return &fleetv1.Workload{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels},
		Spec: fleetv1.WorkloadSpec{
			RegionName: "north",
			Template:   fleetv1.WorkloadTemplate{Image: "registry.example.com/" + name + ":1"},
		},
	}
}

// region returns a small, complete region.
func region(name string) *fleetv1.Region {
	return &fleetv1.Region{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       fleetv1.RegionSpec{Country: "NO", Endpoint: "https://" + name + ".example.com"},
	}
}

// chassis returns a small, complete chassis.
func chassis(name string) *fleetv1.Chassis {
	return &fleetv1.Chassis{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       fleetv1.ChassisSpec{RegionName: "north", SerialNumber: "SN-" + name},
	}
}

// sent has the relevant fields of an action that a fake client recorded.
type sent struct {
	Verb, Resource, Subresource, Namespace, Name string
}

// sentBy returns the requests sent through a fake clientset, in order.
func sentBy(client *fake.Clientset) []sent {
	var all []sent
	for _, action := range client.Actions() {
		all = append(all, sent{
			Verb:        action.GetVerb(),
			Resource:    action.GetResource().GroupResource().String() + "/" + action.GetResource().Version,
			Subresource: action.GetSubresource(),
			Namespace:   action.GetNamespace(),
			Name:        nameIn(action),
		})
	}
	return all
}

// nameIn returns the name in an action. Creates and updates have it in their object, unless they address a subresource.
func nameIn(action clienttesting.Action) string {
	switch action := action.(type) {
	case clienttesting.ListActionImpl:
		return action.Name
	case clienttesting.CreateActionImpl:
		if action.Name != "" {
			return action.Name
		}
	case interface{ GetName() string }:
		return action.GetName()
	}
	if update, ok := action.(clienttesting.UpdateAction); ok {
		if object, ok := update.GetObject().(metav1.Object); ok {
			return object.GetName()
		}
	}
	return ""
}

// settle is like start, for a test in a synctest bubble. It also waits until every watch is open, because a late watch of a fake
// clientset does not receive all earlier events.
func settle(t *testing.T, factory informers.SharedInformerFactory) {
	t.Helper()
	start(t, factory)
	synctest.Wait()
}

// start runs a factory's informers until the test ends. It returns when every cache has synced.
func start(t *testing.T, factory informers.SharedInformerFactory) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() {
		cancel()
		factory.Shutdown()
	})
	factory.StartWithContext(ctx)
	result := factory.WaitForCacheSyncWithContext(within(t))
	require.NoError(t, result.AsError())
	require.NotEmpty(t, result.Synced, "no informer was asked for before the start")
}

// run runs a single informer until the test ends. It returns when its cache has synced.
func run(t *testing.T, informer cache.SharedIndexInformer) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	require.True(t, cache.WaitFor(within(t), "", informer.HasSyncedChecker()))
}

// within returns a context that ends a wait which would otherwise hang.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	t.Cleanup(cancel)
	return ctx
}

// next receives from a channel, or fails the test instead of waiting forever.
func next[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-within(t).Done():
		require.FailNow(t, "nothing came in time")
		panic("unreachable")
	}
}

// recorder records the calls of event handlers. It is for tests in a synctest bubble.
type recorder struct {
	lock  sync.Mutex
	lines []string
}

func (r *recorder) note(format string, args ...any) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

// take returns the calls recorded since the last take, once everything in flight has finished.
func (r *recorder) take() []string {
	synctest.Wait()
	r.lock.Lock()
	defer r.lock.Unlock()
	taken := r.lines
	r.lines = nil
	return taken
}

// ignoreResult returns the error of a call.
func ignoreResult[T any](_ T, err error) error { return err }

// answer makes a fake client return an object, whatever it was asked.
func answer(object runtime.Object) clienttesting.ReactionFunc {
	return func(clienttesting.Action) (bool, runtime.Object, error) { return true, object, nil }
}
