package controller

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// longest has the function of LongestRunning.
type longest struct {
	NoMetrics
	running func() time.Duration
}

func (l *longest) LongestRunning(_ string, running func() time.Duration) { l.running = running }

func TestLongestRunning(t *testing.T) {
	metrics := &longest{}
	s := &steps{reconcile: func(_ context.Context, object *fleetv1.Workload) (Result, error) {
		if object.Name == "web" {
			time.Sleep(5 * time.Second)
		}
		time.Sleep(5 * time.Second)
		return Result{}, nil
	}}
	bubble(t, s, []Option{WithMetrics(metrics), WithName("fleet")}, func(t *testing.T, r *rig) {
		assert.Equal(t, "fleet", r.controller.Name())
		for _, want := range []time.Duration{0, 4 * time.Second, 8 * time.Second, 0} {
			assert.Equal(t, want, metrics.running())
			assert.Equal(t, want, r.controller.LongestRunning())
			idle(4 * time.Second)
		}
	}, held("web"), held("db"))
}

func TestDescribeIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		elected := make(chan struct{}) // in the bubble, which otherwise never is idle
		r := newRig(t, &steps{}, []Option{WithElected(elected), WithWorkers(3)}, held("web")).run(t)
		status := r.controller.Describe()
		assert.True(t, status.Synced)
		assert.False(t, status.Elected)
		assert.False(t, status.Running)
		close(elected)
		idle(0)
		status = r.controller.Describe()
		assert.True(t, status.Elected)
		assert.True(t, status.Running)
		assert.Equal(t, []any{"workloads.fleet.example.com", "fleet.example.com/v1", "Workload", "workloads.fleet.example.com", 3, 0},
			[]any{status.Name, status.APIVersion, status.Kind, status.Resource, status.Workers, status.Busy})
		require.NoError(t, r.end())
		assert.False(t, r.controller.Describe().Running)

		web := r.controller.DescribeObject(cache.NewObjectName("shop", "web"))
		assert.True(t, web.Cached)
		assert.Equal(t, ObjectIdle, web.State)
		assert.False(t, r.controller.DescribeObject(cache.NewObjectName("shop", "db")).Cached)
	})
}
