package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// writesPerSecond is the load for measuring latency, with latencyWorkers workers.
const (
	writesPerSecond = 500
	latencyWorkers  = 4
)

var workerCounts = []int{1, 4, 16}

// passes is how often a controller is started, and all objects are enqueued again, in one run.
const passes = 3

// sidesInTurn measures both sides.
func (b *bench) sidesInTurn(what string, run func(side) (sample, error)) (byHand, ours sample, err error) {
	medians, err := b.inTurn(what,
		contestant{Name: handWritten.name, Run: func() (sample, error) { return run(handWritten) }},
		contestant{Name: generated.name, Run: func() (sample, error) { return run(generated) }})
	if err != nil {
		return nil, nil, err
	}
	return medians[0], medians[1], nil
}

// reconcile measures the number of reconciles per second.
func (b *bench) reconcile(ctx context.Context) error {
	if err := b.world.warm(ctx); err != nil {
		return err
	}
	for _, workers := range workerCounts {
		byHand, ours, err := b.sidesInTurn(fmt.Sprintf("reconcile, %d workers", workers), func(s side) (sample, error) {
			return b.reconcileOnce(ctx, s, workers)
		})
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%d workers", workers)
		if workers == 1 {
			name = "1 worker"
		}
		for i, what := range []string{"all objects at the start, ", "all objects queued again, "} {
			b.results.add(comparison{what: what + name, unit: perSecond, theirs: byHand[2*i], ours: ours[2*i], moreIsBetter: true, target: true})
			if byHand[2*i+1] > 0 {
				b.results.add(comparison{what: what + name + ", CPU time", unit: microseconds, theirs: byHand[2*i+1], ours: ours[2*i+1], target: true})
			}
		}
	}
	return nil
}

// reconcileOnce returns the reconciles per second from the start of a controller, when the cache delivers all objects to its
// handlers, and the CPU seconds per reconcile; then the same for enqueueing all objects again. Everything is done several times:
// whether a garbage collection falls into a start is random, and it takes a third of the time.
func (b *bench) reconcileOnce(ctx context.Context, s side, workers int) (sample, error) {
	names := b.world.names
	var r *trial
	var started time.Duration
	var startCPU float64
	for pass := range passes {
		cpu := harness.CPUTime()
		next, took, err := try(ctx, s, b.world, workers, newTally(len(names), ""))
		if err != nil {
			return nil, err
		}
		started += took
		startCPU += (harness.CPUTime() - cpu).Seconds()
		if r = next; pass == passes-1 {
			break
		}
		if err := r.finish(ctx, times(1)); err != nil {
			return nil, err
		}
	}
	var took time.Duration
	cpu := harness.CPUTime()
	for pass := range passes {
		all := r.expect((2 + pass) * len(names))
		start := time.Now()
		for _, name := range names {
			r.Enqueue(name)
		}
		if err := r.wait(ctx, all, times(2+pass)); err != nil {
			r.stop()
			return nil, err
		}
		took += all.at.Sub(start)
	}
	cpu = harness.CPUTime() - cpu
	if err := r.finish(ctx, times(1+passes)); err != nil {
		return nil, err
	}
	n := float64(len(names))
	return sample{passes * n / started.Seconds(), startCPU / n / passes, passes * n / took.Seconds(), cpu.Seconds() / n / passes}, nil
}

// latency measures the time from a write to the reconcile that sees it.
func (b *bench) latency(ctx context.Context) error {
	if err := b.world.warm(ctx); err != nil {
		return err
	}
	byHand, ours, err := b.sidesInTurn("latency", func(s side) (sample, error) { return b.latencyOnce(ctx, s) })
	if err != nil {
		return err
	}
	at := fmt.Sprintf(" at %.0f writes/s", min(byHand[2], ours[2]))
	b.results.add(comparison{what: "write to reconcile" + at + ", p50", unit: milliseconds, theirs: byHand[0], ours: ours[0], target: true})
	b.results.add(comparison{what: "write to reconcile" + at + ", p99", unit: milliseconds, theirs: byHand[1], ours: ours[1], target: true})
	return nil
}

// latencyOnce returns two percentiles of the seconds from a write to its reconcile, and the writes per second.
func (b *bench) latencyOnce(ctx context.Context, s side) (sample, error) {
	names, writes := b.world.names, b.options.writes()
	r, _, err := try(ctx, s, b.world, latencyWorkers, newTally(len(names), strconv.FormatInt(time.Now().UnixNano(), 10)))
	if err != nil {
		return nil, err
	}
	// Every object is written at most once, and the writes are spread over the namespaces.
	stride := len(names) / writes
	numbers := make([]int, writes)
	written := make([]bool, len(names))
	for i := range numbers {
		numbers[i] = i * stride
		written[i*stride] = true
	}
	want := func(number int) int {
		if written[number] {
			return 2
		}
		return 1
	}
	all := r.expect(len(names) + writes)
	sent, took, err := b.write(ctx, r.tally, numbers)
	if err == nil {
		err = r.wait(ctx, all, want)
	}
	if err != nil {
		r.stop()
		return nil, err
	}
	if err := r.finish(ctx, want); err != nil {
		return nil, err
	}
	latencies, err := r.latencies(numbers, sent)
	if err != nil {
		return nil, err
	}
	return sample{percentile(latencies, 50), percentile(latencies, 99), float64(writes) / took.Seconds()}, nil
}

// write writes objects at a steady rate. It returns the start of each write, relative to the start of the tally, and the total
// time.
func (b *bench) write(ctx context.Context, t *tally, numbers []int) (sent []time.Duration, took time.Duration, err error) {
	names := make([]cache.ObjectName, len(numbers))
	for i, number := range numbers {
		names[i] = b.world.names[number]
	}
	objects, err := b.world.storage.annotated(ctx, workloads, names, t.mark)
	if err != nil {
		return nil, 0, err
	}
	sent = make([]time.Duration, len(objects))
	start := time.Now()
	err = b.world.storage.put(ctx, func(yield func(string, string) bool) {
		for i, object := range objects {
			time.Sleep(time.Until(start.Add(time.Duration(i) * time.Second / writesPerSecond)))
			sent[i] = time.Since(t.start)
			if !yield(object[0], object[1]) {
				return
			}
		}
	})
	return sent, time.Since(start), err
}

// latencies returns, in ascending order, the seconds from each write to the reconcile that saw it.
func (t *tally) latencies(numbers []int, sent []time.Duration) ([]float64, error) {
	latencies := make([]float64, len(numbers))
	for i, number := range numbers {
		seen := time.Duration(t.seen[number].Load())
		if seen == 0 {
			return nil, fmt.Errorf("lost work: no reconcile has seen the last version of %s", nameOf(number))
		}
		latencies[i] = (seen - sent[i]).Seconds()
	}
	slices.Sort(latencies)
	return latencies, nil
}
