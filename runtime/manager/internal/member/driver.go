package member

import (
	"context"
	"sync"
	"time"

	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sleepless"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards"
)

// driver carries out the outputs of the machine of a member.
type driver struct {
	config  Config
	work    Work
	machine *shards.Machine
	inbox   *inbox
	leases  *leases
	// requests are the goroutines of requests in flight.
	requests sync.WaitGroup
	// listing is set while a list is in flight; relist if one has to begin after it.
	listing, relist bool
	listed          time.Time
	// reached is set when the API server has answered.
	reached bool
	said    saying
}

func newDriver(config Config, work Work) *driver {
	return &driver{
		config: config, work: work, machine: shards.New(config.Config), inbox: newInbox(), leases: newLeases(config),
	}
}

// listEnded is the internal event after a list.
type listEnded struct {
	shards.Event

	err error
}

// run gives the machine its events until it is over.
func (d *driver) run(ctx context.Context) error {
	tick := time.NewTicker(d.config.Timing.Renew / 4)
	defer tick.Stop()
	d.list(ctx)
	for {
		select {
		case <-tick.C:
			d.inbox.add(shards.Tick{})
		case <-d.inbox.filled:
		}
		for _, event := range d.inbox.take() {
			if over, err := d.step(ctx, event); over {
				return err
			}
		}
		if sleepless.Now().Sub(d.listed) >= d.config.Timing.Renew/2 {
			d.list(ctx)
		}
	}
}

// step gives the machine an event, and carries out its answer.
func (d *driver) step(ctx context.Context, event shards.Event) (over bool, err error) {
	switch e := event.(type) {
	case listEnded:
		d.listing = false
		d.said.say(ctx, "list", e.err)
		d.reach(e.err == nil)
		if d.relist {
			d.list(ctx)
		}
		if event = e.Event; event == nil {
			event = shards.Tick{}
		}
	case shards.Failed:
		d.list(ctx)
	case shards.Leave:
		if !d.reached {
			return true, nil
		}
	}
	for _, output := range d.machine.Step(sleepless.Now(), event) {
		if over, err = d.perform(ctx, output); over {
			return true, err
		}
	}
	return false, nil
}

// reach notes that the API server has answered for the first time.
func (d *driver) reach(answered bool) {
	if d.reached || !answered {
		return
	}
	d.reached = true
	if d.config.Reached != nil {
		d.config.Reached()
	}
}

// list lists the Leases, now or as soon as the list in flight has ended.
func (d *driver) list(ctx context.Context) {
	if d.relist = d.listing; d.relist {
		return
	}
	d.listing, d.listed = true, sleepless.Now()
	d.requests.Go(func() {
		seen, err := d.leases.list(ctx)
		if err != nil {
			d.inbox.add(listEnded{err: err})
			return
		}
		d.inbox.add(listEnded{Event: seen})
	})
}

// perform carries out an output.
func (d *driver) perform(ctx context.Context, output shards.Output) (over bool, err error) {
	logger := klog.FromContext(ctx)
	switch o := output.(type) {
	case shards.Write:
		d.write(ctx, o)
	case shards.Fence:
		d.work.Fence(o.Until)
	case shards.Open:
		logger.Info("Taking over buckets", "controller", o.Controller, "buckets", o.Buckets.Len())
		d.work.Open(o.Controller, o.Buckets, func(opened shards.Set) {
			d.inbox.add(shards.Opened{Controller: o.Controller, Buckets: opened})
		})
	case shards.Close:
		logger.Info("Handing over buckets", "controller", o.Controller, "buckets", o.Buckets.Len())
		d.work.Close(o.Controller, o.Buckets, func() { d.inbox.add(shards.Drained(o)) })
	case shards.Lead:
		logger.Info("This process coordinates the group")
		d.work.Lead()
	case shards.Follow:
		d.work.Follow(func() { d.inbox.add(shards.Followed{}) })
	case shards.Unserved:
		d.work.Unserved(o.Controllers)
	case shards.Unreadable:
		logger.Error(nil, "Ignoring a Lease of another version of the protocol", "lease", o.Name, "reason", o.Reason)
	case shards.Left:
		logger.Info("This process has left its group")
		return true, nil
	case shards.Drop:
		return true, &DroppedError{o.Reason}
	}
	return false, nil
}

// write sends a write, which is given up at its deadline. An answer that comes later would be about a Lease that others may have.
func (d *driver) write(ctx context.Context, write shards.Write) {
	sending, cancel := context.WithTimeout(ctx, write.Deadline.Sub(sleepless.Now()))
	d.requests.Go(func() {
		defer cancel()
		version, err := d.leases.write(sending, write)
		if err != nil {
			d.inbox.add(shards.Failed{Name: write.Lease.Name})
		} else {
			d.inbox.add(shards.Wrote{Name: write.Lease.Name, Version: version})
		}
		d.said.say(ctx, write.Lease.Name, err)
	})
}
