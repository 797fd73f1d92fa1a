package controller

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

var errOutage = errors.New("the API server is away")

// leader lets a controller lead in one term after the other.
type leader struct {
	begins, left chan struct{}
	end          context.CancelCauseFunc
}

func newLeader() *leader { return &leader{begins: make(chan struct{}), left: make(chan struct{}, 1)} }

func (l *leader) lead(ctx context.Context) (context.Context, func(), error) {
	select {
	case <-l.begins:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	term, end := context.WithCancelCause(context.WithoutCancel(ctx))
	l.end = end
	return term, func() { l.left <- struct{}{} }, nil
}

// TestControllerLeadsAgain ends a term while a reconcile is in flight, one is queued, and one has failed. The next term begins with all
// objects, and with what nobody has labeled meanwhile, but without a list.
func TestControllerLeadsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, slow, causes := newLeader(), true, make(chan error, 1)
		s := &steps{}
		s.reconcile = func(ctx context.Context, object *fleetv1.Workload) (Result, error) {
			switch {
			case object.Name == "broken":
				return Result{}, errors.New("broken")
			case !slow:
				return Result{RequeueAfter: time.Hour}, nil
			}
			<-ctx.Done()
			causes <- context.Cause(ctx)
			time.Sleep(time.Second) // it cleans up
			return Result{}, context.Cause(ctx)
		}
		r := newRig(t, s, []Option{WithLeadership(l.lead), WithWorkers(1)}, held("broken")).run(t)
		assert.False(t, r.controller.Describe().Elected)
		l.begins <- struct{}{}
		assert.Equal(t, []string{"reconcile broken"}, r.take()[:1])
		assert.True(t, r.controller.Describe().Elected)
		r.create(t, held("db"))
		r.create(t, held("web"))
		synctest.Wait()
		r.take()

		l.end(errOutage)
		idle(500 * time.Millisecond)
		require.ErrorIs(t, <-causes, errOutage)
		assert.Empty(t, l.left, "a reconcile is in flight")
		idle(time.Second)
		<-l.left
		status := r.controller.Describe()
		assert.True(t, status.Synced)
		assert.False(t, status.Elected || status.Running)
		assert.Zero(t, status.Failing.Total+status.Urgent+status.Low)
		r.delete(t, held("db"))
		idle(time.Hour)
		assert.Empty(t, r.take())

		slow = false
		r.client.ClearActions()
		l.begins <- struct{}{}
		assert.Subset(t, r.take(), []string{"reconcile broken", "reconcile web"})
		require.Len(t, r.client.Actions(), 1, "only what has no label is listed")
		assert.Equal(t, ObjectIdle, r.controller.DescribeObject(cache.NewObjectName("shop", "web")).State)
		require.NoError(t, r.end())
		<-l.left
	})
}

// TestControllerRemembersItsWrites has a term end after a write that the caches lack, also of its own annotation in the lease. The same
// process leads next, and does not write again.
func TestControllerRemembersItsWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, l := informertest.NewServer(), newLeader()
		r := newChildless(t, server, WithLeadership(l.lead), WithHandover(handover.New())).run(t)
		release := server.Hold("")
		l.begins <- struct{}{}
		assert.Equal(t, []string{"reconcile web"}, r.take())
		l.end(errOutage)
		<-l.left
		l.begins <- struct{}{}
		idle(2 * time.Second)
		assert.Empty(t, r.take(), "it waits")
		release()
		idle(2 * time.Second)
		assert.Equal(t, []string{"reconcile web"}, r.take())
		list, err := server.ConfigMaps("shop").List(t.Context(), metav1.ListOptions{})
		require.NoError(t, err)
		assert.Len(t, list.Items, 1)
		require.NoError(t, r.end())
	})
}

// TestControllerEndsAfterATerm ends a controller that stands by for the second time.
func TestControllerEndsAfterATerm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLeader()
		r := newRig(t, &steps{}, []Option{WithLeadership(l.lead)}, held("web")).run(t)
		l.begins <- struct{}{}
		assert.Equal(t, []string{"reconcile web"}, r.take())
		l.end(errOutage)
		<-l.left
		require.NoError(t, r.end())
		assert.Empty(t, r.take())
	})
}
