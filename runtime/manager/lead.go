package manager

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/leading"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/leases"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/membership"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/terms"
)

// leadership competes for the leases of the manager, or for the lease of one controller. It leads while it holds them. When it has lost
// one, it competes again, as a newcomer.
type leadership struct {
	terms.Seat

	names []cache.ObjectName
	// newSet makes a set of leases with an identity that no process had before.
	newSet func() (*leases.Set, error)
	// deadline is how long the API server may be away.
	deadline time.Duration
	// set is the first set, and nil without leader election.
	set *leases.Set
}

// newLeases makes the sets of leases, unless there is no leader election.
func (m *Manager) newLeases() error {
	if !m.settings.leasePerController {
		m.leadershipOf("")
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.replicas != nil {
		m.seats = append(m.seats, m.replicas.member)
	}
	for _, l := range m.leaderships {
		m.seats = append(m.seats, &l.Seat) // requests may be in flight already, see fence
	}
	if m.settings.election == nil || m.replicas != nil {
		return nil
	}
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	requests, watches, err := m.leaseClients()
	if err != nil {
		return err
	}
	for name, l := range m.leaderships {
		own := name
		if own == "" {
			own = m.name
		}
		l.names, l.deadline = m.settings.leaseNames(own, name == ""), m.settings.recoveryDeadline
		l.newSet = func() (*leases.Set, error) {
			return leases.New(leases.Config{
				Names: l.names, Identity: host + "_" + string(uuid.NewUUID()), Requests: requests, Watches: watches, Record: m.record,
				Timing: m.settings.election.timing(),
			})
		}
		if l.set, err = l.newSet(); err != nil {
			return err
		}
	}
	return nil
}

// leadershipOf returns the leadership that a controller needs: the one of the manager, named "", or one of its own.
func (m *Manager) leadershipOf(controller string) *leadership {
	if !m.settings.leasePerController {
		controller = ""
	}
	l, ok := m.leaderships[controller]
	if !ok {
		l = &leadership{}
		m.leaderships[controller] = l
	}
	return l
}

// never is for the terms of processes without leader election.
func never() error { return nil }

// run competes and leads until ctx is done, when nothing of the term is running any more. It returns an error when the process must end.
func (l *leadership) run(ctx context.Context) error {
	if l.set == nil {
		l.Begin(never)
		return nil
	}
	var lost error
	set, away := l.set, time.Duration(0) // without a deadline the first time: a standby waits for its API server
	for {
		err := l.lead(ctx, set, away)
		switch {
		case err == nil || ctx.Err() != nil:
			return nil
		case errors.Is(err, errAway):
			return fmt.Errorf("%w, and %w", lost, err)
		}
		if lost = fmt.Errorf("leader election: %w", err); l.deadline == 0 {
			return lost
		}
		klog.FromContext(ctx).Error(err, "The process does not lead any more", "recoveryDeadline", l.deadline)
		if err := l.stop(ctx, set); err != nil {
			return fmt.Errorf("%w, and %w", lost, err)
		}
		if set, err = l.newSet(); err != nil {
			return err
		}
		away = l.deadline
	}
}

var errAway = errors.New("the API server has not answered since")

// lead competes for the leases of a set, and leads while it holds them. It returns nil when ctx is done, and an error when a lease is
// lost, or if the API server does not answer for longer than away, unless that is 0.
func (l *leadership) lead(ctx context.Context, set *leases.Set, away time.Duration) error {
	competing, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- set.Run(competing) }()
	if away > 0 {
		deadline := time.NewTimer(away)
		defer deadline.Stop()
		select {
		case <-set.Reached():
			klog.FromContext(ctx).Info("The API server answers, the process competes for its leases as a newcomer", "leases", l.names)
		case <-deadline.C:
			cancel()
			return errors.Join(fmt.Errorf("%w: %v", errAway, away), <-ended)
		case <-ctx.Done():
		}
	}
	defer cancel()
	select {
	case <-set.Held():
		l.Begin(set.Check)
		return <-ended
	case err := <-ended:
		return err
	}
}

// stop ends the term, and waits until everything that belongs to it has returned. It returns an error if that takes until the leases
// expire: another process may lead then.
func (l *leadership) stop(ctx context.Context, set *leases.Set) error {
	term := l.Last()
	if term == nil {
		return nil
	}
	expired := time.NewTimer(max(time.Until(set.Expiry()), membership.Leaving))
	defer expired.Stop()
	select {
	case <-term.End():
	case <-ctx.Done():
	case <-expired.C:
		return membership.ErrStuck
	}
	return nil
}

// while runs a function in each term until ctx is done or it fails. The context of the function is done at the end of the term, too.
func (l *leadership) while(ctx context.Context, run func(context.Context) error) error {
	return leading.Each(ctx, l.Join, func(ctx, term context.Context) error {
		working, cancel := context.WithCancelCause(term)
		defer cancel(nil)
		defer context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })()
		return run(working)
	})
}

// sayStandby says which leases the process does not have.
func (m *Manager) sayStandby(w http.ResponseWriter) {
	m.replicas.sayStandby(w)
	for _, l := range m.leaderships {
		if last := l.Last(); l.set != nil && (last == nil || !last.Allows()) {
			var names []string
			for _, name := range l.names {
				names = append(names, name.String())
			}
			_, _ = fmt.Fprintf(w, "does not lead: waits for lease %s\n", strings.Join(names, ", "))
		}
	}
}
