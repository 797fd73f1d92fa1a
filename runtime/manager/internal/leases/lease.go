package leases

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	klog "k8s.io/klog/v2"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sleepless"
)

// lease competes for a lease.
type lease struct {
	name     cache.ObjectName
	identity string
	duration time.Duration
	elector  *leaderelection.LeaderElector
	// won is closed when the lease is held.
	won chan struct{}

	// ending reports whether the process ends in order, so that nothing is in flight.
	ending func() bool

	lock sync.Mutex
	// giveUp cancels the current attempt to acquire the lease.
	giveUp context.CancelFunc
	// busy is set while a request is in flight, and again if it shall be followed by another attempt.
	busy, again bool
	// acquired is set while the process has the lease according to its last request.
	acquired bool
	// renewed is when the last successful renewal was sent, by a clock that does not sleep; zero before the first.
	renewed time.Time
	// taken is when another process was last seen to have the lease; zero if nobody or this process was seen since.
	taken time.Time
	// said is the last trouble that was logged.
	said string
	// reached is closed when the API server has answered a request.
	reached chan struct{}
}

func newLease(name cache.ObjectName, config Config) (*lease, error) {
	l := &lease{name: name, identity: config.Identity, duration: config.LeaseDuration, won: make(chan struct{}),
		reached: make(chan struct{})}
	var err error
	l.elector, err = leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Name: name.Name,
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name},
			Client:     config.Record.Leases(requests{config.Requests, l}),
			LockConfig: resourcelock.ResourceLockConfig{Identity: config.Identity},
		},
		LeaseDuration:   config.LeaseDuration,
		RenewDeadline:   config.RenewDeadline - config.RetryPeriod, // its own deadline begins a retry period after the last renewal
		RetryPeriod:     config.RetryPeriod,
		ReleaseOnCancel: true,
		Callbacks:       leaderelection.LeaderCallbacks{OnStartedLeading: l.win, OnStoppedLeading: func() {}},
	})
	return l, err
}

// watch starts another attempt as soon as another process releases the lease.
func (l *lease) watch(factory *informer.Factory, source informer.Source[*coordinationv1.Lease]) error {
	watched := informer.For(factory, source, informer.WithNamespaces(l.name.Namespace),
		informer.WithFields(fields.OneTermEqualSelector(metav1.ObjectNameField, l.name.Name)))
	_, err := watched.AddHandler(informer.HandlerFuncs[*coordinationv1.Lease]{
		Updated: func(_, after *coordinationv1.Lease) {
			if ptr.Deref(after.Spec.HolderIdentity, "") == "" {
				l.tryNow()
			}
		},
	})
	return err
}

// attempting is a key of the contexts of attempts and renewals. The elector releases a lease with another context.
type attempting struct{}

var (
	errNotReleased = errors.New("not released: reconciles may be in flight")
	errDeleted     = errors.New("deleted while another process held it, which may create it again")
	errExpired     = errors.New("not renewed: it has run out, and the process may have been told so")
)

// refuse returns an error for requests that would let two processes lead. After a loss, reconciles are in flight, so the lease must not be
// released, but run out. A lease that has run out is not renewed, even if nobody else has acquired it: writes may have been refused for
// that. A leader whose lease is deleted leads until its next renewal, which creates the lease again. The caller holds
// the lock.
func (l *lease) refuse(ctx context.Context, verb string) error {
	switch {
	case ctx.Value(attempting{}) == nil && l.holds() && !l.ending():
		return errNotReleased
	case verb != "get" && l.holds() && sleepless.Since(l.renewed) > l.duration:
		l.giveUp()
		return errExpired
	case verb == "create" && time.Since(l.taken) < l.duration:
		return errDeleted
	}
	return nil
}

// hold acquires the lease and renews it until ctx is done. It returns an error if the lease is lost before that.
func (l *lease) hold(ctx context.Context) error {
	logger := klog.FromContext(ctx).WithValues("lease", l.name)
	logger.Info("Waiting for the lease", "identity", l.identity)
	// The elector would log each failed request; requests logs them when they change.
	quietly := context.WithValue(klog.NewContext(ctx, klog.Logger{}), attempting{}, true)
	for ctx.Err() == nil {
		attempt, giveUp := context.WithCancel(quietly)
		l.lock.Lock()
		l.giveUp = giveUp
		l.lock.Unlock()
		l.elector.Run(attempt)
		giveUp()
		if l.holds() {
			break
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("lease %s is lost", l.name)
}

// holds reports whether an attempt has acquired the lease.
func (l *lease) holds() bool {
	select {
	case <-l.won:
		return true
	default:
		return false
	}
}

// win is called when an attempt acquires the lease.
func (l *lease) win(attempt context.Context) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if attempt.Err() == nil {
		close(l.won)
	}
}

// tryNow starts another attempt without waiting for the retry period. It does not cancel a request, which may acquire the lease.
func (l *lease) tryNow() {
	l.lock.Lock()
	defer l.lock.Unlock()
	switch {
	case l.acquired || l.holds():
	case l.busy:
		l.again = true
	case l.giveUp != nil:
		l.giveUp()
	}
}

// overdue returns how long ago the lease was renewed, and whether that is longer than it lasts.
func (l *lease) overdue() (time.Duration, bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	age := sleepless.Since(l.renewed)
	return age, l.holds() && age > l.duration
}

// requests is the client of a lease. It notes successful renewals and logs why the process does not hold the lease.
type requests struct {
	coordinationv1client.LeasesGetter

	lease *lease
}

// Leases implements coordinationv1client.LeasesGetter.
func (r requests) Leases(namespace string) coordinationv1client.LeaseInterface {
	return client{r.LeasesGetter.Leases(namespace), r.lease}
}

type client struct {
	coordinationv1client.LeaseInterface

	lease *lease
}

// Get implements coordinationv1client.LeaseInterface.
func (c client) Get(ctx context.Context, name string, options metav1.GetOptions) (*coordinationv1.Lease, error) {
	return c.lease.request(ctx, "get", func(ctx context.Context) (*coordinationv1.Lease, error) {
		return c.LeaseInterface.Get(ctx, name, options)
	})
}

// Create implements coordinationv1client.LeaseInterface.
func (c client) Create(ctx context.Context, lease *coordinationv1.Lease, options metav1.CreateOptions) (*coordinationv1.Lease, error) {
	return c.lease.request(ctx, "create", func(ctx context.Context) (*coordinationv1.Lease, error) {
		return c.LeaseInterface.Create(ctx, lease, options)
	})
}

// Update implements coordinationv1client.LeaseInterface.
func (c client) Update(ctx context.Context, lease *coordinationv1.Lease, options metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	return c.lease.request(ctx, "update", func(ctx context.Context) (*coordinationv1.Lease, error) {
		return c.LeaseInterface.Update(ctx, lease, options)
	})
}

// request sends a request, and notes the state of the lease in the answer.
func (l *lease) request(
	ctx context.Context, verb string, send func(context.Context) (*coordinationv1.Lease, error),
) (*coordinationv1.Lease, error) {
	if err := ctx.Err(); err != nil {
		return nil, err // of an attempt that has been given up
	}
	l.lock.Lock()
	if err := l.refuse(ctx, verb); err != nil {
		defer l.lock.Unlock()
		l.say(nil, verb, err)
		return nil, err
	}
	l.busy = true
	l.lock.Unlock()
	sent := sleepless.Now()
	if verb != "get" && !l.holds() {
		ctx = context.WithoutCancel(ctx) // the API server may execute a request that is canceled: the lease would not be released
	}
	lease, err := send(ctx)
	l.lock.Lock()
	defer l.lock.Unlock()
	l.busy = false
	if err == nil {
		l.answered(lease, verb, sent)
	}
	if answers(err) {
		l.noteReached()
	}
	if l.again && !l.acquired && !l.holds() {
		l.giveUp()
	}
	l.again = false
	l.say(lease, verb, err)
	return lease, err
}

// answered notes who holds the lease. If this process held it, and another one has it, the attempt ends: this process was frozen, and the
// elector would try to renew the lease until its deadline. The caller holds the lock.
func (l *lease) answered(lease *coordinationv1.Lease, verb string, sent time.Time) {
	holder := ptr.Deref(lease.Spec.HolderIdentity, "")
	if verb != "get" {
		l.renewed, l.acquired = sent, holder == l.identity
	}
	if holder == "" || holder == l.identity {
		l.taken = time.Time{}
		return
	}
	l.taken = time.Now()
	if l.holds() {
		l.giveUp()
	}
}
