package informer_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

func TestHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewClientset(workload("a", "x", nil))
		ctx, factory := newFactory(t)
		workloads := informer.For(factory, workloadSource(client))
		events := record(t, workloads)
		registration, err := workloads.AddHandler(informer.HandlerFuncs[*fleetv1.Workload]{})
		require.NoError(t, err)
		assert.False(t, registration.HasSynced())
		start(ctx, t, factory)
		synctest.Wait()
		assert.True(t, registration.HasSynced())
		assert.Equal(t, "initial x", <-events)

		create(t, client, workload("a", "y", nil))
		assert.Equal(t, "add y", <-events)
		_, err = client.FleetV1().Workloads("a").Update(ctx, workload("a", "y", map[string]string{"k": "v"}), metav1.UpdateOptions{})
		require.NoError(t, err)
		assert.Equal(t, "update y", <-events)
		require.NoError(t, client.FleetV1().Workloads("a").Delete(ctx, "y", metav1.DeleteOptions{}))
		assert.Equal(t, "delete y", <-events)

		late := make(chan string, 10)
		second := time.Second
		registration, err = workloads.AddHandlerWithOptions(informer.HandlerFuncs[*fleetv1.Workload]{
			Added:   func(object *fleetv1.Workload, _ bool) { late <- object.Name },
			Updated: func(_, after *fleetv1.Workload) { late <- "resync of " + after.Name },
		}, cache.HandlerOptions{ResyncPeriod: &second})
		require.NoError(t, err)
		assert.Equal(t, "x", <-late)
		assert.Equal(t, "resync of x", <-late)
		require.NoError(t, workloads.RemoveHandler(registration))
		require.Error(t, workloads.RemoveHandler(nil))
		create(t, client, workload("a", "z", nil))
		assert.Equal(t, "add z", <-events)
		synctest.Wait()
		assert.Empty(t, late)
	})
}

// TestUnseenDeletions has an object that a relist does not have.
func TestUnseenDeletions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer(configMap("a", "x"))
		ctx, factory := newFactory(t, quiet())
		objects := informer.For(factory, informer.Namespaced(server, informertest.Resource, server.ConfigMaps))
		type deletion struct {
			name cache.ObjectName
			last *corev1.ConfigMap
		}
		deletions := make(chan deletion, 1)
		_, err := objects.AddHandler(informer.HandlerFuncs[*corev1.ConfigMap]{Deleted: func(name cache.ObjectName, last *corev1.ConfigMap) {
			deletions <- deletion{name, last}
		}})
		require.NoError(t, err)
		start(ctx, t, factory)
		last, err := objects.Lister().Get("a", "x")
		require.NoError(t, err)
		server.Drop("a", "x")
		server.Expire()
		assert.Equal(t, deletion{cache.NewObjectName("a", "x"), last}, <-deletions)
	})
}

// TestTransformedTypes has a transform function that replaces objects by others.
func TestTransformedTypes(t *testing.T) {
	var told []error
	defer func(before []utilruntime.ErrorHandler) { utilruntime.ErrorHandlers = before }(utilruntime.ErrorHandlers)                             //nolint:reassign // it is a hook
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{func(_ context.Context, err error, _ string, _ ...any) { told = append(told, err) }} //nolint:reassign // it is a hook
	ctx, factory := newFactory(t, informer.WithTransform(func(obj any) (any, error) {
		return &metav1.PartialObjectMetadata{ObjectMeta: obj.(*fleetv1.Workload).ObjectMeta}, nil
	}))
	workloads := informer.For(factory, workloadSource(fake.NewClientset(workload("a", "x", nil))))
	registration, err := workloads.AddHandler(recorder[*fleetv1.Workload]{})
	require.NoError(t, err)
	factory.StartWithContext(ctx)
	cache.WaitFor(ctx, "", registration.HasSyncedChecker())
	factory.Shutdown()
	require.Len(t, told, 1)
	assert.EqualError(t, told[0], "skipped an event: the object is a *v1.PartialObjectMetadata, not a *v1.Workload; does a transform function replace it?")
}
