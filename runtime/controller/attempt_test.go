package controller

import (
	"context"
	"regexp"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	klog "k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// TestControllerLogs has all lines of one reconcile say which reconcile it is, those of the reconciler among them.
func TestControllerLogs(t *testing.T) {
	s := &steps{reconcile: func(ctx context.Context, _ *fleetv1.Workload) (Result, error) {
		klog.FromContext(ctx).Info("Hello", "from", "the reconciler")
		return Result{}, nil
	}}
	synctest.Test(t, func(t *testing.T) {
		logger := ktesting.NewLogger(t, ktesting.NewConfig(ktesting.BufferLogs(true), ktesting.Verbosity(4)))
		r := newRig(t, s, nil, held("web"))
		r.context = klog.NewContext(t.Context(), logger)
		r.run(t)
		r.controller.Enqueue(web)
		assert.Len(t, r.take(), 2)
		require.NoError(t, r.end())
		lines := regexp.MustCompile(`(Reconciling|Hello|Reconciled) controller="workloads.fleet.example.com" object="shop/web" reconcileID="([0-9a-f]{16})"`)
		ids := map[string][]string{}
		for _, line := range lines.FindAllStringSubmatch(logger.GetSink().(ktesting.Underlier).GetBuffer().String(), -1) {
			ids[line[2]] = append(ids[line[2]], line[1])
		}
		assert.Len(t, ids, 2)
		for id, messages := range ids {
			assert.Equal(t, []string{"Reconciling", "Hello", "Reconciled"}, messages, id)
		}
	})
}
