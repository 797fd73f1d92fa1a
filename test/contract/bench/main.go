// Command bench compares the strict fake clientset of the examples with other fakes:
//
//	go run . [flags]
//
// Run it in the directory test/contract/bench of the repository.
package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/crdfake"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// definitionsDir has the CustomResourceDefinitions of the examples.
const definitionsDir = "../../../examples/config/crd"

func main() {
	os.Exit(new(bench).command().Main()) //nolint:forbidigo // the end of the program
}

// bench is one run of the command.
type bench struct {
	harness.Session
	sizes   sizes
	fakes   []contestant
	results results
}

func (b *bench) command() harness.Command {
	c := harness.Command{
		Mark: "bench fakes",
		Flags: func(flags *flag.FlagSet) {
			flags.IntVar(&b.sizes.requests, "requests", 500, "how many requests are measured at a time")
			flags.IntVar(&b.sizes.bulk, "objects", 10_000, "how many objects are listed and watched")
		},
		Validate: func() error {
			if b.sizes.requests < 1 || b.sizes.bulk < 1 {
				return errors.New("-requests, -objects: at least 1")
			}
			return nil
		},
		Prepare: b.prepare,
		Close:   func() error { return nil },
		Results: &b.results,
	}
	for _, op := range operations {
		c.Measurements = append(c.Measurements, harness.Measurement{
			Name: op.name, Usage: op.what, Make: func(ctx context.Context) error { return b.measure(ctx, op) },
		})
	}
	return c
}

// prepare finds the fakes.
func (b *bench) prepare(_ context.Context, s harness.Session) error {
	b.Session = s
	definitions, err := crdfake.Load(definitionsDir)
	if err != nil {
		return err
	}
	if b.fakes, err = contestants(definitions); err != nil {
		return err
	}
	b.results = results{pairs: s.Pairs, objects: b.sizes.bulk, machine: harness.Machine()}
	for _, c := range b.fakes {
		b.results.columns = append(b.results.columns, c.name)
	}
	return nil
}

// measure runs an operation on all fakes in turn.
func (b *bench) measure(ctx context.Context, op operation) error {
	var sides []harness.Side[time.Duration]
	for _, c := range b.fakes {
		if !op.manyWrites || !c.slowWrites {
			sides = append(sides, harness.Side[time.Duration]{Name: c.name, Run: func() (time.Duration, error) { return op.run(ctx, b.sizes, c) }})
		}
	}
	samples, err := harness.InTurn(b.Session, op.what, sides...)
	if err != nil {
		return err
	}
	r := row{op.what, op.factor, map[string]time.Duration{}}
	for i, side := range sides {
		r.medians[side.Name] = harness.Median(samples[i])
	}
	b.results.rows = append(b.results.rows, r)
	return nil
}
