package leases

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// process holds leases while it runs.
type process struct {
	*Set
	err error
	// ended is closed when Run has returned, at the time endedAt.
	ended   chan struct{}
	endedAt time.Time
	// end ends the process gracefully.
	end func()
}

func name(lease string) cache.ObjectName { return cache.NewObjectName("system", lease) }

// join starts a process that competes for leases.
func join(t *testing.T, kube *kubefake.Clientset, identity string, leases ...string) *process {
	t.Helper()
	var names []cache.ObjectName
	for _, lease := range leases {
		names = append(names, name(lease))
	}
	set, err := New(Config{
		Names: names, Identity: identity, Requests: kube.CoordinationV1(), Watches: kube.CoordinationV1(), Record: handover.New(),
		Timing: Timing{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
	})
	require.NoError(t, err)
	p := &process{Set: set, ended: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer close(p.ended)
		p.err = set.Run(ctx)
		p.endedAt = time.Now()
	}()
	p.end = func() {
		cancel()
		<-p.ended
	}
	return p
}

// holders returns the holders of leases.
func holders(t *testing.T, kube *kubefake.Clientset, leases ...string) (all []string) {
	t.Helper()
	for _, lease := range leases {
		stored, err := kube.CoordinationV1().Leases("system").Get(t.Context(), lease, metav1.GetOptions{})
		require.NoError(t, err)
		all = append(all, *stored.Spec.HolderIdentity)
	}
	return all
}

// TestHandOver ends the leader gracefully: the standby, which watches the lease, does not wait for its retry period.
func TestHandOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube := kubetest.NewClientset()
		first := join(t, kube, "first", "operator")
		<-first.Held()
		second := join(t, kube, "second", "operator")
		time.Sleep(time.Minute)
		assert.True(t, first.Leading())
		assert.False(t, second.Leading())
		released := time.Now()
		first.end()
		require.NoError(t, first.err)
		<-second.Held()
		assert.Less(t, time.Since(released), 100*time.Millisecond)
		second.end()
		assert.Equal(t, []string{""}, holders(t, kube, "operator"))
	})
}

// TestSeveralLeases replaces two processes, each with a lease, by one process, and goes back. No other process leads at the same time.
func TestSeveralLeases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube := kubetest.NewClientset()
		robots, yards := join(t, kube, "robots", "robot-controller"), join(t, kube, "yards", "yard-controller")
		<-robots.Held()
		<-yards.Held()
		all := []string{"operator", "robot-controller", "yard-controller"}
		operator := join(t, kube, "operator", all...)
		time.Sleep(time.Minute) // until it has the first one
		standby := join(t, kube, "standby", all...)
		time.Sleep(time.Minute)
		assert.False(t, operator.Leading())
		robots.end()
		time.Sleep(time.Minute)
		assert.False(t, operator.Leading(), "yards still leads")
		yards.end()
		<-operator.Held()
		assert.False(t, standby.Leading())
		assert.Equal(t, []string{"operator", "operator", "operator"}, holders(t, kube, all...))

		robots, yards = join(t, kube, "robots", "robot-controller"), join(t, kube, "yards", "yard-controller")
		time.Sleep(time.Minute)
		assert.False(t, robots.Leading() || yards.Leading())
		standby.end()
		operator.end()
		require.NoError(t, operator.err)
		<-robots.Held()
		<-yards.Held()
		robots.end()
		yards.end()
	})
}

// TestLost cuts a leader off: it says that it has lost its lease before another process leads.
func TestLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube := kubetest.NewClientset()
		cut := kubefake.NewClientset() // the connection of the first process: it passes on everything until it is cut
		var down atomic.Bool
		cut.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
			if down.Load() {
				return true, nil, errors.New("connection refused")
			}
			answer, err := kube.Invokes(action, nil)
			return true, answer, err
		})
		first := join(t, cut, "first", "operator")
		<-first.Held()
		second := join(t, kube, "second", "operator")
		time.Sleep(time.Minute)
		down.Store(true)
		cutOff := time.Now()
		<-second.Held()
		assert.GreaterOrEqual(t, time.Since(cutOff), 12*time.Second, "it cannot know earlier")
		select {
		case <-first.ended:
			assert.LessOrEqual(t, first.endedAt.Sub(cutOff), 10*time.Second, "the last renewal was before")
		default:
			assert.Fail(t, "the first process still leads")
		}
		down.Store(false)
		first.end()
		require.EqualError(t, first.err, "lease system/operator is lost")
		time.Sleep(time.Minute)
		assert.True(t, second.Leading())
		second.end()
	})
}

// TestTaken has another process take the lease, as if this one had been frozen for longer than it lasts. It notices with its next renewal.
func TestTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube := kubetest.NewClientset()
		p := join(t, kube, "first", "operator")
		<-p.Held()
		time.Sleep(61 * time.Second) // between two renewals
		lease, err := kube.CoordinationV1().Leases("system").Get(t.Context(), "operator", metav1.GetOptions{})
		require.NoError(t, err)
		other := "second"
		lease.Spec.HolderIdentity = &other
		_, err = kube.CoordinationV1().Leases("system").Update(t.Context(), lease, metav1.UpdateOptions{})
		require.NoError(t, err)
		taken := time.Now()
		<-p.ended
		require.EqualError(t, p.err, "lease system/operator is lost")
		assert.Less(t, time.Since(taken), 3*time.Second, "the retry period")
		assert.Equal(t, []string{"second"}, holders(t, kube, "operator"))
		p.end()
	})
}

// TestSleep lets a machine sleep for longer than a lease. Its monotonic clock, which all timers follow, stands still meanwhile.
func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube := kubetest.NewClientset()
		p := join(t, kube, "first", "operator")
		<-p.Held()
		l := p.leases[0]
		synctest.Wait() // a renewal in flight would count from now on
		require.NoError(t, p.Check())
		assert.True(t, p.Expiry().After(time.Now()))
		l.lock.Lock()
		l.renewed = l.renewed.Add(-time.Hour) // the clock goes on
		l.lock.Unlock()
		assert.EqualError(t, p.Check(), "lease system/operator has not been renewed for 1h0m0s")
		assert.True(t, p.Expiry().Before(time.Now()))
		<-p.ended
		require.EqualError(t, p.err, "lease system/operator is lost", "it is not renewed, either")
		p.end()
	})
}

// TestOverdue freezes a process for longer than its lease, as it looks from inside. Even if nobody has taken the lease, the process does
// not renew it: it may have refused to write.
func TestOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube := kubetest.NewClientset()
		p := join(t, kube, "first", "operator")
		<-p.Held()
		time.Sleep(time.Second) // between two renewals
		require.NoError(t, p.Check())
		l := p.leases[0]
		l.lock.Lock()
		l.renewed = l.renewed.Add(-16 * time.Second)
		l.lock.Unlock()
		assert.EqualError(t, p.Check(), "lease system/operator has not been renewed for 17s")
		assert.False(t, p.Leading())
		<-p.ended
		require.EqualError(t, p.err, "lease system/operator is lost")
		p.end()
	})
}
