package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// tally is a reconciler that only counts how often it has seen each workload, and records when it first saw a write.
type tally struct {
	// mark is the value that a write leaves in an object, see writeAnnotation.
	mark   string
	counts []atomic.Int32
	// seen is the time when the mark was first seen, in nanoseconds since start.
	start time.Time
	seen  []atomic.Int64

	total   atomic.Int64
	waiting atomic.Pointer[target]
	strange atomic.Int64 // unexpected objects
}

// target is a total to wait for.
type target struct {
	total   int64
	reached chan struct{}
	at      time.Time // to be read after reached
}

func newTally(objects int, mark string) *tally {
	return &tally{mark: mark, counts: make([]atomic.Int32, objects), start: time.Now(), seen: make([]atomic.Int64, objects)}
}

// see counts an object.
func (t *tally) see(object *fleetv1.Workload) {
	number, err := numberOf(object.Name)
	if err != nil || number < 0 || number >= len(t.counts) {
		t.strange.Add(1)
		return
	}
	t.counts[number].Add(1)
	if t.mark != "" && object.Annotations[writeAnnotation] == t.mark {
		t.seen[number].CompareAndSwap(0, int64(time.Since(t.start)))
	}
	total := t.total.Add(1)
	if target := t.waiting.Load(); target != nil && total == target.total {
		target.at = time.Now()
		close(target.reached)
	}
}

// expect returns a target that is reached after the given total number of calls of see. It must be called before the last of
// them.
func (t *tally) expect(total int) *target {
	reached := &target{total: int64(total), reached: make(chan struct{})}
	t.waiting.Store(reached)
	return reached
}

// settle is the idle time after which no more reconciles are expected. Duplicates come at once.
const settle = 100 * time.Millisecond

// settled waits until the controller is idle.
func (t *tally) settled(ctx context.Context) error {
	for before := int64(-1); before != t.total.Load(); {
		before = t.total.Load()
		select {
		case <-time.After(settle):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// check returns an error unless each object was seen as often as it should have been.
func (t *tally) check(want func(number int) int) error {
	var lost, doubled []int
	for number := range t.counts {
		switch got, want := int(t.counts[number].Load()), want(number); {
		case got < want:
			lost = append(lost, number)
		case got > want:
			doubled = append(doubled, number)
		}
	}
	var errs []error
	report := func(what string, numbers []int) {
		if len(numbers) > 0 {
			first := numbers[0]
			errs = append(errs, fmt.Errorf("%s work for %d objects: %s was reconciled %d times, not %d",
				what, len(numbers), nameOf(first), t.counts[first].Load(), want(first)))
		}
	}
	report("lost", lost)
	report("doubled", doubled)
	if strange := t.strange.Load(); strange > 0 {
		errs = append(errs, fmt.Errorf("%d reconciles of objects that do not exist", strange))
	}
	return errors.Join(errs...)
}
