package main

import (
	"fmt"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// sample has the quantities of one run, the same ones in every run.
type sample []float64

// String formats the quantities, for messages while measuring.
func (s sample) String() string { return fmt.Sprintf("%.4g", []float64(s)) }

// contestant is one of several alternatives that are measured in turn.
type contestant = harness.Side[sample]

// inTurn measures contestants in turn and returns the median of each quantity for each contestant.
func (b *bench) inTurn(what string, contestants ...contestant) ([]sample, error) {
	samples, err := harness.InTurn(b.Session, what, contestants...)
	if err != nil {
		return nil, err
	}
	all := make([]sample, len(contestants))
	for i := range samples {
		all[i] = medians(samples[i])
	}
	return all, nil
}

// medians returns the median of each quantity of some samples.
func medians(samples []sample) sample {
	all := make(sample, len(samples[0]))
	for quantity := range all {
		var values []float64
		for _, sample := range samples {
			values = append(values, sample[quantity])
		}
		all[quantity] = harness.Median(values)
	}
	return all
}

// percentile returns the smallest value that is at least as large as the given percentage of all values, which are sorted and not
// empty.
func percentile(values []float64, percent int) float64 {
	rank := (len(values)*percent + 99) / 100
	return values[max(rank, 1)-1]
}
