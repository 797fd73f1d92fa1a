package manager

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/leases"
)

// Option configures a manager.
type Option func(*settings)

// settings are configured by options.
type settings struct {
	informers []informer.Option
	workers   int
	// election is nil without leader election.
	election           *LeaderElection
	shards             *Shards
	alsoHold           []string
	leasePerController bool
	recoveryDeadline   time.Duration

	probes, metricsAddress, debug string
	metrics                       Metrics
	security                      Security
	stuckAfter                    time.Duration
	health, readiness             []check
	pause                         []controller.Option
	refuse                        bool
	// flags register flags of the command.
	flags []func(*flag.FlagSet)
}

// LeaderElection configures leader election. Durations that are 0 have client-go's usual values: 15 s, 10 s and 2 s.
type LeaderElection struct {
	// Namespace is the one of the lease.
	Namespace string
	// LeaseDuration is how long candidates wait after the last renewal before they take over. Renewals are retried every RetryPeriod
	// until RenewDeadline after the last one; then the leader gives up.
	LeaseDuration, RenewDeadline, RetryPeriod time.Duration
}

func (e *LeaderElection) timing() leases.Timing {
	return leases.Timing{LeaseDuration: e.LeaseDuration, RenewDeadline: e.RenewDeadline, RetryPeriod: e.RetryPeriod}
}

// Metrics receives the metrics of controllers, and serves them as /metrics. Package metrics, a module of its own, has one for Prometheus.
type Metrics interface {
	controller.Metrics
	http.Handler
	// Informers receives a function that describes the informers of the manager.
	Informers(describe func() informer.Description)
}

// Security protects metrics. Package securemetrics, a module of its own, lets the API server decide who may read them.
type Security interface {
	// Protect returns the TLS configuration of the listener, and a handler that passes on to next what may see the metrics. It stops when ctx
	// is done.
	Protect(ctx context.Context, config *rest.Config, next http.Handler) (*tls.Config, http.Handler, error)
}

// WithInformers sets options of the factory that controllers share, such as informer.WithNamespaces. If it is passed several times, all
// options count.
func WithInformers(options ...informer.Option) Option {
	return func(s *settings) { s.informers = append(s.informers, options...) }
}

// WithWorkers sets how many objects each controller reconciles concurrently. The default is 2.
func WithWorkers(n int) Option { return func(s *settings) { s.workers = n } }

// WithLeaderElection makes controllers reconcile only while the process holds a lease with the name of the manager, so that others can
// stand by. Without it, they reconcile at once.
func WithLeaderElection(election LeaderElection) Option {
	return func(s *settings) { s.election = new(election) }
}

// AlsoHold makes the manager hold more leases: leases of processes that it replaces, which may still run. It leads when it has all. Names
// are in the namespace of the manager's lease, or have their own, as in "robot-system/robot-controller".
func AlsoHold(names ...string) Option {
	return func(s *settings) { s.alsoHold = append(s.alsoHold, names...) }
}

// LeasePerController gives each controller a lease of its own, with the name that is passed to [Manager.ControllerOptions], so that the
// controllers of an operator may run in different processes. The default is one lease for all.
func LeasePerController() Option { return func(s *settings) { s.leasePerController = true } }

// WithRecoveryDeadline sets for how long the API server may be away after a lease is lost. When renewals are given up, reconciles and
// functions of [OnlyLeader] are canceled, no writes are sent, and those in flight are canceled. If everything has returned when the lease
// runs out, the process goes on with warm caches: it competes for the lease as a newcomer, with another identity, and reconciles
// everything when it leads again. If the API server does not answer within the deadline, [Manager.Start] returns an error. The default is
// 5 minutes. With 0, the loss of a lease always ends the process.
func WithRecoveryDeadline(d time.Duration) Option {
	return func(s *settings) { s.recoveryDeadline = d }
}

// ServeProbes sets the address of /healthz and /readyz, such as ":8081". By default, they are not served.
func ServeProbes(address string) Option { return func(s *settings) { s.probes = address } }

// ServeMetrics sets the address of /metrics, such as ":8080". By default, they are not served.
func ServeMetrics(address string) Option { return func(s *settings) { s.metricsAddress = address } }

// ServeDebug sets the address of /debug/controllers, /debug/pprof and /debug/flags/v, which must be one of the loopback interface, such
// as "localhost:6060": all local users can read the names of objects there. By default, they are not served.
func ServeDebug(address string) Option { return func(s *settings) { s.debug = address } }

// WithMetrics sets what receives and serves metrics.
func WithMetrics(metrics Metrics) Option { return func(s *settings) { s.metrics = metrics } }

// WithMetricsSecurity protects /metrics. By default, everybody who can connect may read them.
func WithMetricsSecurity(security Security) Option {
	return func(s *settings) { s.security = security }
}

// WithPause gives [controller.WithPause] an annotation, such as "example.com/paused", for each controller of the manager that does not have
// that option itself. By default, no annotation pauses anything.
func WithPause(annotation string, options ...controller.PauseOption) Option {
	return func(s *settings) { s.pause = []controller.Option{controller.WithDefaultPause(annotation, options...)} }
}

// WithStuckAfter sets how long a reconcile may run before /healthz fails, so that the kubelet restarts the process. The default is 1
// hour; 0 means forever.
func WithStuckAfter(d time.Duration) Option { return func(s *settings) { s.stuckAfter = d } }

// WithFlags lets [Main] call a function that registers further flags. Their values are set when setup is called.
func WithFlags(register func(*flag.FlagSet)) Option {
	return func(s *settings) { s.flags = append(s.flags, register) }
}

func newSettings(options []Option) *settings {
	s := &settings{workers: 2, stuckAfter: time.Hour, recoveryDeadline: 5 * time.Minute}
	for _, option := range options {
		option(s)
	}
	if e := s.election; e != nil {
		e.LeaseDuration = cmp.Or(e.LeaseDuration, 15*time.Second)
		e.RenewDeadline = cmp.Or(e.RenewDeadline, 10*time.Second)
		e.RetryPeriod = cmp.Or(e.RetryPeriod, 2*time.Second)
	}
	return s
}

// check returns an error for settings that are invalid or mutually exclusive.
func (s *settings) check() error {
	errs := []error{checkNames(s.health), checkNames(s.readiness)}
	if s.workers < 1 {
		errs = append(errs, fmt.Errorf("invalid number of workers %d: must be at least 1", s.workers))
	}
	for _, d := range []time.Duration{s.stuckAfter, s.recoveryDeadline} {
		if d < 0 {
			errs = append(errs, fmt.Errorf("negative duration %v", d))
		}
	}
	if s.debug != "" && !isLoopback(s.debug) {
		errs = append(errs, fmt.Errorf("the debug address %q is not one of the loopback interface, such as localhost:6060", s.debug))
	}
	if s.metricsAddress != "" && s.metrics == nil {
		errs = append(errs, errors.New("ServeMetrics needs WithMetrics"))
	}
	errs = append(errs, s.checkShards())
	if s.election == nil && (len(s.alsoHold) > 0 || s.leasePerController) {
		return errors.Join(errs...) // leases of processes that run without election, for example on a developer's machine
	}
	if s.leasePerController && len(s.alsoHold) > 0 {
		errs = append(errs, errors.New("LeasePerController contradicts AlsoHold"))
	}
	if e := s.election; e != nil {
		if e.Namespace == "" {
			errs = append(errs, errors.New("leader election needs the namespace of the lease"))
		}
		if e.LeaseDuration <= e.RenewDeadline || e.RenewDeadline <= 3*e.RetryPeriod {
			errs = append(errs, fmt.Errorf(
				"the lease duration %v must be longer than the renew deadline %v, and the renew deadline longer than three retry periods of %v",
				e.LeaseDuration, e.RenewDeadline, e.RetryPeriod))
		}
		if e.LeaseDuration%time.Second != 0 {
			errs = append(errs, fmt.Errorf("the lease duration %v must be whole seconds: leases have no others", e.LeaseDuration))
		}
		for _, name := range s.leaseNames("manager", true)[1:] {
			if len(validation.IsDNS1123Label(name.Namespace))+len(validation.IsDNS1123Subdomain(name.Name)) > 0 {
				errs = append(errs, fmt.Errorf("AlsoHold: %q is not the name of a lease", name))
			}
		}
	}
	return errors.Join(errs...)
}

// isLoopback reports whether nobody else can connect to an address.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// leaseNames returns the names of the leases of a set: own, and the names of AlsoHold, if the set belongs to the manager.
func (s *settings) leaseNames(own string, ofManager bool) []cache.ObjectName {
	names := []cache.ObjectName{cache.NewObjectName(s.election.Namespace, own)}
	if !ofManager {
		return names
	}
	for _, name := range s.alsoHold {
		namespace, bare, ok := strings.Cut(name, "/")
		if !ok {
			namespace, bare = s.election.Namespace, name
		}
		if one := cache.NewObjectName(namespace, bare); !slices.Contains(names, one) {
			names = append(names, one)
		}
	}
	return names
}
