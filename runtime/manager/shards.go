package manager

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/uuid"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sharing"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/member"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/membership"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/terms"
)

// Shards configures [WithShards].
type Shards struct {
	// Slots is the largest number of replicas that share the work; more stand by. The default is 16. Each has a Lease,
	// <name of the manager>-member-0 and so on, which the role must allow.
	Slots int
}

// WithShards lets the replicas of the manager share the objects of controllers with [controller.Sharded]: each reconciles and caches some.
// All other controllers, and functions of [OnlyLeader], run in one of the replicas, the coordinator. It needs leader election. When
// replicas come and go, parts move: a replica finishes with an object before another one begins. No process without shards reconciles at
// the same time, as it needs the lease of the manager, which the replicas hold together. By default, one replica does all the work.
func WithShards(shards Shards) Option {
	if shards.Slots == 0 {
		shards.Slots = 16
	}
	return func(s *settings) { s.shards = &shards }
}

// checkShards returns an error for settings that contradict WithShards.
func (s *settings) checkShards() error {
	switch e := s.election; {
	case s.shards == nil:
		return nil
	case e == nil:
		return nil // on a developer's machine: one process has everything
	case s.shards.Slots < 1:
		return fmt.Errorf("WithShards: %d slots: at least one is needed", s.shards.Slots)
	case s.leasePerController:
		return errors.New("LeasePerController contradicts WithShards")
	case e.RetryPeriod < time.Second || e.RetryPeriod > e.LeaseDuration/7:
		return fmt.Errorf("WithShards: the retry period %v must be at least a second, and at most a seventh of the lease duration %v",
			e.RetryPeriod, e.LeaseDuration)
	}
	return nil
}

// settle is how long a new replica waits for objects that others have: a rollout starts replicas one after the other.
const settle = 10 * time.Second

// replicas is the place of the process among the replicas that share the work.
type replicas struct {
	manager *Manager
	shares  []*sharing.Share
	// member is for sharded controllers, coordinator for everything else. All terms end with a membership.
	member, coordinator *terms.Seat

	lock sync.Mutex
	// unserved are the controllers that no replica serves.
	unserved []string
}

// newReplicas returns the replicas of a manager, or nil without shards.
func newReplicas(m *Manager) *replicas {
	if m.settings.shards == nil || m.settings.election == nil {
		return nil
	}
	return &replicas{manager: m, member: &terms.Seat{}, coordinator: &m.leadershipOf("").Seat}
}

// share returns the share of a controller, which has no effect unless it is sharded.
func (g *replicas) share(name string) *sharing.Share {
	m := g.manager
	share := sharing.New(name, g.member.Join, m.settings.informers...)
	g.shares = append(g.shares, share)
	m.definitions.Extend(share.Factory())
	if m.settings.metrics != nil {
		m.settings.metrics.Informers(share.Factory().Describe)
	}
	return share
}

// used returns the shares of sharded controllers, by name.
func (g *replicas) used() map[string]*sharing.Share {
	all := map[string]*sharing.Share{}
	if g == nil {
		return all
	}
	for _, share := range g.shares {
		if share.Used() {
			all[share.Name()] = share
		}
	}
	return all
}

// factories returns the factories of sharded controllers.
func (g *replicas) factories() (all []*informer.Factory) {
	for _, share := range g.used() {
		all = append(all, share.Factory())
	}
	return all
}

// config returns the configuration of a new member.
func (g *replicas) config() (config member.Config, err error) {
	m := g.manager
	host, err := os.Hostname()
	if err != nil {
		return config, err
	}
	requests, watches, err := m.leaseClients()
	if err != nil {
		return config, err
	}
	e := m.settings.election
	config = member.Config{
		Config: shards.Config{
			Name: m.name, Identity: host + "_" + string(uuid.NewUUID()), Slots: m.settings.shards.Slots,
			Timing: shards.Timing{Lease: e.LeaseDuration, Renew: e.RetryPeriod, Write: m.leaseTimeout(), Settle: settle},
		},
		Namespace: e.Namespace, Requests: requests, Watches: watches, Record: m.record,
	}
	for _, gate := range m.settings.leaseNames(m.name, true)[1:] {
		name := gate.Name
		if gate.Namespace != e.Namespace {
			name = gate.String()
		}
		config.AlsoHold = append(config.AlsoHold, name)
	}
	for name := range g.used() {
		config.Controllers = append(config.Controllers, name)
	}
	slices.Sort(config.Controllers)
	return config, nil
}

// run takes part until ctx is done. After others may have taken the process for dead, it takes part again, as a newcomer. It returns an
// error when the process must end.
func (g *replicas) run(ctx context.Context) error {
	deadline := g.manager.settings.recoveryDeadline
	if len(g.used()) == 0 {
		klog.FromContext(ctx).Info("No controller is sharded: the replicas of WithShards share nothing, see controller.Sharded")
	}
	var lost error
	for away := time.Duration(0); ; away = deadline {
		err := g.takePart(ctx, away)
		var dropped *member.DroppedError
		switch {
		case err == nil:
			return nil
		case errors.Is(err, membership.ErrStuck):
			return err
		case errors.Is(err, errAway):
			return fmt.Errorf("%w, and %w", lost, err)
		case !errors.As(err, &dropped) || deadline == 0:
			return err
		case ctx.Err() != nil:
			return nil
		}
		lost = err
		klog.FromContext(ctx).Error(err, "The process joins its group again", "recoveryDeadline", deadline)
	}
}

// takePart is one membership. It returns an error if the API server does not answer for longer than away, unless that is 0.
func (g *replicas) takePart(ctx context.Context, away time.Duration) error {
	config, err := g.config()
	if err != nil {
		return err
	}
	taking, end := context.WithCancelCause(ctx)
	defer end(nil)
	if away > 0 {
		deadline := time.AfterFunc(away, func() { end(fmt.Errorf("%w: %v", errAway, away)) })
		config.Reached = func() { deadline.Stop() }
		defer deadline.Stop()
	}
	current := membership.New(membership.Config{
		Shares: g.used(), Member: g.member, Coordinator: g.coordinator, Fail: g.manager.fail, Unserved: g.setUnserved,
	})
	err = member.Run(taking, config, current)
	stuck := current.End(ctx)
	if cause := context.Cause(taking); errors.Is(cause, errAway) {
		err = cause
	}
	return errors.Join(err, stuck)
}

// setUnserved notes and logs the controllers that no replica serves.
func (g *replicas) setUnserved(controllers []string) {
	g.lock.Lock()
	defer g.lock.Unlock()
	g.unserved = controllers
	if len(controllers) > 0 {
		klog.Background().Info("No replica has these controllers: their objects are not reconciled", "controllers", controllers)
	}
}

// sayStandby says that the process has no part of the objects.
func (g *replicas) sayStandby(w io.Writer) {
	if g == nil {
		return
	}
	g.lock.Lock()
	defer g.lock.Unlock()
	if last := g.member.Last(); last == nil || !last.Allows() {
		_, _ = fmt.Fprintln(w, "has no part of the objects: waits for a place in the group")
	}
	if len(g.unserved) > 0 {
		_, _ = fmt.Fprintf(w, "no replica has the controllers %s\n", strings.Join(g.unserved, ", "))
	}
}
