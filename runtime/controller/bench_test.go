package controller

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/queue"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"

	kubefake "k8s.io/client-go/kubernetes/fake"
)

// nothing is a reconciler that finds nothing to do.
type nothing struct{}

func (nothing) Reconcile(context.Context, *fleetv1.Workload) (Result, error) { return Result{}, nil }
func (nothing) ReconcileDeleted(context.Context, cache.ObjectName) error     { return nil }
func (nothing) Finalize(context.Context, *fleetv1.Workload) error            { return nil }

// BenchmarkReconcile takes an item from the queue and reconciles it without changes.
func BenchmarkReconcile(b *testing.B) {
	client := fake.NewSimpleClientset()
	require.NoError(b, client.Tracker().Add(held("web")))
	c, err := newWorkloadController(client, kubefake.NewSimpleClientset(), nothing{})
	require.NoError(b, err)
	require.NoError(b, c.withCaches(b.Context(), func(ctx context.Context) error {
		q := queue.New(c.settings.queueConfig(klog.Background(), c.progress))
		defer q.ShutDown()
		c.queue.Store(q)
		b.ReportAllocs()
		for b.Loop() {
			c.Enqueue(web)
			it, _ := q.Take()
			again := c.process(ctx, q, it)
			require.False(b, again)
			q.Finish(it, again)
		}
		return nil
	}))
}
