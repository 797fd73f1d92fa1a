package manager

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
)

// connection is how a process reaches the API server, or does not.
type connection struct {
	*kubefake.Clientset

	down atomic.Bool
}

func connect(kube *kubefake.Clientset) *connection {
	c := &connection{Clientset: kubefake.NewClientset()}
	c.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if c.down.Load() {
			return true, nil, errors.New("connection refused")
		}
		answer, err := kube.Invokes(action, nil)
		return true, answer, err
	})
	return c
}

// outage is a process that leads, and notes what it does.
type outage struct {
	*Manager
	*journal
	kube *kubefake.Clientset
	to   *connection
	stub *stub
	// ended receives the result of Start, and end ends it.
	ended chan error
	end   func() error
}

func lead(t *testing.T, options ...Option) *outage {
	t.Helper()
	o := &outage{journal: &journal{}, kube: kubetest.NewClientset()}
	o.to = connect(o.kube)
	o.Manager = newManager(t, o.to.Clientset, append([]Option{election}, options...)...)
	o.stub = newStub(o.Manager, o.journal, "robots")
	require.NoError(t, o.Add(o.stub))
	o.Run("page", o.runs("page"))
	o.Run("sweeper", o.runs("sweeper"), OnlyLeader())
	ctx, cancel := context.WithCancel(t.Context())
	o.ended = make(chan error, 1)
	go func() { o.ended <- o.Start(ctx) }()
	o.end = func() error {
		cancel()
		return <-o.ended
	}
	time.Sleep(time.Minute)
	require.ElementsMatch(t, []string{"robots is synced", "page starts", "robots reconciles", "sweeper starts"}, o.all())
	return o
}

func (o *outage) holder(t *testing.T) string {
	t.Helper()
	lease, err := o.kube.CoordinationV1().Leases("system").Get(t.Context(), "operator", getOptions)
	require.NoError(t, err)
	return *lease.Spec.HolderIdentity
}

// mayWrite reports whether a request may write that belongs to nothing which the manager knows.
func (o *outage) mayWrite(t *testing.T) bool {
	t.Helper()
	_, ok := o.writing(t.Context())
	return ok
}

// TestOutage has no API server for two minutes. The process lives on, and leads again with another identity.
func TestOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := lead(t)
		first := o.holder(t)
		require.True(t, o.mayWrite(t))
		o.to.down.Store(true)
		time.Sleep(13 * time.Second) // the renew deadline, and up to a retry period since the last renewal
		assert.ElementsMatch(t, []string{"robots is canceled", "sweeper ends"}, o.all()[4:])
		assert.False(t, o.mayWrite(t))
		code, text := call(o.serveHealth, http.MethodGet, "")
		assert.Equal(t, http.StatusOK, code, text)
		code, text = call(o.serveReadiness, http.MethodGet, "")
		assert.Equal(t, http.StatusOK, code)
		assert.Equal(t, "does not lead: waits for lease system/operator\ncontroller robots waits for gateways\n", text)
		time.Sleep(2 * time.Minute)
		o.to.down.Store(false)
		time.Sleep(time.Minute)
		assert.ElementsMatch(t, []string{"robots reconciles", "sweeper starts"}, o.all()[6:])
		assert.NotEqual(t, first, o.holder(t))
		assert.True(t, o.mayWrite(t))
		_, text = call(o.serveReadiness, http.MethodGet, "")
		assert.Equal(t, "controller robots waits for gateways\n", text)
		require.NoError(t, o.end())
		assert.Empty(t, o.holder(t), "released")
	})
}

// TestOutageOfOne has another process lead when the API server is back for this one, which stands by, and may not write.
func TestOutageOfOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := lead(t)
		o.informerName.Release()
		other := newManager(t, o.kube, election)
		theirs := &journal{}
		require.NoError(t, other.Add(newStub(other, theirs, "robots")))
		endOther := begin(t, other)
		o.to.down.Store(true)
		time.Sleep(time.Minute)
		require.True(t, theirs.has("robots reconciles"))
		o.to.down.Store(false)
		time.Sleep(10 * time.Minute) // longer than the deadline, which is about the API server
		assert.Len(t, o.all(), 6)
		assert.False(t, o.mayWrite(t), "it may be something of the time before")
		require.NoError(t, endOther())
		time.Sleep(5 * time.Second) // a retry period, since the connection has no watches
		assert.ElementsMatch(t, []string{"robots reconciles", "sweeper starts"}, o.all()[6:])
		require.NoError(t, o.end())
	})
}

// TestRecoveryDeadline has no API server any more.
func TestRecoveryDeadline(t *testing.T) {
	for deadline, want := range map[time.Duration]string{
		5 * time.Minute: "leader election: lease system/operator is lost, and the API server has not answered since: 5m0s",
		0:               "leader election: lease system/operator is lost",
	} {
		synctest.Test(t, func(t *testing.T) {
			o := lead(t, WithRecoveryDeadline(deadline))
			o.to.down.Store(true)
			began := time.Now()
			require.EqualError(t, <-o.ended, want)
			assert.InDelta(t, (12*time.Second + deadline).Seconds(), time.Since(began).Seconds(), 4)
		})
	}
}

// TestOutageAtTheEnd ends a process that competes as a newcomer.
func TestOutageAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := lead(t)
		o.to.down.Store(true)
		time.Sleep(time.Minute)
		require.NoError(t, o.end())
		assert.Contains(t, o.all(), "page ends")
	})
}

// TestOnlyLeaderAgain has functions that end before their term does: they begin again with the next one, and failures of theirs only count
// during a term.
func TestOnlyLeaderAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, starts := &leadership{}, atomic.Int32{}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- l.while(ctx, func(ctx context.Context) error {
				if starts.Add(1) == 1 {
					return nil
				}
				<-ctx.Done()
				return errors.New("no connection")
			})
		}()
		for term := range int32(2) {
			current := l.Begin(never)
			time.Sleep(time.Second)
			assert.Equal(t, term+1, starts.Load())
			<-current.End()
		}
		cancel()
		require.NoError(t, <-ended)
	})
}
