package leases

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
)

// TestLostAreNotReleased: a process that loses a lease has work in flight, so no standby may get any of its leases at once.
func TestLostAreNotReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube := kubetest.NewClientset()
		var down atomic.Bool
		kube.PrependReactor("update", "leases", func(action clienttesting.Action) (bool, runtime.Object, error) {
			lease, ok := action.(clienttesting.UpdateAction).GetObject().(*coordinationv1.Lease)
			if down.Load() && ok && lease.Name == "robot-controller" && ptr.Deref(lease.Spec.HolderIdentity, "") != "" {
				return true, nil, errors.New("the webhook does not answer")
			}
			return false, nil, nil
		})
		p := join(t, kube, "first", "operator", "robot-controller")
		<-p.Held()
		down.Store(true)
		<-p.ended
		require.EqualError(t, p.err, "lease system/robot-controller is lost")
		assert.Equal(t, []string{"first", "first"}, holders(t, kube, "operator", "robot-controller"))
		p.end()
	})
}

// TestDeleted deletes the lease of a leader. It has the lease again with its next renewal, and no standby leads until then.
func TestDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube := kubetest.NewClientset()
		first := join(t, kube, "first", "operator")
		<-first.Held()
		second := join(t, kube, "second", "operator")
		time.Sleep(61 * time.Second) // between two renewals
		remove := func() {
			require.NoError(t, kube.CoordinationV1().Leases("system").Delete(t.Context(), "operator", metav1.DeleteOptions{}))
		}
		remove()
		time.Sleep(time.Minute)
		assert.True(t, first.Leading())
		assert.False(t, second.Leading())
		first.end()
		require.NoError(t, first.err)
		<-second.Held()
		remove() // soon after it was another one's
		time.Sleep(time.Minute)
		assert.True(t, second.Leading())
		second.end()
	})
}

// TestDeletedAfterDeath deletes the lease of a leader that is gone: the standby waits for as long as the lease would have lasted.
func TestDeletedAfterDeath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube := kubetest.NewClientset()
		dead, duration := "dead", int32(15)
		_, err := kube.CoordinationV1().Leases("system").Create(t.Context(), &coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{Name: "operator", Namespace: "system"},
			Spec:       coordinationv1.LeaseSpec{HolderIdentity: &dead, LeaseDurationSeconds: &duration},
		}, metav1.CreateOptions{})
		require.NoError(t, err)
		p := join(t, kube, "standby", "operator")
		time.Sleep(time.Second)
		require.NoError(t, kube.CoordinationV1().Leases("system").Delete(t.Context(), "operator", metav1.DeleteOptions{}))
		deleted := time.Now()
		<-p.Held()
		assert.InDelta(t, 15, time.Since(deleted).Seconds(), 5)
		p.end()
	})
}
