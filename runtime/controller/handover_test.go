package controller

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// lease is the lease of two controllers.
type lease struct{ kube *kubefake.Clientset }

// write acquires, renews or releases the lease with the client of a record, as the lock of a leader election does.
func (l lease) write(t *testing.T, record *handover.Record, holder string) {
	t.Helper()
	leases := record.Leases(l.kube.CoordinationV1()).Leases("system")
	current, err := leases.Get(t.Context(), "workloads", metav1.GetOptions{})
	if err != nil {
		current = &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: "system", Name: "workloads"}}
		current.Spec.HolderIdentity = &holder
		require.NoError(t, ignoreResult(leases.Create(t.Context(), current, metav1.CreateOptions{})))
		return
	}
	current.Spec.HolderIdentity = &holder
	require.NoError(t, ignoreResult(leases.Update(t.Context(), current, metav1.UpdateOptions{})))
}

// newChildless returns a rig for a workload, whose reconciler creates a child on the server if the cache has none. The child has a new
// name each time.
func newChildless(t *testing.T, server *informertest.Server, options ...Option) *rig {
	t.Helper()
	s := &steps{}
	r := newRig(t, s, options, held("web"))
	children, err := Own(r.controller.Controller, informer.Namespaced(server, informertest.Resource, server.ConfigMaps))
	require.NoError(t, err)
	s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
		owned, err := children.By(object)
		if err != nil || len(owned) > 0 {
			return Result{}, err
		}
		child := informertest.ConfigMap("shop", "child-"+server.Version())
		child.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(object, workloadKind)}
		Wrote(ctx, server.Create(child))
		return Result{}, nil
	}
	return r
}

// TestControllerHandOver has a standby whose watch lags when it is elected.
func TestControllerHandOver(t *testing.T) {
	for name, test := range map[string]struct {
		options  []Option
		record   bool
		lag      time.Duration
		starts   time.Duration
		children int
	}{
		"record":    {nil, true, 2 * time.Second, 2 * time.Second, 1},
		"no record": {nil, false, 2 * time.Second, 0, 2},
		"too late":  {[]Option{WithConsistencyTimeout(10 * time.Second)}, true, time.Hour, 10 * time.Second, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, l := informertest.NewServer(), lease{kubefake.NewSimpleClientset()}
				old, successor := handover.New(), handover.New()
				l.write(t, old, "old")
				leader := newChildless(t, server, WithHandover(old))
				elected := make(chan struct{})
				options := slices.Concat(test.options, []Option{WithElected(elected)})
				if test.record {
					options = append(options, WithHandover(successor))
				}
				standby := newChildless(t, server, options...).run(t)
				release := server.Hold("")
				leader.run(t)
				require.NoError(t, leader.end())
				l.write(t, old, "")

				l.write(t, successor, "successor")
				close(elected)
				time.AfterFunc(test.lag, release)
				if test.starts > 0 {
					idle(test.starts - 100*time.Millisecond)
					assert.Empty(t, standby.take(), "it waits")
				}
				idle(200 * time.Millisecond)
				assert.Contains(t, standby.take(), "reconcile web")
				list, err := server.ConfigMaps("shop").List(t.Context(), metav1.ListOptions{})
				require.NoError(t, err)
				assert.Len(t, list.Items, test.children)
				require.NoError(t, standby.end())
			})
		})
	}
}

// TestControllerEndsBeforeItHasCaughtUp ends a successor that waits for the writes of its predecessor.
func TestControllerEndsBeforeItHasCaughtUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, l := informertest.NewServer(), lease{kubefake.NewSimpleClientset()}
		old, successor := handover.New(), handover.New()
		l.write(t, old, "old")
		leader := newChildless(t, server, WithHandover(old))
		standby := newChildless(t, server, WithHandover(successor))
		leader.run(t)
		require.NoError(t, leader.end())
		l.write(t, old, "")
		l.write(t, successor, "successor")
		server.Restore(0)
		standby.run(t)
		idle(time.Second)
		assert.True(t, standby.controller.HasSynced())
		require.NoError(t, standby.end())
		assert.Empty(t, standby.take())
	})
}
