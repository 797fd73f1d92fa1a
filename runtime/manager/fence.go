package manager

import (
	"errors"
	"net"
	"net/http"
	"slices"
	"time"

	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
)

// errNotLeading is the error of writes after the time for which a lease was held: the process was frozen, or cannot reach the API server.
var errNotLeading = errors.New("not sent: the lease has expired, and another process may lead")

// fence makes writes fail when the process has led, but another one may lead by now. Without it, a process that was frozen for longer than
// its lease would go on with what it was writing.
func (m *Manager) fence(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		if !slices.Contains(readOnly, request.Method) && m.expired() {
			return nil, errNotLeading
		}
		return next.RoundTrip(request)
	})
}

// readOnly are the methods of requests that change nothing (RFC 9110, section 9.2.1).
var readOnly = []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

// anyExpired reports whether a lease that was held has expired, or is lost.
func (m *Manager) anyExpired() bool {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.leaseLost {
		return true
	}
	for _, set := range m.leases {
		if set.Check() != nil {
			return true
		}
	}
	return false
}

// minTimeout is the shortest timeout of requests for leases.
const minTimeout = time.Second

// newLeaseClients returns the clients for leases. They have their own connections, so that the requests of controllers do not delay leader
// election, and no limits: a process with many leases must renew them all in time, and each has a request in a retry period.
func (m *Manager) newLeaseClients() (requests, watches coordinationv1client.LeasesGetter, err error) {
	config := rest.AddUserAgent(rest.CopyConfig(m.unfenced), "leader-election")
	config.RateLimiter, config.QPS = nil, -1
	if config.Dial == nil { // client-go shares connections, unless there is a dialer
		config.Dial = (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	}
	config.Timeout = 0
	watches, err = coordinationv1client.NewForConfig(config)
	if err != nil {
		return nil, nil, err
	}
	config.Timeout = max(m.settings.election.RenewDeadline/2, minTimeout)
	requests, err = coordinationv1client.NewForConfig(config)
	return requests, watches, err
}
