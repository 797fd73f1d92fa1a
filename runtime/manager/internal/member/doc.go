// Package member drives the protocol of package shards with Leases of an API server: it lists, watches and writes them, and tells a
// process what to serve.
package member

import (
	"context"
	"errors"
	"fmt"
	"time"

	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards"
)

// Config configures [Run].
type Config struct {
	// Config is for the protocol. Names of AlsoHold may have a namespace, as in "robot-system/robot-controller".
	shards.Config
	// Namespace has the Leases of the group.
	Namespace string
	// Requests reads and writes Leases. Its requests need a timeout, which is Timing.Write.
	Requests coordinationv1client.LeasesGetter
	// Watches watches them.
	Watches coordinationv1client.LeasesGetter
	// Record is left in the Lease of the coordinator.
	Record *handover.Record
	// Reached is called when the API server has answered for the first time. It may be nil.
	Reached func()
}

// Work carries out the instructions of a member. Methods are called one after the other, and must not block: Leases would not be renewed.
type Work interface {
	// Fence allows writes until a time of sleepless.Now. It is called with later and later times. Afterwards, writes must not be sent.
	Fence(until time.Time)
	// Open asks to list buckets of a controller and to reconcile their objects. The lists begin now. It calls opened then, with the buckets
	// that have not closed meanwhile.
	Open(controller string, buckets shards.Set, opened func(shards.Set))
	// Close asks to drop the queued objects of buckets, and to call drained when no reconcile of them runs, and none of their writes is in
	// flight.
	Close(controller string, buckets shards.Set, drained func())
	// Lead asks to start what only one process runs. Follow asks to end it, and to call followed when it has ended.
	Lead()
	Follow(followed func())
	// Unserved names the controllers that no member serves, when that changes. Only the coordinator knows.
	Unserved(controllers []string)
}

// DroppedError is returned when other processes may take the member for dead. It must write nothing any more. The process may join again
// with another identity.
type DroppedError struct{ Reason string }

// Error implements error.
func (e *DroppedError) Error() string {
	return "this process is no member of its group any more: " + e.Reason
}

// Run takes part in the protocol until ctx is done; then it leaves in order: the other members get its buckets after they have drained.
// It returns nil when it has left, or a DroppedError. What Work has started may still run then.
func Run(ctx context.Context, config Config, work Work) error {
	if err := config.check(); err != nil {
		return err
	}
	ctx = klog.NewContext(ctx, klog.FromContext(ctx).WithValues("member", config.Identity))
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d := newDriver(config, work)
	defer d.requests.Wait()
	defer cancel()
	stop, err := d.watch(running)
	if err != nil {
		return err
	}
	defer stop()
	defer context.AfterFunc(ctx, func() { d.inbox.add(shards.Leave{}) })()
	return d.run(running)
}

// check returns an error for a configuration that is not safe.
func (c Config) check() error {
	if t := c.Timing; t.Renew < time.Second || t.Renew > t.Lease/7 || t.Write <= 0 || t.Write >= t.Lease {
		return fmt.Errorf("members renew their Leases every %v, which last for %v: the retry period must be at least a second, and at most "+
			"a seventh of the lease duration", t.Renew, t.Lease)
	}
	if c.Slots < 1 {
		return errors.New("a group needs at least one slot")
	}
	return nil
}
