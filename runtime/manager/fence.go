package manager

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"time"

	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sharing"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/terms"
)

// errNotLeading is the error of writes that belong to a time for which a lease was held, after that time: the process was frozen, or could
// not reach the API server.
var errNotLeading = errors.New("not sent: the lease has expired, and another process may lead")

// fence makes writes fail when the process has led, but another one may lead by now, and cancels those in flight. Without it, a process
// that was frozen for longer than its lease would go on with its writes. A write that has been refused once for the end of a term is
// refused for good, also when the process leads again.
func (m *Manager) fence(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		if slices.Contains(readOnly, request.Method) {
			return next.RoundTrip(request)
		}
		until, ok := m.writing(request.Context())
		if !ok || sharing.Refused(request.Context()) {
			return nil, errNotLeading
		}
		return sendWithin(next, request, until)
	})
}

// readOnly are the methods of requests that change nothing (RFC 9110, section 9.2.1).
var readOnly = []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

// writing reports whether a request with the context may write, and returns the terms that it must not outlive.
func (m *Manager) writing(ctx context.Context) (until []*terms.Term, ok bool) {
	m.lock.Lock()
	lost, all := m.leaseLost, m.seats
	m.lock.Unlock()
	if lost {
		return nil, false
	}
	return terms.Writing(ctx, all)
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
	config.Timeout = m.leaseTimeout()
	requests, err = coordinationv1client.NewForConfig(config)
	return requests, watches, err
}

// leaseTimeout returns the timeout of requests for leases.
func (m *Manager) leaseTimeout() time.Duration {
	return max(m.settings.election.RenewDeadline/2, minTimeout)
}
