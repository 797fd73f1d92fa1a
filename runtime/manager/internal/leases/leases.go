// Package leases holds leases, by client-go's leader election, so that only one of several processes leads.
//
// A process that ends has its leases released at once, and the others watch the leases: they take over within milliseconds. Leases are
// acquired one after the other, so that candidates for the same leases do not wait for each other.
package leases

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Config configures [New].
type Config struct {
	// Names are the leases to hold, in the order in which they are acquired.
	Names    []cache.ObjectName
	Identity string
	// Requests reads and writes the leases. Its requests need a timeout: a hanging request must not cost the lease.
	Requests coordinationv1client.LeasesGetter
	// Watches watches them.
	Watches coordinationv1client.LeasesGetter
	// Record is left in the leases.
	Record *handover.Record
	Timing
}

// Timing has the durations of leader election.
type Timing struct {
	// LeaseDuration is how long candidates wait after the last renewal before they take over. Renewals are retried every RetryPeriod
	// until RenewDeadline; then the leader gives up.
	LeaseDuration, RenewDeadline, RetryPeriod time.Duration
}

// Set holds leases.
type Set struct {
	leases  []*lease
	watches *informer.Factory
	held    chan struct{}
}

// New returns a set that holds nothing yet.
func New(config Config) (*Set, error) {
	s := &Set{watches: informer.NewFactory(informer.WithWatchErrorHandler(logQuietly)), held: make(chan struct{})}
	for _, name := range config.Names {
		l, err := newLease(name, config)
		if err != nil {
			return nil, err
		}
		source := informer.Namespaced(nil, coordinationv1.SchemeGroupVersion.WithResource("leases"), config.Watches.Leases)
		if err := l.watch(s.watches, source); err != nil {
			return nil, err
		}
		s.leases = append(s.leases, l)
	}
	return s, s.watches.Err()
}

// logQuietly is the watch error handler: the elector logs the same error.
func logQuietly(ctx context.Context, _ *cache.Reflector, err error) {
	klog.FromContext(ctx).V(4).Info("Cannot watch a lease", "err", err)
}

// Held is closed when all leases are held.
func (s *Set) Held() <-chan struct{} { return s.held }

// Run acquires the leases, and holds them until ctx is done; then it releases them and returns nil. If a lease is lost, it returns an
// error at once, and no lease is released: another process may lead, so this one must end, with all work in flight.
func (s *Set) Run(ctx context.Context) error {
	holding, cancel := context.WithCancel(ctx)
	s.watches.StartWithContext(holding)
	defer s.watches.Shutdown()
	var renewing sync.WaitGroup
	defer renewing.Wait()
	defer cancel()
	lost := make(chan error, len(s.leases))
	for _, l := range s.leases {
		l.ending = func() bool { return ctx.Err() != nil }
		renewing.Go(func() { lost <- l.hold(holding) })
		select {
		case <-l.won:
		case err := <-lost:
			return err
		case <-ctx.Done():
			return nil
		}
	}
	if ctx.Err() == nil {
		close(s.held)
	}
	for range s.leases {
		if err := <-lost; err != nil {
			return err
		}
	}
	return nil
}

// Check returns an error if a lease was held, but has not been renewed for longer than its duration.
func (s *Set) Check() error {
	var errs []error
	for _, l := range s.leases {
		if age, ok := l.overdue(); ok {
			errs = append(errs, fmt.Errorf("lease %s has not been renewed for %v", l.name, age.Round(time.Second)))
		}
	}
	return errors.Join(errs...)
}

// Leading reports whether all leases are held, and were renewed less than their duration ago: then no other process leads.
func (s *Set) Leading() bool {
	select {
	case <-s.held:
		return s.Check() == nil
	default:
		return false
	}
}
