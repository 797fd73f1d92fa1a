package manager

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/kubernetes"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
)

// TestLeaseClients have neither the limits nor the connections of controllers, nor limits of their own: renewals of many leases would wait for
// each other until they run out.
func TestLeaseClients(t *testing.T) {
	connections := make(chan struct{}, 10)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections <- struct{}{}
		}
	}
	server.Start()
	defer server.Close()
	m, err := New("operator", &rest.Config{
		Host: server.URL, QPS: 1, Timeout: time.Minute, RateLimiter: flowcontrol.NewFakeNeverRateLimiter(),
	}, election)
	require.NoError(t, err)
	defer m.informerName.Release()
	defer m.recording.End(0)
	requests, watches, err := m.newLeaseClients()
	require.NoError(t, err)
	for _, client := range []coordinationv1client.LeasesGetter{requests, watches} {
		typed, ok := client.(*coordinationv1client.CoordinationV1Client)
		require.True(t, ok)
		assert.Nil(t, typed.RESTClient().GetRateLimiter())
	}
	kube, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL})
	require.NoError(t, err)
	_, err = kube.CoordinationV1().Leases("system").Get(t.Context(), "operator", getOptions)
	require.ErrorContains(t, err, "could not find")
	_, err = requests.Leases("system").Get(t.Context(), "operator", getOptions)
	require.ErrorContains(t, err, "could not find")
	assert.Len(t, connections, 2)
}

// TestLeaseNames: two candidates for the same lease in a process would overwrite each other's renewals.
func TestLeaseNames(t *testing.T) {
	s := newSettings([]Option{election, AlsoHold("robot-controller", "operator", "yards/operator", "system/operator", "robot-controller")})
	names := s.leaseNames("operator", true)
	assert.Equal(t, "[system/operator system/robot-controller yards/operator]", fmt.Sprint(names))
	assert.Equal(t, "[system/operator]", fmt.Sprint(s.leaseNames("operator", false)))
}
