package manager

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
)

// TestEndInEachPhase ends a manager that is not started yet, whose caches fill, that prepares, and that has one of two leases.
func TestEndInEachPhase(t *testing.T) {
	for after, phase := range map[time.Duration]string{0: "done", time.Second: "caches", 3 * time.Second: "prepares", time.Minute: "waits"} {
		synctest.Test(t, func(t *testing.T) {
			j, kube := &journal{}, kubetest.NewClientset()
			held := func(name, holder string) *coordinationv1.Lease {
				now := metav1.NowMicro()
				return &coordinationv1.Lease{
					ObjectMeta: metav1.ObjectMeta{Namespace: "system", Name: name},
					Spec:       coordinationv1.LeaseSpec{HolderIdentity: &holder, LeaseDurationSeconds: new(int32(3600)), RenewTime: &now},
				}
			}
			_, err := kube.CoordinationV1().Leases("system").Create(t.Context(), held("robot-controller", "robots"), metav1.CreateOptions{})
			require.NoError(t, err)
			m := newManager(t, kube, election, AlsoHold("robot-controller"))
			s := newStub(m, j, "robots")
			s.filled = make(chan struct{})
			require.NoError(t, m.Add(s))
			time.AfterFunc(2*time.Second, func() { close(s.filled) })
			m.Prepare(func() { time.Sleep(4 * time.Second) })
			defer time.Sleep(5 * time.Second) // Start does not wait for it
			m.Run("page", j.runs("page"))
			m.Run("webhooks", j.runs("webhooks"), BeforeCaches())
			m.Run("sweeper", j.runs("sweeper"), OnlyLeader())
			ctx, cancel := context.WithTimeout(t.Context(), after)
			defer cancel()
			require.NoError(t, m.Start(ctx), phase)
			assert.False(t, j.has("robots reconciles") || j.has("sweeper starts"), phase)
			assert.Equal(t, phase == "waits", j.has("page starts"), phase)
			assert.Equal(t, j.has("webhooks starts"), j.has("webhooks ends"), phase)
			lease, err := kube.CoordinationV1().Leases("system").Get(t.Context(), "operator", getOptions)
			if phase != "waits" {
				require.Error(t, err, "never acquired when it %s", phase)
				return
			}
			require.NoError(t, err)
			assert.Empty(t, *lease.Spec.HolderIdentity)
			lease, err = kube.CoordinationV1().Leases("system").Get(t.Context(), "robot-controller", getOptions)
			require.NoError(t, err)
			assert.Equal(t, "robots", *lease.Spec.HolderIdentity)
		})
	}
}
