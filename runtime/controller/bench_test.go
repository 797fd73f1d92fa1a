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
	c, err := newWorkloadController(fake.NewSimpleClientset(), kubefake.NewSimpleClientset(), nothing{})
	require.NoError(b, err)
	require.NoError(b, c.objects.Indexer().Add(held("web")))
	ctx := klog.NewContext(b.Context(), klog.LoggerWithValues(klog.Background(), "controller", "workloads"))
	q := queue.New(c.settings.queueConfig(klog.Background()))
	defer q.ShutDown()
	b.ReportAllocs()
	for b.Loop() {
		q.Enqueue(queue.Item{Name: web, Urgent: true})
		it, _ := q.Take()
		q.Finish(it, c.process(ctx, q, it))
	}
}
