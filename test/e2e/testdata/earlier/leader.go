package main

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
)

// leaseName is the name of the lease for leader election.
const leaseName = "workload-controller"

// candidate competes for leadership.
type candidate struct {
	namespace string
	elector   *leaderelection.LeaderElector
	elected   chan<- struct{}

	lock sync.Mutex
	won  bool
	// giveUp cancels the current attempt to acquire the lease.
	giveUp context.CancelFunc
}

// newCandidate returns a candidate that closes elected when it becomes the leader. It has its own client, so that the
// controller's requests do not delay leader election. The lease carries the record to the next leader.
func newCandidate(config *rest.Config, o options, elected chan<- struct{}, record *handover.Record) (*candidate, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	config = rest.AddUserAgent(rest.CopyConfig(config), "leader-election")
	config.Timeout = max(o.renewDeadline/2, time.Second) // so that a request that hangs does not cost the lease
	client, err := coordinationv1client.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: o.leaseNamespace, Name: leaseName},
		Client:     record.Leases(client),
		LockConfig: resourcelock.ResourceLockConfig{Identity: host + "_" + uuid.NewString()},
	}
	c := &candidate{namespace: o.leaseNamespace, elected: elected}
	c.elector, err = leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Name:            leaseName,
		Lock:            lock,
		LeaseDuration:   o.lease,
		RenewDeadline:   o.renewDeadline,
		RetryPeriod:     o.retry,
		ReleaseOnCancel: true,
		Callbacks:       leaderelection.LeaderCallbacks{OnStartedLeading: c.win, OnStoppedLeading: func() {}},
	})
	return c, err
}

// run runs the controller, which stands by until the candidate becomes the leader. The lease is released when all
// reconciles have finished, so that another candidate can take over immediately.
func (c *candidate) run(ctx context.Context, kube kubernetes.Interface, runController func(context.Context) error) error {
	electing, stopElecting := context.WithCancel(context.WithoutCancel(ctx))
	defer stopElecting()
	stopWatching, err := c.watchLease(electing, kube)
	if err != nil {
		return err
	}
	lost := make(chan struct{})
	go func() {
		defer close(lost)
		c.compete(electing)
	}()
	ended := make(chan error, 1)
	go func() { ended <- runController(ctx) }()
	select {
	case err := <-ended:
		stopElecting()
		<-lost
		stopWatching()
		return err
	case <-lost:
		// There may be another leader already. The process must exit, which ends reconciles in flight.
		return errors.New("leader election lost")
	}
}

// compete acquires the lease and renews it until it is lost or the context is done.
func (c *candidate) compete(ctx context.Context) {
	for ctx.Err() == nil {
		attempt, giveUp := context.WithCancel(ctx)
		c.lock.Lock()
		c.giveUp = giveUp
		c.lock.Unlock()
		c.elector.Run(attempt)
		giveUp()
		c.lock.Lock()
		won := c.won
		c.lock.Unlock()
		if won {
			return
		}
	}
}

// win is called when an attempt acquires the lease.
func (c *candidate) win(attempt context.Context) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if attempt.Err() == nil {
		c.won = true
		close(c.elected)
	}
}

// tryNow starts another attempt without waiting for the retry period.
func (c *candidate) tryNow() {
	c.lock.Lock()
	defer c.lock.Unlock()
	if !c.won && c.giveUp != nil {
		c.giveUp()
	}
}

// watchLease watches the lease and starts another attempt when it is released. It stops when the context is done; wait
// blocks until then.
func (c *candidate) watchLease(ctx context.Context, kube kubernetes.Interface) (wait func(), err error) {
	factory := informers.NewSharedInformerFactoryWithOptions(kube, 0, informers.WithNamespace(c.namespace),
		informers.WithTweakListOptions(func(options *metav1.ListOptions) {
			options.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, leaseName).String()
		}))
	_, err = factory.Coordination().V1().Leases().TypedInformer().AddTypedEventHandler(cache.TypedResourceEventHandlerFuncs[*coordinationv1.Lease]{
		UpdateFunc: func(_, lease *coordinationv1.Lease) {
			if ptr.Deref(lease.Spec.HolderIdentity, "") == "" {
				c.tryNow()
			}
		},
	})
	factory.StartWithContext(ctx)
	return factory.Shutdown, err
}
