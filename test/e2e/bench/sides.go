package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetcontrollers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// runner is the common interface of both sides.
type runner interface {
	// Run reconciles until ctx is done.
	Run(ctx context.Context) error
	Enqueue(name cache.ObjectName)
}

// side is one implementation of a controller for workloads.
type side struct {
	name string
	make func(w *world, workers int, t *tally) (runner, error)
}

// generated is the generated controller for workloads, on the shared cache.
var generated = side{"generated", func(w *world, workers int, t *tally) (runner, error) {
	return fleetcontrollers.NewWorkloadController(w.client, w.kube, noop{t},
		controller.WithWorkers(workers), controller.WithFactory(w.factory.Factory))
}}

// handWritten is the controller of handwritten.go, on the same cache.
var handWritten = side{"by hand", func(w *world, workers int, t *tally) (runner, error) {
	return newLoop(w.factory.Fleet().V1().Workloads(), workers, func(_ context.Context, object *fleetv1.Workload) error {
		t.see(object)
		return nil
	})
}}

// noop adapts a tally to the generated controller.
type noop struct{ *tally }

func (n noop) Reconcile(_ context.Context, object *fleetv1.Workload) (controller.Result, error) {
	n.see(object)
	return controller.Result{}, nil
}

func (n noop) ReconcileDeleted(context.Context, cache.ObjectName) error {
	n.strange.Add(1)
	return nil
}

func (n noop) Finalize(context.Context, *fleetv1.Workload) error {
	n.strange.Add(1)
	return nil
}

// trial is a running controller of one side.
type trial struct {
	runner
	*tally
	stop  context.CancelFunc
	ended chan error
}

// try starts a controller, waits until it has reconciled everything, and returns the time.
func try(ctx context.Context, s side, w *world, workers int, t *tally) (*trial, time.Duration, error) {
	all := t.expect(len(w.names))
	start := time.Now()
	c, err := s.make(w, workers, t)
	if err != nil {
		return nil, 0, err
	}
	r := &trial{runner: c, tally: t, ended: make(chan error, 1)}
	ctx, r.stop = context.WithCancel(ctx)
	go func() { r.ended <- c.Run(ctx) }()
	if err := r.wait(ctx, all, times(1)); err != nil {
		r.stop()
		return nil, 0, err
	}
	return r, all.at.Sub(start), nil
}

// times expects n reconciles of each object.
func times(n int) func(int) int { return func(int) int { return n } }

// wait waits for a target, and describes what is missing if it is not reached.
func (r *trial) wait(ctx context.Context, all *target, want func(int) int) error {
	select {
	case <-all.reached:
		return nil
	case err := <-r.ended:
		return fmt.Errorf("the controller has stopped: %w", err)
	case <-time.After(patience):
		return fmt.Errorf("not done after %v: %w", patience, r.check(want))
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// finish waits until the controller is idle, stops it, and checks how often each object was reconciled.
func (r *trial) finish(ctx context.Context, want func(int) int) error {
	err := r.settled(ctx)
	r.stop()
	if ended := <-r.ended; ended != nil {
		return ended
	}
	if err != nil {
		return err
	}
	return r.check(want)
}
