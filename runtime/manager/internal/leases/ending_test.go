package leases

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
)

// slow is an API server that executes what it gets, and answers a second later.
type slow struct {
	coordinationv1client.LeasesGetter
	coordinationv1client.LeaseInterface
}

func (s slow) Leases(namespace string) coordinationv1client.LeaseInterface {
	return slow{s.LeasesGetter, s.LeasesGetter.Leases(namespace)}
}

func (s slow) Create(ctx context.Context, l *coordinationv1.Lease, o metav1.CreateOptions) (*coordinationv1.Lease, error) {
	created, err := s.LeaseInterface.Create(ctx, l, o)
	select {
	case <-time.After(time.Second):
		return created, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestEndWhileAcquiring ends a process whose request for the lease is in flight. It waits for the answer, and releases the lease.
func TestEndWhileAcquiring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube := kubetest.NewClientset()
		set, err := New(Config{
			Names: []cache.ObjectName{name("operator")}, Identity: "first", Record: handover.New(),
			Requests: slow{LeasesGetter: kube.CoordinationV1()}, Watches: kube.CoordinationV1(),
			Timing: Timing{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
		})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		require.NoError(t, set.Run(ctx))
		assert.False(t, set.Leading())
		assert.Equal(t, []string{""}, holders(t, kube, "operator"))
	})
}
