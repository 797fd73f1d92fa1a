package controllertest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/controllertest"
)

// TestReconcilePaused reconciles a paused object, without a call of the reconciler.
func TestReconcilePaused(t *testing.T) {
	w, object := newWorld(t), workload()
	object.Annotations = map[string]string{"example.com/paused": "true"}
	got := controllertest.Reconcile(w.Env, w.workloads(steps{}, controller.WithPause("example.com/paused")), object)
	require.NoError(t, got.Err)
	assert.Zero(t, got.Result)
	assert.Equal(t, "Paused", got.Object.Status.Conditions[0].Type)
	require.Len(t, got.Writes, 1)
	assert.Equal(t, "update workloads/status shop/web", got.Writes[0].String())
	require.Len(t, got.Events, 1)
	assert.Equal(t, "Normal Paused Reconciliation is paused by the annotation example.com/paused", got.Events[0].String())
}
