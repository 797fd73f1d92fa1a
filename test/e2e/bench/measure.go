package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
)

// measurements are all measurements in order.
var measurements = []struct {
	name, usage string
	make        func(*bench, context.Context) error
}{
	{"sync", "all objects in one informer: time and memory", (*bench).sync},
	{"reconcile", "reconciles per second with 1, 4 and 16 workers", (*bench).reconcile},
	{"latency", fmt.Sprintf("time from write to reconcile at %d writes per second", writesPerSecond), (*bench).latency},
	{"listers", "reads from the cache, in ns and allocations", (*bench).listers},
}

func measurementNames() []string {
	var names []string
	for _, m := range measurements {
		names = append(names, m.name)
	}
	return names
}

func usageOfMeasurements() string {
	var lines []string
	for _, m := range measurements {
		lines = append(lines, m.name+": "+m.usage)
	}
	return strings.Join(lines, "\n")
}

// bench is one run of the command.
type bench struct {
	options  options
	world    *world
	progress io.Writer
	results  results
}

// measureAll runs the selected measurements.
func measureAll(ctx context.Context, opts options, progress io.Writer) (r results, err error) {
	dir, err := os.MkdirTemp("", "informer-gen-lite-bench")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	fmt.Fprintf(progress, "storing %d objects\n", opts.objects)
	b := &bench{options: opts, progress: progress}
	if b.world, err = newWorld(ctx, dir, opts.objects); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, b.world.close()) }()
	b.results.facts = facts{
		objects: opts.objects, pairs: opts.pairs,
		cores: runtime.NumCPU(), os: runtime.GOOS, arch: runtime.GOARCH, version: runtime.Version(),
	}
	for _, m := range measurements {
		if slices.Contains(opts.only, m.name) {
			if err := m.make(b, ctx); err != nil {
				return r, fmt.Errorf("%s: %w", m.name, err)
			}
		}
	}
	return b.results, nil
}

// contestant is one of several alternatives that are measured in turn. Every run returns the same quantities.
type contestant struct {
	name string
	run  func() ([]float64, error)
}

// inTurn measures contestants in turn, so that other load on the machine affects all of them equally. It returns the median of
// each quantity for each contestant. The first round is only a warm-up and does not count.
func (b *bench) inTurn(what string, contestants ...contestant) ([][]float64, error) {
	samples := make([][][]float64, len(contestants))
	for round := range b.options.pairs + 1 {
		number := fmt.Sprintf("%d/%d", round, b.options.pairs)
		if round == 0 {
			number = "warm-up"
		}
		fmt.Fprintf(b.progress, "%s, %s:", what, number)
		for i, c := range contestants {
			runtime.GC() // so the previous measurement's garbage does not count
			sample, err := c.run()
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(b.progress, "  %s %.4g", c.name, sample)
			if round > 0 {
				samples[i] = append(samples[i], sample)
			}
		}
		fmt.Fprintln(b.progress)
	}
	all := make([][]float64, len(contestants))
	for i := range samples {
		all[i] = medians(samples[i])
	}
	return all, nil
}

// medians returns the median of each quantity of some samples.
func medians(samples [][]float64) []float64 {
	all := make([]float64, len(samples[0]))
	for quantity := range all {
		var values []float64
		for _, sample := range samples {
			values = append(values, sample[quantity])
		}
		slices.Sort(values)
		all[quantity] = percentile(values, 50)
	}
	return all
}

// percentile returns the smallest value that is at least as large as the given percentage of all values, which are sorted and not
// empty.
func percentile(values []float64, percent int) float64 {
	rank := (len(values)*percent + 99) / 100
	return values[max(rank, 1)-1]
}
