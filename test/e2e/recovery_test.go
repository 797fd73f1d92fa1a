package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
)

// watcher is an informer of workloads under test, with a handler.
type watcher struct {
	factory informers.SharedInformerFactory
	seen    view
}

// userAgent identifies the requests of informers.
const userAgent = "informer"

// inform starts an informer on the server of config, with its own client.
func inform(t *testing.T, config *rest.Config) *watcher {
	t.Helper()
	config.UserAgent = userAgent
	client, _ := connect(t, config)
	i := &watcher{factory: informers.NewSharedInformerFactory(client, 0)}
	run(t, i.factory, i.seen.watch(t, i.factory.Fleet().V1().Workloads().TypedInformer()))
	return i
}

// heldOff answers all requests of informers with an error.
func heldOff(code int) faults.Rule {
	return faults.Rule{Resource: "workloads", Match: fromInformer, Do: faults.Fail(code)}
}

func fromInformer(_ *request.RequestInfo, r *http.Request) bool { return r.UserAgent() == userAgent }

// TestMissedDeletion deletes an object while there is no watch. Only the difference between the old state and a new list shows
// it.
func TestMissedDeletion(t *testing.T) {
	t.Parallel()
	c := start(t, apiservertest.Options{})
	i := inform(t, c.Config())
	workloads := c.client.FleetV1().Workloads(namespace)
	for _, name := range []string{"gone", "stays"} {
		_, err := workloads.Create(t.Context(), workload(name), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	i.seen.take(t, 2)

	hold := c.Faults.Add(heldOff(http.StatusGone))
	require.Equal(t, 1, c.Faults.DropWatches("workloads"))
	require.NoError(t, hold.WaitHits(within(t), 1), "it has to try again")
	require.NoError(t, workloads.Delete(t.Context(), "gone", metav1.DeleteOptions{}))
	// A list without a resource version makes the server's own cache catch up. Otherwise the informer might still receive the
	// event.
	_, err := stored(t.Context(), c.client)
	require.NoError(t, err)
	hold.Remove()
	assert.Equal(t, []string{"delete shop/gone (missed)"}, i.seen.take(t, 1))
	converges(t, c.client, i.factory.Fleet().V1().Workloads().Lister(), &i.seen)
}

// TestRecovery makes changes while the informer cannot see them, for several reasons.
func TestRecovery(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]int{
		"gone":                http.StatusGone,
		"too many requests":   http.StatusTooManyRequests,
		"internal error":      http.StatusInternalServerError,
		"service unavailable": http.StatusServiceUnavailable,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t, apiservertest.Options{})
			i := inform(t, c.Config())
			change(t, c.client, "before")
			fault := c.Faults.Add(heldOff(code))
			require.Equal(t, 1, c.Faults.DropWatches("workloads"))
			require.NoError(t, fault.WaitHits(within(t), 1))
			change(t, c.client, "while")
			require.NoError(t, c.client.FleetV1().Workloads(namespace).Delete(t.Context(), "before-0", metav1.DeleteOptions{}))
			fault.Remove()
			change(t, c.client, "after")
			converges(t, c.client, i.factory.Fleet().V1().Workloads().Lister(), &i.seen)
		})
	}
	t.Run("dropped watches", func(t *testing.T) {
		t.Parallel()
		c := start(t, apiservertest.Options{})
		i := inform(t, c.Config())
		for round := range 3 {
			change(t, c.client, fmt.Sprint("round-", round))
			eventually(t, func() bool { return c.Faults.DropWatches("workloads") == 1 }, "the informer does not come back")
		}
		change(t, c.client, "after")
		converges(t, c.client, i.factory.Fleet().V1().Workloads().Lister(), &i.seen)
	})
	t.Run("half of all requests fail", func(t *testing.T) {
		t.Parallel()
		c := start(t, apiservertest.Options{})
		fault := c.Faults.Add(faults.Rule{Resource: "workloads", Match: fromInformer, Share: 0.5, Times: 4, Do: faults.LoseRequest()})
		i := inform(t, c.Config())
		for round := range 3 {
			change(t, c.client, fmt.Sprint("round-", round))
			eventually(t, func() bool { return c.Faults.DropWatches("workloads") == 1 }, "the informer does not come back")
		}
		converges(t, c.client, i.factory.Fleet().V1().Workloads().Lister(), &i.seen)
		assert.NotZero(t, fault.Hits())
	})
}

// TestForgottenRevision checks that an informer recovers with a resource version that the server no longer knows: the server was
// restarted, and its history begins with its start.
func TestForgottenRevision(t *testing.T) {
	t.Parallel()
	c := start(t, apiservertest.Options{})
	i := inform(t, c.Config())
	change(t, c.client, "before")
	hold := c.Faults.Add(heldOff(http.StatusServiceUnavailable))
	require.NoError(t, c.Restart(t.Context()))
	change(t, c.client, "while")
	require.NoError(t, c.client.FleetV1().Workloads(namespace).Delete(t.Context(), "before-0", metav1.DeleteOptions{}))
	require.NoError(t, c.Restart(t.Context()))
	hold.Remove()
	change(t, c.client, "after")
	converges(t, c.client, i.factory.Fleet().V1().Workloads().Lister(), &i.seen)
	assert.Contains(t, i.seen.take(t, 1), "delete shop/before-0 (missed)")
}

// TestSignals restarts the server of an informer after SIGTERM and SIGKILL.
func TestSignals(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*apiservertest.Process) error{
		"sigterm": (*apiservertest.Process).Terminate,
		"sigkill": (*apiservertest.Process).Kill,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			process, err := apiservertest.StartProcess(t.Context(), apiservertest.Options{
				Dir: t.TempDir(), CRDPaths: []string{crdDir}, AnyNamespace: true,
			})
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, process.Terminate()) })
			client, _ := connect(t, process.Config())
			i := inform(t, process.Config())
			for round := range 2 {
				change(t, client, fmt.Sprint("round-", round))
				require.NoError(t, end(process))
				require.NoError(t, process.Restart(t.Context()))
			}
			change(t, client, "after")
			converges(t, client, i.factory.Fleet().V1().Workloads().Lister(), &i.seen)
		})
	}
}
