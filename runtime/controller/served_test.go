package controller

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// unserved makes a clientset answer as a server that does not serve some resources of the group yet.
func unserved(r *rig, resources ...string) (served *atomic.Bool) {
	served = &atomic.Bool{}
	missing := apierrors.NewNotFound(fleetv1.Resource("any"), "")
	for _, resource := range resources {
		r.client.PrependReactor("list", resource, func(clienttesting.Action) (bool, runtime.Object, error) {
			return !served.Load(), nil, missing
		})
		r.client.PrependWatchReactor(resource, func(clienttesting.Action) (bool, watch.Interface, error) {
			return !served.Load(), nil, missing
		})
	}
	r.client.PrependReactor("get", "resource", func(clienttesting.Action) (bool, runtime.Object, error) {
		return !served.Load(), nil, missing
	})
	r.client.Resources = []*metav1.APIResourceList{{
		GroupVersion: "fleet.example.com/v1",
		APIResources: []metav1.APIResource{{Name: "regions"}, {Name: "workloads"}, {Name: "workloadrevisions"}},
	}}
	return served
}

// quietly drops errors of lists and watches: client-go's handler sleeps by a clock of the process.
var quietly = WithInformers(informer.WithWatchErrorHandler(func(context.Context, *cache.Reflector, error) {}))

// TestReferredKindThatComesLater runs a controller while the kind that its objects refer to is not served.
func TestReferredKindThatComesLater(t *testing.T) {
	for _, mode := range []WatchMode{Cached, Metadata, Named} {
		synctest.Test(t, func(t *testing.T) {
			s := &steps{}
			r := newRig(t, s, []Option{quietly, WithReferred[*fleetv1.Region](informer.WhenServed())}, held("web"))
			served := unserved(r, "regions")
			regions, err := Refer(r.controller.Controller, regionSource(r.client), mode, func(w *fleetv1.Workload) []cache.ObjectName {
				return []cache.ObjectName{{Name: w.Spec.RegionName}}
			})
			require.NoError(t, err)
			var got *fleetv1.Region
			var waits error
			s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
				got, waits = regions.One(ctx, object)
				return Result{}, waits
			}
			r.run(t)
			idle(20 * time.Second)
			assert.True(t, r.controller.HasSynced(), "nothing is waited for")
			require.EqualError(t, waits, "waiting for Region north, which the API server does not serve")
			if mode != Named {
				assert.Equal(t, []string{"regions.fleet.example.com"}, r.controller.Unserved())
			}
			require.NoError(t, r.client.Tracker().Add(&fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}))
			served.Store(true)
			idle(20 * time.Second)
			require.NoError(t, waits)
			assert.Equal(t, "north", got.Name)
			assert.Empty(t, r.controller.Unserved())
			require.NoError(t, r.end())
		})
	}
}

// TestReconciledKindThatComesLater runs a controller before its own kind is served, and the kind that it owns.
func TestReconciledKindThatComesLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		options := []Option{quietly, WithReconciled(informer.WhenServed()), WithOwned[*fleetv1.WorkloadRevision](informer.WhenServed())}
		r := newRig(t, &steps{}, options, held("web"))
		served := unserved(r, "workloads", "workloadrevisions")
		r.run(t)
		idle(20 * time.Second)
		assert.True(t, r.controller.HasSynced())
		assert.Equal(t, []string{"workloads.fleet.example.com", "workloadrevisions.fleet.example.com"}, r.controller.Unserved())
		assert.Empty(t, r.take())
		served.Store(true)
		idle(20 * time.Second)
		assert.Equal(t, []string{"reconcile web"}, r.take())
		assert.Empty(t, r.controller.Unserved())
		require.NoError(t, r.end())
	})
}
