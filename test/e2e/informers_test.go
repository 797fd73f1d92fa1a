package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	fleetv1informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions/fleet/v1"
)

// view is what handlers saw of workloads: the events in order, and the resulting objects if no event was lost.
type view struct {
	mu      sync.Mutex
	events  []string
	objects map[string]string // resourceVersion by key
}

// watch adds typed handlers to an informer.
func (v *view) watch(t *testing.T, informer fleetv1informers.WorkloadIndexInformer) cache.ResourceEventHandlerRegistration {
	t.Helper()
	v.objects = map[string]string{}
	registration, err := informer.AddTypedEventHandler(fleetv1informers.WorkloadHandlerFuncs{
		AddFunc: func(added *fleetv1.Workload) { v.note("add", added) },
		UpdateFunc: func(before, after *fleetv1.Workload) {
			if before.ResourceVersion != after.ResourceVersion { // not just listed again
				v.note("update", after)
			}
		},
		DeleteFunc: func(deleted fleetv1informers.DeletedWorkload) {
			v.mu.Lock()
			defer v.mu.Unlock()
			event := "delete " + deleted.GetKey()
			if deleted.FinalStateUnknown != nil {
				event += " (missed)"
			}
			v.events = append(v.events, event)
			delete(v.objects, deleted.GetKey())
		},
	})
	require.NoError(t, err)
	return registration
}

func (v *view) note(what string, workload *fleetv1.Workload) {
	v.mu.Lock()
	defer v.mu.Unlock()
	key := cache.MetaObjectToName(workload).String()
	v.events = append(v.events, what+" "+key)
	v.objects[key] = workload.ResourceVersion
}

// take returns the events since the last call, once there are as many as wanted.
func (v *view) take(t *testing.T, want int) []string {
	t.Helper()
	eventually(t, func() bool {
		v.mu.Lock()
		defer v.mu.Unlock()
		return len(v.events) >= want
	}, "fewer than %d events", want)
	v.mu.Lock()
	defer v.mu.Unlock()
	events := v.events
	v.events = nil
	return events
}

func (v *view) snapshot() map[string]string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return maps.Clone(v.objects)
}

// run starts a factory until the test ends, and waits until its caches and handlers have synced.
func run(t *testing.T, factory informers.SharedInformerFactory, registrations ...cache.ResourceEventHandlerRegistration) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		factory.Shutdown()
	})
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForCacheSyncWithContext(within(t)).Err)
	for _, registration := range registrations {
		require.True(t, cache.WaitFor(within(t), "", registration.HasSyncedChecker()))
	}
}

// stored returns the objects on the server: resourceVersion by key.
func stored(ctx context.Context, client versioned.Interface) (map[string]string, error) {
	list, err := client.FleetV1().Workloads("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	objects := map[string]string{}
	for _, item := range list.Items {
		objects[cache.MetaObjectToName(&item).String()] = item.ResourceVersion
	}
	return objects, nil
}

// converges waits until the informer's store and its handlers have the objects of the server.
func converges(t *testing.T, client versioned.Interface, lister interface {
	List(selector labels.Selector) ([]*fleetv1.Workload, error)
}, seen *view) {
	t.Helper()
	want, err := stored(t.Context(), client)
	require.NoError(t, err)
	eventually(t, func() bool {
		cached, err := lister.List(labels.Everything())
		if err != nil {
			return false
		}
		got := map[string]string{}
		for _, workload := range cached {
			got[cache.MetaObjectToName(workload).String()] = workload.ResourceVersion
		}
		return maps.Equal(want, got) && maps.Equal(want, seen.snapshot())
	}, "store, handlers and server disagree")
}

// TestSharedFactory uses one factory for two groups, and checks that handlers see everything that happens to an object.
func TestSharedFactory(t *testing.T) {
	c := start(t, apiservertest.Options{})
	_, err := c.client.EdgeNetworkV1alpha1().Tunnels(namespace).Create(t.Context(), tunnel("t"), metav1.CreateOptions{})
	require.NoError(t, err)
	factory := informers.NewSharedInformerFactory(c.client, 0)
	workloads := factory.Fleet().V1().Workloads()
	tunnels := factory.EdgeNetwork().V1alpha1().Tunnels()
	tunnels.Informer()
	var seen view
	run(t, factory, seen.watch(t, workloads.TypedInformer()))
	got, err := tunnels.Lister().Tunnels(namespace).Get("t")
	require.NoError(t, err)
	assert.Equal(t, "192.0.2.1", got.Spec.Peer)

	client := c.client.FleetV1().Workloads(namespace)
	created, err := client.Create(t.Context(), workload("web"), metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"add shop/web"}, seen.take(t, 1))
	listed, err := workloads.Lister().InRegion("north")
	require.NoError(t, err)
	assert.Len(t, listed, 1)

	created.Spec.Paused = true
	_, err = client.Update(t.Context(), created, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.NoError(t, client.Delete(t.Context(), "web", metav1.DeleteOptions{}))
	assert.Equal(t, []string{"update shop/web", "delete shop/web"}, seen.take(t, 2))
	_, err = workloads.Lister().Workloads(namespace).Get("web")
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
}

// TestFilteredFactories checks that each factory sees only its own objects.
func TestFilteredFactories(t *testing.T) {
	c := start(t, apiservertest.Options{})
	byLabel := informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = "tier=web" })
	filtered := map[string]struct {
		options []informers.SharedInformerOption
		want    []string
		seen    *view
	}{
		"namespace": {[]informers.SharedInformerOption{informers.WithNamespace("a")}, []string{"a/last", "a/plain", "a/web"}, &view{}},
		"label":     {[]informers.SharedInformerOption{byLabel}, []string{"a/last", "a/web", "b/last", "b/web"}, &view{}},
		"both":      {[]informers.SharedInformerOption{informers.WithNamespace("b"), byLabel}, []string{"b/last", "b/web"}, &view{}},
		"neither":   {nil, []string{"a/last", "a/plain", "a/web", "b/last", "b/plain", "b/web"}, &view{}},
	}
	for _, f := range filtered {
		factory := informers.NewSharedInformerFactoryWithOptions(c.client, 0, f.options...)
		run(t, factory, f.seen.watch(t, factory.Fleet().V1().Workloads().TypedInformer()))
	}
	// Each has an object named last. Events are in order, so unwanted objects would come before it.
	for _, name := range []string{"plain", "web", "last"} {
		for _, ns := range []string{"a", "b"} {
			sample := workload(name)
			sample.Namespace = ns
			if name != "plain" {
				sample.Labels = map[string]string{"tier": "web"}
			}
			_, err := c.client.FleetV1().Workloads(ns).Create(t.Context(), sample, metav1.CreateOptions{})
			require.NoError(t, err)
		}
	}
	for name, f := range filtered {
		t.Run(name, func(t *testing.T) {
			f.seen.take(t, len(f.want))
			assert.Equal(t, f.want, slices.Sorted(maps.Keys(f.seen.snapshot())))
		})
	}
	// An object that loses its label is gone for informers that select by it, and only for them.
	unlabel := []byte(`{"metadata":{"labels":null}}`)
	_, err := c.client.FleetV1().Workloads("b").Patch(t.Context(), "web", types.MergePatchType, unlabel, metav1.PatchOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"delete b/web"}, filtered["label"].seen.take(t, 1))
	assert.Equal(t, []string{"delete b/web"}, filtered["both"].seen.take(t, 1))
	assert.Equal(t, []string{"update b/web"}, filtered["neither"].seen.take(t, 1))
}

// change makes a deterministic sequence of changes: of nine objects, every third is changed, and another third is deleted.
func change(t *testing.T, client versioned.Interface, prefix string) {
	t.Helper()
	workloads := client.FleetV1().Workloads(namespace)
	for i := range 9 {
		created, err := workloads.Create(t.Context(), workload(fmt.Sprintf("%s-%d", prefix, i)), metav1.CreateOptions{})
		require.NoError(t, err)
		switch i % 3 {
		case 1:
			created.Spec.Paused = true
			_, err = workloads.Update(t.Context(), created, metav1.UpdateOptions{})
		case 2:
			err = workloads.Delete(t.Context(), created.Name, metav1.DeleteOptions{})
		}
		require.NoError(t, err)
	}
}
