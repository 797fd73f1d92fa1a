// Command bench compares the generated code of the examples with handwritten code and client-go's own listers, against a real API
// server:
//
//	go run ./bench [flags]
//
// Run it in the directory test/e2e of the repository.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

func main() {
	if apiservertest.IsChild() {
		if err := apiservertest.RunChild(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(harness.ExitProblem) //nolint:forbidigo // the end of the program
		}
		return
	}
	testing.Init() // for testing.Benchmark
	silenceLogs()
	os.Exit(new(bench).command().Main()) //nolint:forbidigo // the end of the program
}

// silenceLogs discards logs but lets them be formatted, because that is part of the work of a controller.
func silenceLogs() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
}

// bench is one run of the command.
type bench struct {
	harness.Session
	options options
	dir     string
	world   *world
	results results
}

// options are the flags of this benchmark.
type options struct {
	objects   int
	secrets   int
	writing   time.Duration
	benchtime string
}

// writes returns the number of objects that one run of the latency measurement writes.
func (o *options) writes() int { return int(o.writing.Seconds() * writesPerSecond) }

func (b *bench) command() harness.Command {
	return harness.Command{
		Mark: "bench controllers",
		Measurements: []harness.Measurement{
			{Name: "sync", Usage: "all objects in one informer: time and memory", Make: b.sync},
			{Name: "next", Usage: "the same with the client-go release that is not final yet", Make: b.next},
			{Name: "reconcile", Usage: "reconciles per second with 1, 4 and 16 workers", Make: b.reconcile},
			{Name: "latency", Usage: fmt.Sprintf("time from write to reconcile at %d writes per second", writesPerSecond), Make: b.latency},
			{
				Name: "references", Make: b.references,
				Usage: "three ways to watch Secrets that workloads refer to: time from write to reconcile, and memory",
			},
			{Name: "shards", Usage: "informers with a part of the objects: bytes received, and memory", Make: b.shards},
			{Name: "listers", Usage: "reads from the cache, in ns and allocations", Make: b.listers},
		},
		Flags: func(flags *flag.FlagSet) {
			flags.IntVar(&b.options.objects, "objects", 100_000, "how many objects there are")
			flags.IntVar(&b.options.secrets, "secrets", 2000, "how many Secrets there are for references")
			flags.DurationVar(&b.options.writing, "writing", 5*time.Second, "how long each run of latency writes")
			flags.StringVar(&b.options.benchtime, "benchtime", "300ms", "how long each run of listers takes, as in go test")
		},
		Validate: b.options.validate,
		Prepare:  b.prepare,
		Close:    b.close,
		Results:  &b.results,
	}
}

func (o *options) validate() error {
	switch {
	case o.objects < leastObjects:
		return fmt.Errorf("-objects: at least %d", leastObjects)
	case o.secrets < referred:
		return fmt.Errorf("-secrets: at least %d", referred)
	case o.writes() < 1 || o.writes() > o.objects:
		return fmt.Errorf("-writing: %d writes, each to another of %d objects", o.writes(), o.objects)
	}
	return nil
}

// prepare stores the objects.
func (b *bench) prepare(ctx context.Context, s harness.Session) (err error) {
	b.Session = s
	b.results.facts = facts{objects: b.options.objects, secrets: b.options.secrets, pairs: s.Pairs, machine: harness.Machine()}
	if b.dir, err = os.MkdirTemp("", "informer-gen-lite-bench"); err != nil {
		return err
	}
	fmt.Fprintf(b.Progress, "storing %d objects\n", b.options.objects)
	b.world, err = newWorld(ctx, b.dir, b.options.objects, nil)
	return err
}

func (b *bench) close() error {
	var err error
	if b.world != nil {
		err = b.world.close()
	}
	return errors.Join(err, os.RemoveAll(b.dir))
}
